import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectPath, pointerFile, signatureFile } from '../../contract/paths.ts';
import { pointerBytes } from '../shim/tiny-site.ts';
import { exampleSite, findRoute, largeExport, largeExportPath, revisions } from './example-site.ts';
import { RunningServer } from './running-server.ts';
import { problemCode, servedExample } from './served-example.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const site = exampleSite(revisions.first);
const large = findRoute(site, largeExportPath);
const address = `/${objectPath(large.sha256)}`;
const server = await servedExample(site);

test('the pointer is the file in the folder, fresh for seconds, with a strong ETag', async () => {
  const reply = await server.get(`/${pointerFile}`);
  expect(reply.body.equals(pointerBytes(site))).toBe(true);
  expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
    200,
    'application/json',
    'public, max-age=5',
  ]);
  const { etag = '' } = reply.headers;
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const unchanged = await server.get(`/${pointerFile}`, { 'If-None-Match': `W/${etag}` });
  expect([unchanged.status, unchanged.body.length, unchanged.headers.etag]).toEqual([304, 0, etag]);
  expect((await server.get(`/${pointerFile}`, { 'If-Match': '"other"' })).status).toBe(412);
  const head = await server.get(`/${pointerFile}`, {}, 'HEAD');
  expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
    200,
    0,
    String(pointerBytes(site).length),
  ]);
});

test('a new pointer has another ETag', async () => {
  using own = new SiteOnDisk(site);
  await using follower = await RunningServer.start([own.folder]);
  const { etag = '' } = (await follower.get(`/${pointerFile}`)).headers;
  own.publish(exampleSite(revisions.second, 2));
  const moved = await follower.get(`/${pointerFile}`, { 'If-None-Match': etag });
  expect([moved.status, JSON.parse(moved.body.toString()).sequence]).toEqual([200, 2]);
});

test('the signature is served if the folder has one', async () => {
  using own = new SiteOnDisk(site);
  await using signed = await RunningServer.start([own.folder]);
  const none = await signed.get(`/${signatureFile}`);
  expect([none.status, problemCode(none)]).toEqual([404, 'RESOURCE_NOT_FOUND']);
  writeFileSync(join(own.folder, signatureFile), '{"some":"line"}\n');
  const reply = await signed.get(`/${signatureFile}`);
  expect([reply.status, reply.body.toString(), reply.headers['cache-control']]).toEqual([
    200,
    '{"some":"line"}\n',
    'public, max-age=5',
  ]);
});

test('an object is bytes under their hash, for good', async () => {
  const reply = await server.get(address);
  expect([reply.status, reply.body.equals(largeExport)]).toEqual([200, true]);
  expect(reply.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable, no-transform',
    etag: `"${large.sha256}"`,
    'accept-ranges': 'bytes',
    'content-length': String(largeExport.length),
    'access-control-allow-origin': '*',
  });
  expect(reply.headers).not.toHaveProperty('content-encoding');
  expect((await server.get(address, { 'If-None-Match': `"${large.sha256}"` })).status).toBe(304);
});

test('it can be read in parts, RFC 9110 14', async () => {
  const size = largeExport.length;
  const part = await server.get(address, { Range: `bytes=${size - 7}-`, 'If-Range': `"${large.sha256}"` });
  expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${size - 7}-${size - 1}/${size}`]);
  expect(part.body.equals(largeExport.subarray(-7))).toBe(true);
  expect((await server.get(address, { Range: 'bytes=0-1', 'If-Range': 'Tue, 01 Apr 2025 12:00:05 GMT' })).status).toBe(
    200,
  );
  const beyond = await server.get(address, { Range: `bytes=${size}-` });
  expect([beyond.status, beyond.headers['content-range']]).toEqual([416, `bytes */${size}`]);
});

test.each([
  ['/objects', 'RESOURCE_NOT_FOUND'],
  [`/${objectPath('0'.repeat(64))}`, 'RESOURCE_NOT_FOUND'],
  [`/objects/00/${large.sha256}`, 'RESOURCE_NOT_FOUND'],
  [`/objects/${large.sha256}`, 'RESOURCE_NOT_FOUND'],
  [`${address}/`, 'RESOURCE_NOT_FOUND'],
  [address.toUpperCase(), 'RESOURCE_NOT_FOUND'],
  ['/objects/../current.json', 'RESOURCE_NOT_FOUND'],
  ['/build-ledger.json', 'RESOURCE_NOT_FOUND'],
  [`${address}?x=1`, 'INVALID_PARAMETER'],
  [`/${pointerFile}?x=1`, 'INVALID_PARAMETER'],
])('%s is %s', async (target, code) => {
  expect(problemCode(await server.get(target))).toBe(code);
});

test('a damaged object is never sent, but does not make the server leave the publication', async () => {
  using own = new SiteOnDisk(site);
  await using damaged = await RunningServer.start([own.folder]);
  writeFileSync(own.pathOf(large.sha256), Buffer.alloc(largeExport.length));
  const reply = await damaged.get(address);
  expect([reply.status, problemCode(reply)]).toEqual([503, 'NO_PUBLICATION']);
  expect((await damaged.get('/v1')).status).toBe(200);
  expect(damaged.complaints.filter(({ msg = '' }) => msg.includes('is served instead'))).toEqual([]);
  expect(await damaged.logged({ resource: 'object', status: 503 })).toMatchObject({ target: address });
});

test('without a publication there is no pointer', async () => {
  using empty = new SiteOnDisk();
  await using server = await RunningServer.start([empty.folder]);
  const reply = await server.get(`/${pointerFile}`);
  expect([reply.status, problemCode(reply), reply.headers['retry-after']]).toEqual([503, 'NO_PUBLICATION', '10']);
});
