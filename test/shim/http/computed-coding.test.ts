import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Compressor, JsonAnswer } from '../../../shim/host.ts';
import { computedAnswer, encodeComputed } from '../../../shim/http/computed-answer.ts';
import { threadCompressor } from '../../../shim/node/node-host.ts';
import { webCompressor } from '../../../shim/worker/service.ts';

const rows = Array.from({ length: 500 }, (_, i) => ({ id: i, name: `row ${i % 7}` }));
const of = {
  revision: 'a286b3df-3aba-5ef2-9c40-5bc6d794994c',
  publishedAt: '2025-06-05T22:00:00Z',
  isDateless: () => false,
};

function asking(fields: Record<string, string>) {
  const headers = { get: (name: string) => fields[name] ?? null };
  return { id: '', method: 'GET', target: '/v1/search?q=x', headers, client: '127.0.0.1' };
}

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

test.each([
  ['br', threadCompressor],
  ['gzip', threadCompressor],
  ['gzip', webCompressor],
] as const)('%s gives the plain body when it is decompressed', async (coding, compressor) => {
  const computed = await encodeComputed(JSON.stringify(rows), of);
  const answer = (await computedAnswer(
    asking({ 'accept-encoding': coding }),
    'search',
    computed,
    compressor,
  )) as JsonAnswer;
  expect(answer.headers).toMatchObject({
    'Content-Encoding': coding,
    'Content-Length': String(answer.body.length),
    ETag: computed.etag.replace(/"$/, `-${coding}"`),
    Vary: 'Accept-Encoding',
  });
  expect(unpack[coding](answer.body).equals(computed.body)).toBe(true);
  expect(answer.body.length).toBeLessThan(computed.body.length / 4);
});

/** Counts what it compresses. */
class CountingCompressor implements Compressor {
  readonly codings = threadCompressor.codings;
  count = 0;

  compress(...of: Parameters<Compressor['compress']>): Promise<Uint8Array> {
    this.count += 1;
    return threadCompressor.compress(...of);
  }
}

test('nothing is compressed for a 304', async () => {
  const compressor = new CountingCompressor();
  const computed = await encodeComputed(JSON.stringify(rows), of);
  for (const coding of ['br', 'gzip']) {
    const fields = { 'accept-encoding': coding, 'if-none-match': '*' };
    expect((await computedAnswer(asking(fields), 'search', computed, compressor)) as JsonAnswer).toMatchObject({
      status: 304,
    });
  }
  expect(compressor.count).toBe(0);
});
