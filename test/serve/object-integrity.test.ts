import { rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exampleSite, largeExport, largeExportPath, revisions, routeOf, smallExportPath } from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const site = exampleSite(revisions.first);

/** One changed byte, the same size. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[copy.length - 1] = (copy[copy.length - 1] as number) ^ 1;
  return copy;
}

describe.each(['/v1/metadata', '/v1/openapi.json', smallExportPath, largeExportPath])('contract 6: %s', (path) => {
  const { sha256, etag } = routeOf(site, path);
  const whole = site.objects.get(sha256) as Uint8Array;

  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['damaged', (file: string) => writeFileSync(file, flipped(whole))],
    ['cut', (file: string) => writeFileSync(file, whole.subarray(0, -1))],
  ])('is never served wrong when its object is %s, and is served again when that is mended', async (_, damage) => {
    using disk = new SiteOnDisk(site);
    await using server = await RunningServer.start(['--dist', disk.folder]);
    damage(disk.pathOf(sha256));
    for (const method of ['GET', 'HEAD']) {
      const reply = await server.get(path, {}, method);
      expect([reply.status, reply.headers['retry-after']]).toEqual([503, '10']);
      expect(reply.headers).not.toHaveProperty('etag');
    }
    expect((await server.get(path, { Range: 'bytes=0-1' })).status).toBe(503);
    expect((await server.get(path, { 'If-None-Match': etag })).status).toBe(304);
    expect((await server.get('/v1')).status).toBe(200);
    expect(await eventually(() => server.complaints.some(({ msg = '' }) => msg.includes(sha256)))).toBe(true);

    disk.writeObject(sha256, whole);
    const reply = await server.get(path);
    expect([reply.status, reply.body.equals(whole)]).toEqual([200, true]);
  });
});

test('a large object that is replaced after it was verified is verified again', async () => {
  using disk = new SiteOnDisk(site);
  await using server = await RunningServer.start(['--dist', disk.folder]);
  const replies = await Promise.all(Array.from({ length: 8 }, () => server.get(largeExportPath)));
  expect(replies.every(({ body }) => body.equals(largeExport))).toBe(true);
  writeFileSync(disk.pathOf(routeOf(site, largeExportPath).sha256), flipped(largeExport));
  expect((await server.get(largeExportPath)).status).toBe(503);
});
