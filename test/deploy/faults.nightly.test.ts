import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, expect, test } from 'vitest';
import { openClient, s3Bucket } from '../../generator/copies/deploy/bucket.ts';
import { soundBody, type Upload } from '../../generator/copies/deploy/upload.ts';
import { pick, seededRandom } from '../support/random.ts';
import { readBucket, readSiteFiles } from './bucket-content.ts';
import { type Asked, type Fate, S3Proxy } from './s3-proxy.ts';
import { deploy, withSwift } from './test-bed.ts';

const ofUploads: readonly Fate[] = ['drop', 'drop_after', 500, 503, 'corrupt_upload', 'cut'];
const ofAnswers: readonly Fate[] = ['drop', 'drop_after', 500, 503, 'cut'];
const ofObjects: readonly Fate[] = [...ofAnswers, 'corrupt_answer'];

function fatesFor({ method, target }: Asked): readonly Fate[] {
  if (method === 'PUT') return ofUploads;
  return method === 'GET' && target.includes('/objects/') ? ofObjects : ofAnswers;
}

withSwift('over a bad connection', 2, (testBed) => {
  let bucket = '';
  beforeAll(async () => {
    bucket = await testBed.swift.createBucket();
  });

  test('everything arrives unchanged, and nothing else', async () => {
    const { swift, client } = testBed;
    await using proxy = await S3Proxy.start(swift.endpoint);
    const random = seededRandom(20_251_120);
    const met = new Map<Fate, number>();
    proxy.fate = (asked) => {
      if (random() > 0.12) return 'pass';
      const fate = pick(random, fatesFor(asked));
      met.set(fate, (met.get(fate) ?? 0) + 1);
      return fate;
    };
    for (const sequence of [1, 2]) {
      await deploy(testBed.dist(sequence), `s3://${bucket}/p`, proxy.endpoint);
      expect(await readBucket(client, bucket)).toEqual(readSiteFiles(testBed.dist(sequence), 'p/'));
    }
    for (const fate of ofUploads) expect(met.get(fate) ?? 0).toBeGreaterThan(0);
  });

  test('a file too large for memory is streamed, and streamed again if that fails', async () => {
    const { swift, client } = testBed;
    await using proxy = await S3Proxy.start(swift.endpoint);
    const name = await swift.createBucket();
    const whole = Buffer.alloc(9 * 1024 * 1024, 'abcdefg\n');
    writeFileSync(testBed.sites.at('large'), whole);
    const upload: Upload = {
      ...{ name: 'large', file: 'large', kind: 'pages', step: 3 },
      ...{ sha256: hash('sha256', whole), md5: hash('md5', whole), size: whole.length },
      delivery: {
        content_type: 'text/plain',
        cache_control: 'no-store',
        content_encoding: null,
        content_disposition: null,
        metadata: {},
      },
    };
    const options = { endpoint: proxy.endpoint, concurrency: 1 };
    const bucket = s3Bucket({ bucket: name, prefix: '' }, await openClient(options));
    const fates: Fate[] = ['drop', 'corrupt_upload', 503, 'drop_after'];
    proxy.fate = () => fates.shift() ?? 'pass';
    await bucket.put('large', { ...upload, body: await soundBody(testBed.sites.at(''), upload) });
    expect([fates, bucket.requests]).toEqual([[], 5]);
    expect(await readBucket(client, name)).toEqual(
      new Map([['large', { size: whole.length, etag: `"${upload.md5}"` }]]),
    );
    const other = { ...upload, sha256: hash('sha256', 'other') };
    await expect(soundBody(testBed.sites.at(''), other)).rejects.toThrow(`expected sha256 ${other.sha256}, got`);
    bucket.close();
  });

  test('that remains, one line names the key, the operation and the answer', async () => {
    const { swift, client } = testBed;
    await using proxy = await S3Proxy.start(swift.endpoint);
    const run = () => deploy(testBed.dist(2), `s3://${bucket}/p`, proxy.endpoint);
    // The publication is there except for what is spoiled.
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'p/v1/stores' }));
    const spoil = (fate: Fate) => {
      proxy.fate = ({ method, target }) => (method === 'PUT' && target.includes('/p/v1/stores?') ? fate : 'pass');
    };
    const key = `PutObject s3://${bucket}/p/v1/stores: expected success, got`;
    spoil(503);
    await expect(run()).rejects.toThrow(`${key} status 503 SlowDown (a test), 5 times`);
    spoil('drop');
    await expect(run()).rejects.toThrow(`${key} ECONNRESET`);
    spoil('corrupt_upload');
    await expect(run()).rejects.toThrow(
      new RegExp(`${key.replaceAll('.', '\\.')} status 400 (BadDigest|XAmzContentSHA256Mismatch) `),
    );
    const nobody = 'http://127.0.0.1:9';
    await expect(deploy(testBed.dist(1), `s3://${bucket}`, nobody)).rejects.toThrow(
      `GetObject s3://${bucket}/current.json: expected success, got ECONNREFUSED`,
    );
  });
});
