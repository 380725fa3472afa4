import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bucketUrl, parseBucketAddress } from '../../generator/copies/deploy/bucket-address.ts';
import { readPrivateKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { copySite, mirror } from '../mirror/published-sites.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build } from '../units/fixture-series.ts';
import { readBucket, readSiteFiles } from './bucket-content.ts';
import { countPuts, deploy, withSwift } from './test-bed.ts';

const keys = temporaryFolder();
const key = writeKeyPair(join(keys, 'site.key'));
afterAll(() => removeFolder(keys));

test('a prefix in a bucket', () => {
  for (const [text, bucket, prefix] of [
    ['s3://bucket', 'bucket', ''],
    ['s3://bucket/', 'bucket', ''],
    ['s3://my.bucket/a/b-2.c/', 'my.bucket', 'a/b-2.c/'],
  ] as const) {
    expect(parseBucketAddress(text)).toEqual({ bucket, prefix });
    expect(bucketUrl({ bucket, prefix })).toBe(text.replace(/\/$/, ''));
  }
  for (const text of ['bucket', 'https://bucket/a', 's3://', 's3://bucket//a', 's3://bucket/../a', 's3://bucket/a b']) {
    expect(() => parseBucketAddress(text)).toThrow(`${text}: expected s3://BUCKET or s3://BUCKET/PREFIX`);
  }
});

withSwift(
  'the command',
  3,
  (testBed) => {
    /** Below `site/` it has what the previous test left, starting with the first publication. */
    let bucket = '';
    beforeAll(async () => {
      bucket = await testBed.swift.createBucket();
      await deploy(testBed.dist(1), `s3://${bucket}/site`, testBed.swift.endpoint);
    });

    test('is the last step of update if the settings name a bucket, and fails update if it fails', async () => {
      const { swift, client, sites } = testBed;
      const update = (name: string) => {
        const { endpoint } = swift;
        const settings = {
          site: 'dist-3',
          explorer: false,
          signing_key: join(keys, 'site.key'),
          deploy: { bucket: `s3://${name}/site`, endpoint },
        };
        writeFileSync(sites.at('shelfpress.json'), JSON.stringify(settings));
        return runInProcess('update', '--json', '--settings', sites.at('shelfpress.json'));
      };
      const done = await update(bucket);
      expect([done.code, done.stderr]).toEqual([0, '']);
      expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, site: { deploy: { sequence: 3, changed: true } } });
      // The signature there also covers the pointer before, as in the next test.
      const [held, own] = [await readBucket(client, bucket), readSiteFiles(testBed.dist(3), 'site/')];
      for (const content of [held, own]) expect(content.delete('site/current.json.sig')).toBe(true);
      expect(held).toEqual(own);
      const failed = await update(`${bucket}-missing`);
      expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([
        1,
        {
          ok: false,
          site: { verify: { ok: true } },
          failed: { step: 'deploy', message: expect.stringContaining(bucket) },
        },
      ]);
    });

    test('a signature matches the pointers before and after, even if publications between them were never deployed', async () => {
      const { swift, client } = testBed;
      const [url, publicUrl] = [`s3://${bucket}/site`, `${swift.publicUrl(bucket)}/site`];
      const signature = await (await fetch(`${publicUrl}/current.json.sig`)).text();
      const own = readFileSync(join(testBed.dist(3), 'current.json.sig'), 'utf8');
      const first = readFileSync(join(testBed.dist(1), 'current.json.sig'), 'utf8');
      const [newest = '', ...others] = own.split(/(?<=\n)/);
      const [before = ''] = first.split(/(?<=\n)/);
      expect(signature).toBe([newest, before, ...others].join(''));
      expect((await mirror(publicUrl, testBed.sites.at('mirror'), { key })).pointer.sequence).toBe(3);
      expect(countPuts(await deploy(testBed.dist(3), url, swift.endpoint))).toBe(0);

      // In an empty folder a new chain begins, which readers of the bucket would take for a rollback.
      const again = testBed.sites.at('again');
      await build(testBed.sites.at('3.sqlite'), again, {}, readPrivateKey(join(keys, 'site.key')));
      await expect(deploy(again, url, swift.endpoint)).rejects.toThrow('rollback: expected checkpoint 3 of');

      const unsigned = testBed.sites.at('unsigned');
      copySite(testBed.dist(3), unsigned);
      rmSync(join(unsigned, 'current.json.sig'));
      await expect(deploy(unsigned, url, swift.endpoint)).rejects.toThrow(`${url} is signed: expected a signed site`);
      await deploy(unsigned, url, swift.endpoint, { force: true });
      expect(await readBucket(client, bucket)).toEqual(readSiteFiles(unsigned, 'site/'));
    });

    test('says what it did, or would do, in lines or as JSON, and changes nothing in a dry run', async () => {
      const { swift, client } = testBed;
      const [url, dist, plan] = [`s3://${bucket}/site`, testBed.dist(3), testBed.sites.at('plan.ndjson')];
      await deploy(testBed.dist(2), url, swift.endpoint, { force: true });
      const before = await readBucket(client, bucket);
      const args = ['deploy', dist, url, '--endpoint', swift.endpoint];
      const asked = await runInProcess(...args, '--dry-run', '--plan', plan, '--json');
      expect([asked.code, asked.stderr]).toEqual([0, '']);
      expect(await readBucket(client, bucket)).toEqual(before);
      const summary = JSON.parse(asked.stdout);
      expect(summary).toMatchObject({ sequence: 3, bucket, prefix: 'site/', only: null, dry_run: true, changed: true });

      const lines = readFileSync(plan, 'utf8').trimEnd().split('\n');
      const actions = lines.map((line) => JSON.parse(line));
      const puts = actions.filter(({ action }) => action === 'put');
      const deletes = actions.filter(({ action }) => action === 'delete');
      expect([puts.length, deletes.length]).toEqual([countPuts(summary), summary.deletes]);
      const then = new Map(before);
      for (const { key } of deletes) expect(then.delete(key)).toBe(true);
      for (const { key, file, size, md5, sha256 } of puts) {
        expect(hash('sha256', readFileSync(join(dist, file)))).toBe(sha256);
        then.set(key, { size, etag: `"${md5}"` });
      }
      expect(then).toEqual(readSiteFiles(dist, 'site/'));
      expect(puts.slice(-2).map(({ key }) => key)).toEqual(['site/current.json.sig', 'site/current.json']);
      const exported = puts.find(({ key }) => key.endsWith('/products.ndjson.gz'));
      expect(exported?.content_disposition).toMatch(/^attachment; filename="products-.+\.ndjson"$/);
      expect(puts.at(-1)).toMatchObject({
        content_disposition: null,
        content_type: 'application/json',
        cache_control: 'public, max-age=5',
      });

      const done = await runInProcess(...args);
      expect([done.code, done.stderr]).toEqual([0, '']);
      expect(done.stdout).toMatch(
        /^deployed publication 3, revision .*, to s3:\/\/bucket-[0-9a-f-]+\/site\nput \d+ route tables \(/,
      );
      const again = await runInProcess(...args);
      expect(again.stdout).toMatch(
        /^nothing new: s3:\/\/bucket-[0-9a-f-]+\/site holds publication 3, .*\n\d+ keys unchanged; 2 requests; /,
      );
    });
  },
  readPrivateKey(join(keys, 'site.key')),
);
