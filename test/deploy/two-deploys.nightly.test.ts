import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { readSite } from '../units/site-tree.ts';
import { readSiteFiles } from './bucket-content.ts';
import { type Fate, S3Proxy } from './s3-proxy.ts';
import { withSwift } from './test-bed.ts';

withSwift('a deploy refuses', 5, (testBed) => {
  test.each([[/\/v1\/brands$/, 1] as const, [/\/deploying\.json$/, 3] as const])(
    'to go on beside another deploy that began at %s, after publication %i',
    async (moment, first) => {
      await using proxy = await S3Proxy.start(testBed.swift.endpoint);
      const { run, content } = await testBed.bucketWith(first);
      let other: Promise<unknown> | null = null;
      proxy.fate = async ({ method, target }): Promise<Fate> => {
        if (method === 'PUT' && moment.test(withoutQuery(target)) && other === null) {
          other = run(first + 2);
          await other;
        }
        return 'pass';
      };
      await expect(run(first + 1, {}, proxy.endpoint)).rejects.toThrow('another deploy is at work there');
      const left = await content();
      for (const [key, what] of readSiteFiles(testBed.dist(first + 2), '', false)) expect(left.get(key)).toEqual(what);
      await run(first + 2);
      expect(await content()).toEqual(readSiteFiles(testBed.dist(first + 2)));
    },
  );

  test('to trust what it found beside the record of a deploy that may still be at work', async () => {
    await using proxy = await S3Proxy.start(testBed.swift.endpoint);
    const { bucket, run, content } = await testBed.freshBucket();
    await run(1);
    proxy.fate = ({ method, target }) => (method === 'PUT' && target.includes('/current.json') ? 'drop' : 'pass');
    await expect(run(2, {}, proxy.endpoint)).rejects.toThrow('PutObject');
    const Key = objectPath([...readSite(testBed.dist(2)).routes.values()][0]?.sha256 ?? '');
    proxy.fate = async ({ method, target }): Promise<Fate> => {
      if (method === 'PUT' && withoutQuery(target).endsWith('/deploying.json')) {
        await testBed.client.send(new DeleteObjectCommand({ Bucket: bucket, Key }));
      }
      return 'pass';
    };
    await expect(run(2, {}, proxy.endpoint)).rejects.toThrow(`${Key}: expected`);
    await run(2);
    expect(await content()).toEqual(readSiteFiles(testBed.dist(2)));
  });

  test('to keep deleting when another deploy has begun, which takes that over', async () => {
    await using proxy = await S3Proxy.start(testBed.swift.endpoint);
    const { bucket, run, content } = await testBed.bucketWith(2);
    const { deleted: toDelete } = await run(4, { dryRun: true });
    proxy.fate = async ({ method }): Promise<Fate> => {
      if (method === 'DELETE') await testBed.client.send(new PutObjectCommand({ ...record, Bucket: bucket }));
      return 'pass';
    };
    const own = JSON.parse(readFileSync(join(testBed.dist(2), 'current.json'), 'utf8'));
    const other = '11111111-1111-4111-8111-111111111111';
    const text = { format: 'shelfpress-deploying', format_version: 1, run: other, pointers: [own] };
    const record = { Key: 'deploying.json', Body: JSON.stringify(text) };
    const { deleted } = await run(4, {}, proxy.endpoint);
    expect([deleted > 0, deleted < toDelete]).toEqual([true, true]);
    expect((await content()).get('deploying.json')?.size).toBe(record.Body.length);
    expect(await run(4)).toMatchObject({ changed: true, deleted: toDelete - deleted });
    expect(await content()).toEqual(readSiteFiles(testBed.dist(4)));
  });
});

function withoutQuery(target: string): string {
  return target.split('?')[0] ?? '';
}
