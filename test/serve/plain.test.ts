import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixtureSite } from '../http/fixture-site.ts';
import { programFile } from '../support/programs.ts';
import { RunningServer } from './running-server.ts';

/*
 * `serve --plain`: sends the files of a site like a plain host.
 */

let site: FixtureSite;
let server: ChildProcess;
let origin: string;

beforeAll(async () => {
  site = await FixtureSite.build();
  const command = [programFile('generator/cli/cli.ts'), 'serve', site.dist, '--plain', '--port', '0'];
  server = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout as NonNullable<typeof server.stdout>, 'data');
  origin = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? '';
});

afterAll(async () => {
  server.kill();
  await once(server, 'close');
  site[Symbol.dispose]();
});

test.each(['/v1', '/v1/brands', '/v1/openapi.json', '/v1/products/by-sku/014100'])('%s is its file', async (path) => {
  const reply = await fetch(origin + path);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await reply.json()).toEqual(site.document(path));
});

test('nothing is listed, and nothing above the folder is sent', async () => {
  const statusFor = async (path: string, init: RequestInit = {}) => (await fetch(origin + path, init)).status;
  for (const path of ['/v1/products/', '/v1/exports/', '/nothing'])
    expect([path, await statusFor(path)]).toEqual([path, 404]);
  expect(await statusFor('/..%2f..%2fcurrent.json')).toBe(400);
  for (const path of ['/%00', '/v1%00.json', '/v1/%2e%2e%00', '/%', '/%ff', '/a%5c..%5cb'])
    expect([path, await statusFor(path)]).toEqual([path, 400]);
  for (const path of [`/${'x'.repeat(300)}`, `/${'x/'.repeat(3000)}`, '/v1.json/x', '/con', '/v1:x'])
    expect([path, await statusFor(path)]).toEqual([path, 404]);
  expect(await statusFor('/v1', { method: 'POST', body: '' })).toBe(405);
});

test('validators, ranges and media types are those of a file server', async () => {
  const revision = site.document<{ data: { publication: { revision: string } } }>('/v1/metadata').data.publication
    .revision;
  const address = `${origin}/v1/exports/${revision}/inventory.parquet`;
  const whole = await fetch(address);
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect(whole.headers.get('content-type')).toBe('application/vnd.apache.parquet');
  const part = await fetch(address, { headers: { Range: 'bytes=4-11' } });
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(4, 12)]);
  const tag = whole.headers.get('etag') ?? '';
  const ranges: readonly [range: string, ifRange: string | null, status: number, bytes: Buffer][] = [
    ['bytes=-8', null, 206, bytes.subarray(-8)],
    ['bytes=-262144', null, 206, bytes],
    ['bytes=4-', tag, 206, bytes.subarray(4)],
    ['bytes=4-11', '"of-another"', 200, bytes],
    ['bytes=0-1,4-5', null, 200, bytes],
    ['bytes=999999999-', null, 416, Buffer.alloc(0)],
  ];
  for (const [range, ifRange, status, expected] of ranges) {
    const reply = await fetch(address, { headers: { Range: range, ...(ifRange ? { 'If-Range': ifRange } : {}) } });
    expect([range, reply.status, Buffer.from(await reply.arrayBuffer())]).toEqual([range, status, expected]);
  }
  const known = await fetch(address, { headers: { 'If-None-Match': tag } });
  expect([known.status, known.headers.get('etag'), known.headers.get('cache-control')]).toEqual([
    304,
    tag,
    'public, max-age=31536000, immutable, no-transform',
  ]);
});

test('every answer has the headers of its route', async () => {
  const command = [programFile('generator/cli/cli.ts'), 'verify', origin, '--all'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`verified ${origin}`);
});

test('a folder without a pointer is sent by the names of its files', async () => {
  const folder = realpathSync(join(site.dist, 'site'));
  await using plain = await RunningServer.start([folder, '--plain']);
  const reply = await fetch(`http://${plain.host}:${plain.port}/v1/brands`);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
});
