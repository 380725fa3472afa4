import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { cacheControl } from '../../contract/headers.ts';
import { objectPath } from '../../contract/paths.ts';
import { contentDisposition } from '../../contract/routes.ts';
import { faultsIn, mirror, readContent } from '../mirror/published-sites.ts';
import { readSite } from '../units/site-tree.ts';
import { readBucket, readHead, readSiteFiles } from './bucket-content.ts';
import { countPuts, deploy, withSwift } from './test-bed.ts';

withSwift('a bucket', 5, (testBed) => {
  test('one publication after the other: what is new is uploaded, what is past retention is deleted, foreign keys stay', async () => {
    const { bucket, run, content, put } = await testBed.freshBucket();
    const foreign = 'v1/of-somebody-else';
    await put(foreign, 'theirs');
    for (const sequence of [1, 2, 4]) {
      const before = await content();
      before.delete(foreign);
      const wanted = readSiteFiles(testBed.dist(sequence));
      const summary = await run(sequence);
      const after = await content();
      expect(after.delete(foreign)).toBe(true);
      expect(after).toEqual(wanted);
      const isNew = ([key, { etag }]: [string, { etag: string }]) => before.get(key)?.etag !== etag;
      expect(countPuts(summary)).toBe([...wanted].filter(isNew).length);
      expect(summary.deleted).toBe([...before.keys()].filter((key) => !wanted.has(key)).length);
      if (sequence === 4) expect(summary.deleted).toBeGreaterThan(0);
      const again = await run(sequence);
      expect(again).toMatchObject({ changed: false, deleted: 0, unchanged: wanted.size });
      expect([countPuts(again), again.requests]).toEqual([0, 2]);
    }
    await testBed.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: foreign }));
  });

  test('what was damaged or deleted there is uploaded again', async () => {
    const { bucket, run, content, put } = await testBed.bucketWith(4);
    const root = objectPath(readSite(testBed.dist(4)).pointer.routes.sha256);
    for (const key of ['v1/brands', 'v1/changes', root]) await put(key, 'damaged');
    await testBed.client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'v1/stores' }));
    expect(countPuts(await run(4))).toBe(4);
    expect(await content()).toEqual(readSiteFiles(testBed.dist(4)));
    expect((await readHead(testBed.client, bucket, 'v1/brands')).ContentType).toBe('application/json');
  });

  test('without documents it has what mirrors and the worker read; a stray option does not delete documents', async () => {
    const { bucket, run, content } = await testBed.bucketWith(4);
    const onlyObjects = { withDocuments: false };
    await expect(run(4, onlyObjects)).rejects.toThrow('has documents: expected them');
    await run(4, { ...onlyObjects, force: true });
    expect(await content()).toEqual(readSiteFiles(testBed.dist(4), '', false));

    const empty = await testBed.freshBucket();
    await empty.run(4, onlyObjects);
    expect(await empty.content()).toEqual(await content());

    await run(5, onlyObjects);
    expect(await content()).toEqual(readSiteFiles(testBed.dist(5), '', false));
    expect((await mirror(testBed.swift.publicUrl(bucket), testBed.sites.at('mirror-2'))).pointer.sequence).toBe(5);
    await run(5);
    expect(await content()).toEqual(readSiteFiles(testBed.dist(5)));
  });

  test('below a prefix is a plain host: addresses answer as their routes say, and mirrors are the same', async () => {
    const { swift, client } = testBed;
    const bucket = await swift.createBucket();
    const dist = testBed.dist(1);
    await deploy(dist, `s3://${bucket}/some/place/`, swift.endpoint);
    expect(await readBucket(client, bucket)).toEqual(readSiteFiles(dist, 'some/place/'));
    const root = `${swift.publicUrl(bucket)}/some/place`;
    const { routes, pointer } = readSite(dist);
    const ranked = [...routes.values()].sort((a, b) => a.media_type.localeCompare(b.media_type));
    for (const route of ranked.filter((one, index) => one.media_type !== ranked[index - 1]?.media_type)) {
      const { headers } = await fetch(root + route.path, { method: 'HEAD' });
      expect([route.path, `"${headers.get('etag')}"`]).toEqual([route.path, route.etag]);
      expect(headers.get('content-type')).toBe(route.media_type);
      expect(headers.get('cache-control')).toBe(cacheControl(route));
      expect(headers.get('content-disposition')).toBe(contentDisposition(route));
      const revision = /\/exports\/([0-9a-f-]{36})\//.exec(route.path)?.[1] ?? pointer.revision;
      expect(headers.get('x-object-meta-publication-revision')).toBe(revision);
      expect(headers.get('x-object-meta-last-modified')).toBe(route.last_modified);
    }
    const metadata = (await readHead(client, bucket, 'some/place/v1')).Metadata;
    expect(Object.keys(metadata ?? {}).sort()).toEqual(['last-modified', 'publication-revision']);
    const { headers } = await fetch(`${root}/${objectPath(pointer.routes.sha256)}`);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable, no-transform');

    const folder = testBed.sites.at('mirror');
    await mirror(root, folder);
    expect(readContent(folder)).toEqual(readContent(dist));
    expect(await faultsIn(folder)).toEqual([]);
    expect(await mirror(`${root}/v1/`, folder)).toMatchObject({ changed: false, requests: 1 });
  });
});
