import { once } from 'node:events';
import { truncateSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../shim/tiny-site.ts';
import { hugeExport, hugeExportPath, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const disk = new SiteOnDisk(siteWithHugeExport());
let server: RunningServer;
let quiet: number;

beforeAll(async () => {
  server = await RunningServer.start([disk.folder]);
  const whole = await server.get(hugeExportPath);
  expect(whole.body.equals(hugeExport)).toBe(true);
  quiet = server.openFiles();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
  disk[Symbol.dispose]();
});

const settles = () => eventually(() => server.openFiles() <= quiet);

test('a download that is broken off leaves no file open', async () => {
  for (let i = 0; i < 20; i++) {
    const request = get({ host: server.host, port: server.port, path: hugeExportPath });
    request.on('error', () => {});
    const [response] = await once(request, 'response');
    await once(response, 'readable');
    request.destroy();
  }
  expect(await settles()).toBe(true);
});

test('nor does one whose client leaves at once', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(server.port, server.host);
    socket.write(`GET ${hugeExportPath} HTTP/1.1\r\nHost: x\r\n\r\n`, () => socket.destroy());
    await once(socket, 'close');
  }
  expect(await settles()).toBe(true);
});

test('nor do requests that wait behind an unread download on the same connection', async () => {
  const socket = connect(server.port, server.host);
  socket.pause();
  socket.write(`GET ${hugeExportPath} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(5));
  expect(await eventually(() => server.openFiles() >= quiet + 2)).toBe(true);
  socket.destroy();
  expect(await settles()).toBe(true);
});

test('nor do HEAD, 304, ranges and whole downloads', async () => {
  for (let i = 0; i < 3; i++) {
    const { headers } = await server.get(hugeExportPath, {}, 'HEAD');
    await server.get(hugeExportPath, { 'If-None-Match': String(headers.etag) });
    await server.get(hugeExportPath, { Range: 'bytes=100000-1000000' });
    await server.get(hugeExportPath, { Range: 'bytes=32000000-' });
    await server.get(hugeExportPath);
  }
  expect(await settles()).toBe(true);
  expect(server.complaints).toEqual([]);
});

test('a file cut short during its download ends the connection', async () => {
  using ownDisk = new SiteOnDisk(siteWithHugeExport());
  await using ownServer = await RunningServer.start([ownDisk.folder]);
  const request = get({ host: ownServer.host, port: ownServer.port, path: hugeExportPath });
  const [response] = await once(request, 'response');
  truncateSync(ownDisk.pathOf(sha256(hugeExport)), 20_000_000);
  response.resume();
  await expect(once(response, 'end')).rejects.toThrow('aborted');
  expect(await eventually(() => ownServer.output.stderr.includes('expected 32000000 bytes'))).toBe(true);
});

test('answers to pipelined requests arrive whole and in order, RFC 9112 9.3.2', async () => {
  const ask = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${rest}\r\n`;
  const reply = await server.raw(ask(hugeExportPath) + ask('/v1/metadata') + ask('/v1/none', 'Connection: close\r\n'));
  expect(reply.match(/HTTP\/1.1 \d{3}/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  expect(reply.includes(hugeExport.toString('latin1'))).toBe(true);
});
