import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { readSettings } from '../../shim/worker/service.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { pathTricks } from '../http/path-tricks.ts';
import { RawConnection } from '../http/raw-connection.ts';
import { exampleSite, findRoute, largeExport, largeExportPath, revisions } from '../serve/example-site.ts';
import { eventually } from '../serve/running-server.ts';
import { SiteOnDisk } from '../serve/site-on-disk.ts';
import { tinyTable } from '../shim/tiny-site.ts';
import { HttpClient } from '../support/http-client.ts';
import { enoughOfMinute, LocalEdge } from '../support/local-edge.ts';

const variables = { CURSOR_SECRET: 'a secret that only tests know' };
const exportBuckets = ['exports', 'rewritten', 'shortened'];
const comparison = '/v1/availability/comparison?skus=001204&lat=43&lng=-118';

/** A table with the same bytes, which each publication rewrites. */
const largeTablePath = '/v1/exports/changes.parquet';
const example = exampleSite(revisions.first, 1, { [largeTablePath]: tinyTable(largeExport) });
const { sha256, etag } = findRoute(example, largeExportPath);
const disk = new SiteOnDisk(example);

let site: FixtureSite;
let earlier: FixtureSite;
let edge: LocalEdge;
const clients: HttpClient[] = [];

beforeAll(async () => {
  [site, earlier] = [await FixtureSite.build(), await FixtureSite.build(10)];
  edge = await LocalEdge.start([
    { name: 'first', bucket: 'whole', variables, ratePerMinute: null },
    { name: 'limited', bucket: 'whole', variables, ratePerMinute: 1, banner: 'Date.now = () => 0;' },
    { name: 'secretless', bucket: 'whole', variables: {}, ratePerMinute: null },
    { name: 'misled', bucket: 'whole', variables: { CURSOR_SECRET: 'short' }, ratePerMinute: null },
    { name: 'following', bucket: 'moving', variables, ratePerMinute: null },
    ...exportBuckets.map((name) => ({ name, bucket: name, variables, ratePerMinute: null })),
  ]);
  await edge.upload(site.dist, 'first');
  await edge.upload(earlier.dist, 'following', earlier.objectsFor('/v1'));
  for (const name of exportBuckets) await edge.upload(disk.folder, name);
  await putInstead('rewritten', Buffer.alloc(largeExport.length, 'x'));
  await putInstead('shortened', largeExport.subarray(1));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await edge?.[Symbol.asyncDispose]();
  for (const built of [site, earlier]) built?.[Symbol.dispose]();
  disk[Symbol.dispose]();
});

async function putInstead(name: string, bytes: Uint8Array): Promise<void> {
  const file = join(disk.folder, name);
  writeFileSync(file, bytes);
  await edge.put(name, objectPath(sha256), file);
}

async function clientFor(name: string): Promise<HttpClient> {
  const client = new HttpClient(await edge.urlOf(name));
  clients.push(client);
  return client;
}

async function ask(name: string, headers: Record<string, string> = {}, method = 'GET', path = largeExportPath) {
  return (await clientFor(name)).get(path, headers, method);
}

test('the coding is the one that the client asked for, not the one that the edge asks for instead', async () => {
  const client = new HttpClient(await edge.edgeUrl);
  clients.push(client);
  for (const coding of ['gzip', 'br']) {
    const { headers, body } = await client.get('/v1/search/index.json', { 'Accept-Encoding': coding });
    expect([headers['content-encoding'], headers.etag]).toEqual([
      coding,
      site.object(`/v1/search/index.json ${coding}`).etag,
    ]);
    expect(body.equals(site.bytes(`/v1/search/index.json ${coding}`))).toBe(true);
  }
});

test('clients are counted by their address, all of an IPv6 /64 together', async () => {
  await enoughOfMinute();
  const client = await clientFor('limited');
  const statusFor = async (address: string) => (await client.get(comparison, { 'CF-Connecting-IP': address })).status;
  expect([await statusFor('192.0.2.1'), await statusFor('192.0.2.1')]).toEqual([200, 429]);
  expect([await statusFor('2001:db8::1'), await statusFor('2001:db8::ffff:1')]).toEqual([200, 429]);
  expect(await statusFor('2001:db8:0:1::1')).toBe(200);
});

test('a new pointer is noticed within seconds', async () => {
  const client = await clientFor('following');
  const revision = async () => (await client.get('/v1')).headers['x-publication-revision'];
  expect(await revision()).toBe(earlier.pointer.revision);
  await edge.upload(site.dist, 'following', site.objectsFor('/v1'));
  expect(await eventually(async () => (await revision()) === site.pointer.revision)).toBe(true);
});

test('without a secret, cursors work within limits, and a warning says so', async () => {
  const client = await clientFor('secretless');
  const { body } = await client.get('/v1/changes');
  const { links } = JSON.parse(body.toString()) as { links: { next: string } };
  expect((await client.get(links.next)).status).toBe(200);
  expect(await edge.logged({ level: 'warn' })).toMatchObject({ msg: expect.stringContaining('CURSOR_SECRET') });
});

