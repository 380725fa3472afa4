import { once } from 'node:events';
import { get } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exampleSite, largeExport, largeExportPath, revisions } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const disk = new SiteOnDisk(exampleSite(revisions.first));
let server: RunningServer;
let quiet: number;

beforeAll(async () => {
  server = await RunningServer.start(['--dist', disk.folder]);
  const whole = await server.get(largeExportPath);
  expect(whole.body.equals(largeExport)).toBe(true);
  quiet = server.openFiles();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  disk[Symbol.dispose]();
});

const settles = () => eventually(() => server.openFiles() <= quiet);

test('a download that is broken off leaves no file open', async () => {
  for (let i = 0; i < 20; i++) {
    const request = get({ host: server.host, port: server.port, path: largeExportPath });
    request.on('error', () => {});
    const [response] = await once(request, 'response');
    await once(response, 'readable');
    request.destroy();
  }
  expect(await settles()).toBe(true);
});

test('nor does one whose client goes away at once', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(server.port, server.host);
    socket.write(`GET ${largeExportPath} HTTP/1.1\r\nHost: x\r\n\r\n`, () => socket.destroy());
    await once(socket, 'close');
  }
  expect(await settles()).toBe(true);
});

test('nor do requests that wait on one connection behind a download nobody reads', async () => {
  const socket = connect(server.port, server.host);
  socket.pause();
  socket.write(`GET ${largeExportPath} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(5));
  expect(await eventually(() => server.openFiles() >= quiet + 2)).toBe(true);
  socket.destroy();
  expect(await settles()).toBe(true);
});

test('nor do HEAD, 304, ranges and whole downloads', async () => {
  for (let i = 0; i < 5; i++) {
    const { headers } = await server.get(largeExportPath, {}, 'HEAD');
    await server.get(largeExportPath, { 'If-None-Match': String(headers.etag) });
    await server.get(largeExportPath, { Range: 'bytes=100000-1000000' });
    await server.get(largeExportPath, { Range: 'bytes=99999999-' });
    await server.get(largeExportPath);
  }
  expect(await settles()).toBe(true);
  expect(server.output.stderr).toBe('');
});

test('answers to pipelined requests come whole and in order, RFC 9112 9.3.2', async () => {
  const ask = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`;
  const reply = await server.raw(ask(largeExportPath) + ask('/v1/brands') + ask('/v1/none', 'Connection: close\r\n'));
  expect(reply.match(/HTTP\/1.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  expect(reply).toContain(largeExport.toString('latin1'));
});
