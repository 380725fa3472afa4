import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectPath } from '../../generator/contract/paths.ts';
import { exampleSite, largeExport, largeExportPath, revisions, routeOf } from '../serve/example-site.ts';
import { SiteOnDisk } from '../serve/site-on-disk.ts';
import { tinyTable } from '../shim/tiny-site.ts';
import { HttpClient } from '../support/http-client.ts';
import { LocalEdge } from '../support/local-edge.ts';

/** A table of the same bytes, which a publication rewrites. */
const largeTablePath = '/v1/exports/changes.parquet';
const site = exampleSite(revisions.first, 1, { [largeTablePath]: tinyTable(largeExport) });
const { sha256, etag } = routeOf(site, largeExportPath);
const disk = new SiteOnDisk(site);

let edge: LocalEdge;
const clients: HttpClient[] = [];

beforeAll(async () => {
  const names = ['whole', 'rewritten', 'shortened'];
  const variables = { CURSOR_SECRET: 'a secret that only tests know' };
  edge = await LocalEdge.start(names.map((name) => ({ name, bucket: name, variables, ratePerMinute: null })));
  for (const name of names) await edge.upload(disk.folder, name);
  await putInstead('rewritten', Buffer.alloc(largeExport.length, 'x'));
  await putInstead('shortened', largeExport.subarray(1));
});

afterAll(async () => {
  for (const client of clients) client[Symbol.dispose]();
  await edge?.[Symbol.asyncDispose]();
  disk[Symbol.dispose]();
});

async function putInstead(name: string, bytes: Uint8Array): Promise<void> {
  const file = join(disk.folder, name);
  writeFileSync(file, bytes);
  await edge.put(name, objectPath(sha256), file);
}

async function ask(name: string, headers: Record<string, string> = {}, method = 'GET', path = largeExportPath) {
  const client = new HttpClient(await edge.urlOf(name));
  clients.push(client);
  return client.get(path, headers, method);
}

test('a large export is streamed whole, compressed as it was stored', async () => {
  const { status, headers, body } = await ask('whole');
  expect([status, headers['content-encoding'], headers.etag]).toEqual([200, 'gzip', etag]);
  expect(headers['content-length']).toBe(String(largeExport.length));
  expect(body.equals(largeExport)).toBe(true);
});

test.each([
  ['bytes=0-0', 0, 0],
  ['bytes=1000000-2999999', 1_000_000, 2_999_999],
  ['bytes=-5', largeExport.length - 5, largeExport.length - 1],
])('or in part: %s', async (range, start, end) => {
  const { status, headers, body } = await ask('whole', { Range: range });
  expect(status).toBe(206);
  expect(headers['content-range']).toBe(`bytes ${start}-${end}/${largeExport.length}`);
  expect(headers['content-length']).toBe(String(end - start + 1));
  expect(body.equals(largeExport.subarray(start, end + 1))).toBe(true);
});

test('a large table is had in parts of its plain bytes, while it is the same file', async () => {
  const fields = { Range: 'bytes=1000000-2999999', 'If-Range': etag, 'Accept-Encoding': 'gzip, br' };
  const { status, headers, body } = await ask('whole', fields, 'GET', largeTablePath);
  expect([status, headers['content-type']]).toEqual([206, 'application/vnd.apache.parquet']);
  expect([headers['content-encoding'], headers['accept-ranges']]).toEqual([undefined, 'bytes']);
  expect(body.equals(largeExport.subarray(1_000_000, 3_000_000))).toBe(true);
  const rewritten = await ask('whole', { ...fields, 'If-Range': '"another"' }, 'GET', largeTablePath);
  expect([rewritten.status, rewritten.body.equals(largeExport)]).toEqual([200, true]);
});

test('HEAD reads nothing of it', async () => {
  const { status, headers, body } = await ask('whole', {}, 'HEAD');
  expect([status, headers['content-length'], body.length]).toEqual([200, String(largeExport.length), 0]);
});

test.each(['rewritten', 'shortened'])(
  'an object that is %s is not sent: its tag in storage gives it away',
  async (name) => {
    const { status, headers } = await ask(name);
    expect([status, headers['content-type']]).toEqual([503, 'application/problem+json']);
    const part = await ask(name, { Range: 'bytes=0-9' });
    expect(part.status).toBe(503);
    const { msg } = await edge.logged({ level: 'error', request_id: headers['x-request-id'] });
    expect(msg).toContain(`object ${sha256}: expected ${largeExport.length} bytes tagged ${etag}`);
  },
);
