import { expect, test } from 'vitest';
import { md5Tag, type TinySite, tinyTable } from '../shim/tiny-site.ts';
import type { Reply } from '../support/http-client.ts';
import { exampleSite, revisions } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';
import { siteServer } from './site-server.ts';

const first = exampleSite(revisions.first, 1);
const second = exampleSite(revisions.second, 2);

const revisionIn = (reply: Reply) => reply.headers['x-publication-revision'];

function damageRoot(disk: SiteOnDisk, site: TinySite): void {
  disk.publish(site);
  disk.writeObject(site.pointer.routes.sha256, Buffer.alloc(site.pointer.routes.size, '?'));
}

test('without its folder, it answers 503', async () => {
  using disk = new SiteOnDisk();
  await using server = await RunningServer.start([`${disk.folder}/later`]);
  expect((await server.get('/v1')).status).toBe(503);
});

test('contract 5: publications change under load without a failed or mixed answer', async () => {
  using disk = new SiteOnDisk(first);
  await using server = await RunningServer.start([disk.folder]);
  let answered = '';
  let running = true;
  const reader = async (path: string) => {
    while (running) {
      const reply = await server.get(path);
      const revision = String(revisionIn(reply));
      expect(reply.status).toBe(200);
      expect(JSON.parse(reply.body.toString()).data.revision).toBe(revision);
      expect(reply.headers.etag).toBe(md5Tag(reply.body));
      answered = revision;
    }
  };
  const readers = ['/v1', '/v1/metadata', '/v1/categories', '/v1', '/v1/metadata', '/v1/categories'].map(reader);
  for (const site of [first, second, first, second]) {
    disk.publish(site);
    expect(await eventually(() => answered === site.pointer.revision)).toBe(true);
  }
  running = false;
  await Promise.all(readers);
  expect(server.complaints).toEqual([]);
});

test('contract 5: parts of a table from different publications are never taken for parts of one file', async () => {
  const path = '/v1/exports/daily.parquet';
  const [old, rewritten] = [Buffer.alloc(200_000, 'old '), Buffer.alloc(220_000, 'rewritten ')];
  using disk = new SiteOnDisk(exampleSite(revisions.first, 1, { [path]: tinyTable(old) }));
  await using server = await RunningServer.start([disk.folder]);
  const part = (start: number, fields: Record<string, string> = {}) =>
    server.get(path, { Range: `bytes=${start}-${start + 999}`, ...fields });
  const begin = await part(0);
  const tag = String(begin.headers.etag);
  expect([begin.status, tag]).toEqual([206, md5Tag(old)]);
  expect((await part(1000, { 'If-Range': tag })).body.equals(old.subarray(1000, 2000))).toBe(true);
  disk.publish(exampleSite(revisions.second, 2, { [path]: tinyTable(rewritten) }));
  expect(await eventually(async () => revisionIn(await server.get('/v1')) === revisions.second)).toBe(true);
  const whole = await part(2000, { 'If-Range': tag });
  expect([whole.status, whole.headers.etag]).toEqual([200, md5Tag(rewritten)]);
  expect(whole.body.equals(rewritten)).toBe(true);
  expect((await part(2000, { 'If-Match': tag })).status).toBe(412);
  // Without a condition, the part comes from the new file, and its tag says so.
  const blind = await part(2000);
  expect([blind.status, blind.headers.etag, revisionIn(blind)]).toEqual([206, md5Tag(rewritten), revisions.second]);
});

test('an idle server answers its first request from the newest publication', async () => {
  using disk = new SiteOnDisk(first);
  const { publication, follow, port } = await siteServer(disk);
  await publication.view();
  follow();
  disk.publish(second);
  expect(await eventually(() => publication.retained(revisions.second) !== null)).toBe(true);
  const { headers } = await fetch(`http://127.0.0.1:${port}/v1`);
  expect(headers.get('x-publication-revision')).toBe(revisions.second);
});

test.each([
  ['a damaged route table', damageRoot],
  ['a damaged pointer', (disk: SiteOnDisk) => disk.replacePointer(Buffer.from('{"format":"shelfpress-si'))],
])('contract 6: %s after a switch keeps the last good publication in place, and recovers', async (_, damage) => {
  using disk = new SiteOnDisk(first);
  await using server = await RunningServer.start([disk.folder]);
  await server.get('/v1');
  damage(disk, second);
  expect(await eventually(async () => (await server.get('/v1')) && server.complaints.length > 0)).toBe(true);
  const reply = await server.get('/v1');
  expect([reply.status, revisionIn(reply)]).toEqual([200, revisions.first]);
  expect(server.output.stderr).toContain(`still serving revision ${revisions.first}`);
  disk.publish(second);
  expect(await eventually(async () => revisionIn(await server.get('/v1')) === revisions.second)).toBe(true);
});

test('contract 6: a route table damaged from the start is a 503', async () => {
  using disk = new SiteOnDisk();
  damageRoot(disk, first);
  await using server = await RunningServer.start([disk.folder]);
  expect((await server.get('/v1')).status).toBe(503);
  disk.publish(first);
  expect(await eventually(async () => (await server.get('/v1')).status === 200)).toBe(true);
});