describe('paths that try to leave the site lead nowhere', () => {
  test.each(pathTricks)('GET %j', async (target) => {
    const url = new URL(await edge.urlOf('first'));
    using connection = new RawConnection({ host: url.hostname, port: Number(url.port) }, 10_000);
    const { status, body } = await connection.ask({ method: 'GET', target });
    // The edge reads a target as a URL before the worker does: it removes dots and fragments.
    const path = new URL(target.replace(/^[\\/]+/, '/'), url).pathname;
    if (status === 200) return expect(body.equals((await ask('first', {}, 'GET', path)).body)).toBe(true);
    // The local edge itself refuses a target with another scheme in this way.
    if (!target.startsWith('/')) return expect([status, body.toString()]).toEqual([500, 'Internal Server Error']);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toMatch(/root:|"data"/);
  });
});

test('a worker with a wrong setting answers nothing', async () => {
  expect((await (await clientFor('misled')).get('/v1')).status).toBe(500);
});

describe('settings', () => {
  const environment = { SITE: { get: async () => null, head: async () => null } };

  test.each([
    [{ CURSOR_SECRET: 'short' }, 'CURSOR_SECRET expects at least 16 characters, got 5'],
    [{ CURSOR_SECRET_PREVIOUS: 'a secret of before' }, 'CURSOR_SECRET_PREVIOUS is set, and CURSOR_SECRET is not'],
    [{ BASE_URL: 'example.org' }, "BASE_URL must start with http:// or https://, got 'example.org'"],
    [{ LOG_REQUESTS: 'yes' }, "LOG_REQUESTS must be true or false, got 'yes'"],
  ])('%j: %s', (set, message) => {
    expect(() => readSettings({ ...environment, ...set })).toThrow(message);
  });

  test('empty ones count as not set, and secrets are in order', () => {
    const { cursorSecrets, isSecretRandom, address } = readSettings({
      ...environment,
      BASE_URL: 'https://example.org/v1/',
      CURSOR_SECRET: 'a secret of today',
      CURSOR_SECRET_PREVIOUS: 'a secret of before',
    });
    expect(cursorSecrets).toEqual(['a secret of today', 'a secret of before']);
    expect([isSecretRandom, address('/v1/problems')]).toEqual([false, 'https://example.org/v1/problems']);
    const empty = readSettings({ ...environment, BASE_URL: '', CURSOR_SECRET: '' });
    expect([empty.isSecretRandom, empty.address('/v1')]).toEqual([true, '/v1']);
  });
});

describe('large files', () => {
  test('a large export is streamed whole, compressed as it was stored', async () => {
    const { status, headers, body } = await ask('exports');
    expect([status, headers['content-encoding'], headers.etag]).toEqual([200, 'gzip', etag]);
    expect(headers['content-length']).toBe(String(largeExport.length));
    expect(body.equals(largeExport)).toBe(true);
  });

  test.each([
    ['bytes=0-0', 0, 0],
    ['bytes=1000000-2999999', 1_000_000, 2_999_999],
    ['bytes=-5', largeExport.length - 5, largeExport.length - 1],
  ])('or in part: %s', async (range, start, end) => {
    const { status, headers, body } = await ask('exports', { Range: range });
    expect(status).toBe(206);
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/${largeExport.length}`);
    expect(headers['content-length']).toBe(String(end - start + 1));
    expect(body.equals(largeExport.subarray(start, end + 1))).toBe(true);
  });

  test('a large table can be read in parts of its plain bytes, as long as it is the same file', async () => {
    const fields = { Range: 'bytes=1000000-2999999', 'If-Range': etag, 'Accept-Encoding': 'gzip, br' };
    const { status, headers, body } = await ask('exports', fields, 'GET', largeTablePath);
    expect([status, headers['content-type']]).toEqual([206, 'application/vnd.apache.parquet']);
    expect([headers['content-encoding'], headers['accept-ranges']]).toEqual([undefined, 'bytes']);
    expect(body.equals(largeExport.subarray(1_000_000, 3_000_000))).toBe(true);
    const rewritten = await ask('exports', { ...fields, 'If-Range': '"another"' }, 'GET', largeTablePath);
    expect([rewritten.status, rewritten.body.equals(largeExport)]).toEqual([200, true]);
  });

  test('HEAD reads nothing of it', async () => {
    const { status, headers, body } = await ask('exports', {}, 'HEAD');
    expect([status, headers['content-length'], body.length]).toEqual([200, String(largeExport.length), 0]);
  });

  test.each(['rewritten', 'shortened'])(
    'an object that is %s is not sent: its tag in storage reveals it',
    async (name) => {
      const { status, headers } = await ask(name);
      expect([status, headers['content-type']]).toEqual([503, 'application/problem+json']);
      const part = await ask(name, { Range: 'bytes=0-9' });
      expect(part.status).toBe(503);
      const { msg } = await edge.logged({ level: 'error', request_id: headers['x-request-id'] });
      expect(msg).toContain(`object ${sha256}: expected ${largeExport.length} bytes with the tag ${etag}`);
    },
  );
});
