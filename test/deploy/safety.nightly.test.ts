import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { build } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';
import { readHead, readSiteFiles } from './bucket-content.ts';
import { S3Proxy } from './s3-proxy.ts';
import { countPuts, deploy, withSwift } from './test-bed.ts';

withSwift('a deploy', 5, (testBed) => {
  // Where possible, each test begins with what the one before it left.
  describe('refuses', () => {
    test('a damaged site: the pointer stays, whatever is damaged', async () => {
      const { bucket, run, content } = await testBed.bucketWith(1);
      const { routes, pointer } = readSite(testBed.dist(2));
      const before = readSite(testBed.dist(1)).routes;
      const changed = [...routes.values()].find(({ path, sha256 }) => before.get(path)?.sha256 !== sha256);
      const damages = [objectPath(changed?.sha256 ?? ''), objectPath(pointer.routes.sha256), 'current.json'];
      for (const [index, file] of damages.entries()) {
        const folder = testBed.sites.at(`damaged-${index}`);
        cpSync(testBed.dist(2), folder, { recursive: true });
        const bytes = readFileSync(join(folder, file));
        bytes[40] = (bytes[40] ?? 0) ^ 1;
        writeFileSync(join(folder, file), bytes);
        await expect(deploy(folder, `s3://${bucket}`, testBed.swift.endpoint)).rejects.toThrow(file);
        expect((await content()).get('current.json')).toEqual(readSiteFiles(testBed.dist(1)).get('current.json'));
      }
      await run(2);
      expect(await content()).toEqual(readSiteFiles(testBed.dist(2)));
    });

    test('an older publication, another site, and an invalid pointer, without force', async () => {
      const { bucket, run, content, put } = await testBed.bucketWith(2);
      await expect(run(1)).rejects.toThrow(
        'expected publication 2 or a later one, got the older publication 1; pass --force to accept it',
      );
      expect(await content()).toEqual(readSiteFiles(testBed.dist(2)));
      await run(1, { force: true });
      expect(await content()).toEqual(readSiteFiles(testBed.dist(1)));

      const pointer = readFileSync(join(testBed.dist(2), 'current.json'), 'utf8');
      const [, first] = JSON.parse(pointer).publications;
      const stranger = '11111111-1111-4111-8111-111111111111';
      await put('current.json', pointer.replaceAll(first.revision, stranger));
      await expect(run(2)).rejects.toThrow(
        `whose publication 1 is ${stranger}, got ${first.revision}; pass --force to accept it`,
      );
      await put('current.json', '{}');
      await expect(run(2)).rejects.toThrow(`s3://${bucket}/current.json: expected`);
      await run(2, { force: true });
      expect((await content()).get('current.json')).toEqual(readSiteFiles(testBed.dist(2)).get('current.json'));
    });
  });

  test('without any rights is one line that says so', async () => {
    const { bucket, run } = await testBed.bucketWith(2);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'wrong');
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(run(1)).rejects.toThrow(
      /^GetObject s3:\/\/.*\/current\.json: expected success, got status 403 SignatureDoesNotMatch \([^\n]*\)$/,
    );
    vi.unstubAllEnvs();
    await expect(deploy(testBed.dist(1), `s3://${bucket}-none`, testBed.swift.endpoint)).rejects.toThrow(
      'got status 404 NoSuchBucket',
    );
  });

  test('uploads documents again that have the wrong headers', async () => {
    const { bucket } = await testBed.bucketWith(2);
    // A build from scratch gives a different Last-Modified to documents that did not change with the second
    // publication.
    const anew = testBed.sites.at('anew');
    await build(testBed.sites.at('2.sqlite'), anew);
    const [grown, made] = [readSite(testBed.dist(2)).routes, readSite(anew).routes];
    const isOther = ({ path, sha256, last_modified }: Route) =>
      grown.get(path)?.sha256 === sha256 && grown.get(path)?.last_modified !== last_modified;
    const other = [...made.values()].filter(isOther);
    expect(other.length).toBeGreaterThan(0);
    const { puts } = await deploy(anew, `s3://${bucket}`, testBed.swift.endpoint);
    expect(puts.documents.count).toBe(other.length);
    for (const { path, last_modified } of other.slice(0, 5)) {
      const { Metadata } = await readHead(testBed.client, bucket, path.slice(1));
      expect(Metadata?.['last-modified']).toBe(last_modified);
    }
    expect(countPuts(await deploy(anew, `s3://${bucket}`, testBed.swift.endpoint))).toBe(0);
  });

  test('uploads everything before what links to it, the pointer last, and deletes after that', async () => {
    await using proxy = await S3Proxy.start(testBed.swift.endpoint);
    const { bucket, run, content } = await testBed.bucketWith(2);
    const before = await content();
    await run(3, { concurrency: 3 }, proxy.endpoint);
    const keys = proxy.keysAsked('PUT', bucket);
    const { routes, pointer } = readSite(testBed.dist(3));
    const isPage = (key: string) => routes.get(`/${key}`)?.cache === 'immutable';
    const kinds = keys.map((key) => {
      if (!key.startsWith('v1')) return key.startsWith('objects/') ? 'object' : key;
      return isPage(key) ? 'page' : 'document';
    });
    const order = ['deploying.json', 'object', 'page', 'document', 'current.json'];
    expect([...new Set(kinds)]).toEqual(order);
    const sorted = [...kinds].sort((a, b) => order.indexOf(a) - order.indexOf(b));
    expect(kinds).toEqual(sorted);
    // Two objects are route table roots, and are uploaded before any shard.
    expect(keys.indexOf(objectPath(pointer.routes.sha256))).toBeLessThan(3);
    const documents = keys.filter((_, index) => kinds[index] === 'document');
    expect(documents.at(-1)).toBe('v1');
    const places = (pattern: RegExp) => documents.flatMap((key, index) => (pattern.test(key) ? [index] : []));
    expect(Math.max(...places(/^v1\/products\/[0-9a-f-]{36}$/))).toBeLessThan(Math.min(...places(/^v1\/products$/)));

    const deleted = proxy.keysAsked('DELETE', bucket);
    const wanted = readSiteFiles(testBed.dist(3));
    const gone = [...before.keys()].filter((key) => !wanted.has(key));
    expect([...deleted].sort()).toEqual([...gone, 'deploying.json'].sort());
    expect(deleted.at(-1)).toBe('deploying.json');
    const lastPut = proxy.asked.findLastIndex(({ method }) => method === 'PUT');
    expect(proxy.asked.findIndex(({ method }) => method === 'DELETE')).toBeGreaterThan(lastPut);
  });

  test('that is cut off at any moment leaves a whole publication; the next one removes everything that no reader needs', async () => {
    await using proxy = await S3Proxy.start(testBed.swift.endpoint);
    const { run, content, put } = await testBed.bucketWith(3);
    await put('deploying', 'of somebody else');
    await put('objects/of-somebody-else', 'theirs');
    const wanted = [3, 4, 5].map((sequence) => readSiteFiles(testBed.dist(sequence)));
    const begun = new Set<number>();
    for (const [sequence, requests] of [
      [4, 1],
      [4, 60],
      [5, 90],
      [5, 240],
    ] as const) {
      let remaining = requests;
      proxy.fate = () => {
        remaining -= 1;
        return remaining < 0 ? 'drop' : 'pass';
      };
      await run(sequence, {}, proxy.endpoint).catch((error) =>
        expect(String(error)).toContain('expected success, got'),
      );
      const held = await content();
      const found = wanted.findIndex((one) => one.get('current.json')?.etag === held.get('current.json')?.etag);
      begun.add(found);
      for (const [key, what] of wanted[found] ?? []) {
        if (key.startsWith('objects/')) expect([key, held.get(key)]).toEqual([key, what]);
        else expect([key, held.has(key)]).toEqual([key, true]);
      }
    }
    expect(begun.has(0)).toBe(true);
    await run(5);
    const after = await content();
    for (const foreign of ['deploying', 'objects/of-somebody-else']) expect(after.delete(foreign)).toBe(true);
    expect(after).toEqual(wanted[2]);
  });
});
