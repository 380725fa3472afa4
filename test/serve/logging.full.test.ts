import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { shortLine } from '../../shim/node/log.ts';
import {
  exampleSite,
  hugeExportPath,
  largeExport,
  largeExportPath,
  revisions,
  siteWithHugeExport,
} from './example-site.ts';
import { eventually, RunningServer, runServe } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the line of a request', () => {
  test('says who asked for what, and what the answer was', async () => {
    await using server = await RunningServer.start([plain.folder]);
    const { body } = await server.get('/v1/metadata?limit=1&limit=2');
    const refused = await server.logged({ target: '/v1/metadata?limit=1&limit=2' });
    expect(refused).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      id: JSON.parse(body.toString()).request_id,
      method: 'GET',
      target: '/v1/metadata?limit=1&limit=2',
      resource: 'metadata',
      status: 400,
      bytes: body.length,
      duration_ms: expect.any(Number),
      revision: null,
      client: '127.0.0.1',
    });
    await server.get('/v1/metadata');
    expect(await server.logged({ target: '/v1/metadata', status: 200 })).toMatchObject({
      id: expect.stringMatching(uuid),
      revision: revisions.first,
    });
  });

  test('counts the bytes of bodies only, small, large, in part and not sent', async () => {
    await using server = await RunningServer.start([plain.folder]);
    const small = await server.get('/v1');
    await server.get('/v1');
    await server.get('/v1', {}, 'HEAD');
    await server.get('/v1', { 'If-None-Match': String(small.headers.etag) });
    await server.get(largeExportPath);
    await server.get(largeExportPath, { Range: 'bytes=5-9' });
    await server.get('/v1', {}, 'OPTIONS');
    await server.logged({ method: 'OPTIONS' });
    expect(server.log.map(({ status, bytes }) => [status, bytes])).toEqual([
      [200, small.body.length],
      [200, small.body.length],
      [200, 0],
      [304, 0],
      [200, largeExport.length],
      [206, 5],
      [204, 0],
    ]);
  });

  test('limits what a client can put into it, and keeps that within the line', async () => {
    await using server = await RunningServer.start([plain.folder]);
    const target = `/v1/"},{\\u0000${'x'.repeat(5000)}`;
    await server.raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await server.logged({ target: target.slice(0, 512) })).toMatchObject({ status: 404 });
  });

  test('says if a client left before the end', async () => {
    await using server = await RunningServer.start([huge.folder]);
    const request = get({ host: server.host, port: server.port, path: hugeExportPath }, () => request.destroy());
    request.on('error', () => {});
    const line = await server.logged({ resource: 'export', broken_off: true });
    expect(line.status).toBe(200);
    expect(line.bytes).toBeLessThan(32_000_000);
  });

  test('also appears for bytes that are not a request', async () => {
    await using server = await RunningServer.start([plain.folder]);
    await server.raw('NONSENSE\r\n\r\n');
    await server.raw(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`);
    await server.raw('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n');
    expect(await server.logged({ msg: 'refused', status: 400 })).toMatchObject({ id: null, client: '127.0.0.1' });
    expect(await server.logged({ msg: 'refused', status: 414 })).toMatchObject({ id: expect.stringMatching(uuid) });
    expect(await server.logged({ msg: 'refused', status: 405 })).toMatchObject({ id: expect.stringMatching(uuid) });
  });
});

test('a publication that cannot be read is an error', async () => {
  using disk = new SiteOnDisk(exampleSite(revisions.first));
  await using server = await RunningServer.start([disk.folder]);
  disk.replacePointer(Buffer.from('{}'));
  expect(await eventually(async () => (await server.get('/v1')) && server.complaints.length > 0)).toBe(true);
  expect(server.complaints).toMatchObject([{ level: 'error', msg: expect.stringContaining('pointer') }]);
});

test('without a terminal, only requests that the server failed to answer have a line, at any log level', async () => {
  using disk = new SiteOnDisk();
  await using server = await RunningServer.start([disk.folder, '--log-level', 'error'], { LOG_REQUESTS: '' });
  const { status } = await server.get('/v1/metadata');
  expect(await server.logged({ target: '/v1/metadata' })).toMatchObject({ level: 'error', status });
  expect(status).toBe(503);
  disk.publish(exampleSite(revisions.first));
  expect(await eventually(async () => (await server.get('/v1')).status === 200)).toBe(true);
  await server.raw('NONSENSE\r\n\r\n');
  expect((await server.get('/v1/nothing')).status).toBe(404);
  server.signal('SIGTERM');
  await server.ended;
  expect(server.log.filter(({ status }) => status !== undefined && status !== 503)).toEqual([]);
});

test.each(['error', 'silent'])('--log-level %s leaves requests out', async (level) => {
  await using server = await RunningServer.start([plain.folder, '--log-level', level]);
  await server.get('/v1');
  server.signal('SIGTERM');
  expect((await server.ended).stderr).toBe('');
});

test('LOG_LEVEL does the same, and no line is lost when the process ends', async () => {
  await using server = await RunningServer.start([plain.folder], { LOG_LEVEL: 'info' });
  await Promise.all(Array.from({ length: 600 }, () => server.get('/v1')));
  server.signal('SIGTERM');
  await server.ended;
  expect(server.log.filter(({ target }) => target === '/v1')).toHaveLength(600);
});

test('a log whose reader went away stops nothing', async () => {
  const { child, output, ended } = runServe([plain.folder, '--port', '0']);
  child.stderr.destroy();
  expect(await eventually(() => output.stdout.includes('\n'))).toBe(true);
  const url = /http:\S+/.exec(output.stdout)?.[0] ?? '';
  // Lines are written every few dozen requests.
  for (let i = 0; i < 200; i++) expect((await fetch(url)).status).toBe(200);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test('a log that nobody reads stops nothing', async () => {
  const { child, output, ended } = runServe([plain.folder, '--port', '0']);
  child.stderr.pause();
  expect(await eventually(() => output.stdout.includes('\n'))).toBe(true);
  const url = /http:\S+/.exec(output.stdout)?.[0] ?? '';
  // A pipe holds 64 KiB, about 250 lines.
  for (let i = 0; i < 2000; i++) expect((await fetch(url)).status).toBe(200);
  child.kill('SIGKILL');
  child.stderr.resume();
  await ended;
});

test('--log text has a short line for each request, in which a client cannot control the terminal', async () => {
  await using server = await RunningServer.start([plain.folder, '--log', 'text'], { CURSOR_SECRET: '' });
  await server.get('/v1/metadata?a=b');
  expect(await eventually(() => server.output.stderr.endsWith('\n'))).toBe(true);
  expect(server.output.stderr).toMatch(/^\d\d:\d\d:\d\d 400 GET \/v1\/metadata\?a=b \d+ bytes, \d+ ms\n$/);
  const hostile = { level: 'info', time: '2025-06-05T22:00:01.234Z', method: 'GET', target: '/\u009b31m%20' };
  expect(shortLine({ ...hostile, status: 404, bytes: 12, duration_ms: 0.6 })).toMatch(
    / 404 GET \/%C2%9B31m%20 12 bytes, 1 ms$/,
  );
});
