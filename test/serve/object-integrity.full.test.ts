import { once } from 'node:events';
import { closeSync, openSync, rmSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { get } from 'node:http';
import { describe, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import {
  exampleSite,
  findRoute,
  hugeExport,
  hugeExportPath,
  largeExport,
  largeExportPath,
  revisions,
  siteWithHugeExport,
} from './example-site.ts';
import { eventually, RunningServer } from './running-server.ts';
import { SiteOnDisk } from './site-on-disk.ts';

const site = exampleSite(revisions.first);

/** The bytes with one of them changed. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[copy.length - 1] = (copy[copy.length - 1] as number) ^ 1;
  return copy;
}

describe.each(['/v1/openapi.json', largeExportPath])('contract 6: %s', (path) => {
  const { sha256, etag } = findRoute(site, path);
  const whole = site.objects.get(sha256) as Uint8Array;

  test.each([
    ['missing', (file: string) => rmSync(file)],
    ['damaged', (file: string) => writeFileSync(file, flipped(whole))],
    ['cut', (file: string) => writeFileSync(file, whole.subarray(0, -1))],
  ])('is never served wrong if its object is %s, and is served again once that is repaired', async (_, damage) => {
    using disk = new SiteOnDisk(site);
    await using server = await RunningServer.start([disk.folder]);
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
  await using server = await RunningServer.start([disk.folder]);
  const replies = await Promise.all(Array.from({ length: 8 }, () => server.get(largeExportPath)));
  expect(replies.every(({ body }) => body.equals(largeExport))).toBe(true);
  writeFileSync(disk.pathOf(findRoute(site, largeExportPath).sha256), flipped(largeExport));
  expect((await server.get(largeExportPath)).status).toBe(503);
});

/** The time of a built file. Builds use the times of publications, in whole seconds, which can be restored exactly. */
const builtAt = Date.parse('2025-06-05T22:00:00Z') / 1000;

/** Overwrites bytes at a position of a file, and restores its time. */
function damageQuietly(file: string, position: number): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, 'damaged', position);
  closeSync(opened);
  utimesSync(file, builtAt, builtAt);
}

describe.each([
  ['its address', (path: string, _hash: string) => path],
  ['its hash', (_path: string, hash: string) => `/${objectPath(hash)}`],
])('a large object, asked for by %s', (_, addressOf) => {
  const { sha256 } = findRoute(site, largeExportPath);
  const address = addressOf(largeExportPath, sha256);

  test('that was verified is not served after damage in place, even if its time is restored', async () => {
    using disk = new SiteOnDisk(site);
    utimesSync(disk.pathOf(sha256), builtAt, builtAt);
    await using server = await RunningServer.start([disk.folder]);
    expect((await server.get(address)).body.equals(largeExport)).toBe(true);
    damageQuietly(disk.pathOf(sha256), 1_500_000);
    for (const headers of [{}, { Range: 'bytes=0-1' }, { Range: 'bytes=1500000-1500001' }]) {
      expect((await server.get(address, headers)).status).toBe(503);
    }
    disk.writeObject(sha256, largeExport);
    expect((await server.get(address)).body.equals(largeExport)).toBe(true);
  });
});

test.each([
  ['the whole', {}, 0],
  ['a range', { Range: 'bytes=1000000-' }, 1_000_000],
])(
  'a download of %s breaks off where the file was damaged in the meantime, and the next one is refused',
  async (_, headers, start) => {
    using disk = new SiteOnDisk(siteWithHugeExport());
    await using server = await RunningServer.start([disk.folder]);
    expect((await server.get(hugeExportPath, {}, 'HEAD')).status).toBe(200);
    const request = get({ host: server.host, port: server.port, path: hugeExportPath, headers });
    const [response] = await once(request, 'response');
    const { sha256 } = findRoute(siteWithHugeExport(), hugeExportPath);
    const damagedAt = 31_000_000;
    damageQuietly(disk.pathOf(sha256), damagedAt);
    const received: Buffer[] = [];
    response.on('data', (bytes: Buffer) => received.push(bytes));
    await expect(once(response, 'end')).rejects.toThrow('aborted');
    const bytes = Buffer.concat(received);
    expect(bytes.length).toBeGreaterThan(0);
    expect(start + bytes.length).toBeLessThanOrEqual(damagedAt);
    expect(bytes.equals(hugeExport.subarray(start, start + bytes.length))).toBe(true);
    expect(await server.logged({ level: 'error', object: sha256 })).toMatchObject({
      msg: expect.stringContaining('a download broke off'),
    });
    expect((await server.get(hugeExportPath)).status).toBe(503);
  },
);

/**
 * Node's options for a process in which all files have the same times, as on a disk that silently returns wrong bytes.
 */
const withoutTimes = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { open } from 'node:fs/promises';
    const file = await open(process.execPath);
    const prototype = Object.getPrototypeOf(file);
    await file.close();
    const { stat } = prototype;
    prototype.stat = async function (options) {
      return Object.assign(await stat.call(this, options), { mtimeMs: 0, ctimeMs: 0, mtimeNs: 0n, ctimeNs: 0n });
    };
  `)}`,
};

describe('a disk that silently returns other bytes than before', () => {
  const { sha256 } = findRoute(site, largeExportPath);

  test('causes a 503 if an answer begins with such bytes', async () => {
    using disk = new SiteOnDisk(site);
    await using server = await RunningServer.start([disk.folder], withoutTimes);
    expect((await server.get(largeExportPath)).body.equals(largeExport)).toBe(true);
    damageQuietly(disk.pathOf(sha256), 1_500_000);
    const before = await server.get(largeExportPath, { Range: 'bytes=100-200' });
    expect([before.status, before.body.equals(largeExport.subarray(100, 201))]).toEqual([206, true]);
    expect((await server.get(largeExportPath, { Range: 'bytes=1500000-' })).status).toBe(503);
    expect((await server.get(largeExportPath)).status).toBe(503);
  });

  test('makes a download break off at later bytes, and causes a 503 for the next one', async () => {
    using disk = new SiteOnDisk(site);
    await using server = await RunningServer.start([disk.folder], withoutTimes);
    expect((await server.get(largeExportPath)).body.equals(largeExport)).toBe(true);
    damageQuietly(disk.pathOf(sha256), 1_500_000);
    await expect(server.get(largeExportPath)).rejects.toThrow('aborted');
    expect((await server.get(largeExportPath)).status).toBe(503);
    disk.writeObject(sha256, largeExport);
    expect((await server.get(largeExportPath)).body.equals(largeExport)).toBe(true);
  });
});
