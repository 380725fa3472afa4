import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pointerFile } from '../../contract/paths.ts';
import { pointerBytes } from '../shim/tiny-site.ts';
import type { Reply } from '../support/http-client.ts';
import { exampleSite, hugeExportPath, revisions, siteWithHugeExport } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { sharedDisk } from './served-example.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const plain = sharedDisk(exampleSite(revisions.first));
const huge = sharedDisk(siteWithHugeExport());

const statusAndBody = ({ status, body }: Reply) => [status, body.toString()];

test('with a publication: alive and ready, in plain text that is not cached', async () => {
  await using server = await RunningServer.start([plain.folder]);
  const alive = await server.get('/healthz');
  expect(statusAndBody(alive)).toEqual([200, 'alive\n']);
  expect(alive.headers).toMatchObject({
    'content-type': 'text/plain',
    'content-length': '6',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  expect(statusAndBody(await server.get('/readyz'))).toEqual([200, 'ready\n']);
  expect(statusAndBody(await server.get('/readyz', {}, 'HEAD'))).toEqual([200, '']);
});

test('without one: alive, and ready when one appears', async () => {
  using disk = new SiteOnDisk();
  await using server = await RunningServer.start([disk.folder]);
  expect((await server.get('/healthz')).status).toBe(200);
  expect(statusAndBody(await server.get('/readyz'))).toEqual([503, 'no publication\n']);
  const site = exampleSite(revisions.first);
  disk.publish(site);
  expect(await eventually(async () => (await server.get('/readyz')).status === 200)).toBe(true);
  rmSync(join(disk.folder, pointerFile));
  expect(await eventually(async () => (await server.get('/readyz')).status === 503)).toBe(true);
  disk.replacePointer(pointerBytes(site));
  expect(await eventually(async () => (await server.get('/readyz')).status === 200)).toBe(true);
});

test('a process that is stopping is alive and not ready', async () => {
  await using server = await RunningServer.start([huge.folder]);
  // The download keeps the process alive. The probe waits behind it on the same connection, because a stopping server
  // accepts no new ones.
  const socket = connect(server.port, server.host);
  socket.write(`GET ${hugeExportPath} HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'readable');
  server.signal('SIGTERM');
  await server.logged({ msg: 'stopping' });
  let end = '';
  socket.setEncoding('latin1').on('data', (text) => {
    end = (end + text).slice(-1000);
  });
  await once(socket, 'close');
  expect(end).toContain('HTTP/1.1 503 Service Unavailable');
  expect(end).toContain('Connection: close');
  expect(end.endsWith('\r\n\r\nstopping\n')).toBe(true);
  expect((await server.ended).code).toBe(0);
});

test('probes are neither limited nor logged at the usual level', async () => {
  await using server = await RunningServer.start([plain.folder, '--rate-limit', '1']);
  for (let i = 0; i < 5; i++) {
    expect((await server.get('/healthz')).status).toBe(200);
    expect((await server.get('/readyz')).status).toBe(200);
  }
  await server.get('/v1');
  await server.logged({ target: '/v1' });
  expect(server.log).toHaveLength(1);
});

test('other methods and other spellings are answered as everywhere else', async () => {
  await using server = await RunningServer.start([plain.folder]);
  expect((await server.get('/healthz', {}, 'POST')).status).toBe(405);
  expect((await server.get('/healthz', {}, 'OPTIONS')).status).toBe(204);
  for (const path of ['/healthz/', '/healthz?x=1', '/v1/healthz', '/metrics']) {
    expect((await server.get(path)).status).toBe(404);
  }
});
