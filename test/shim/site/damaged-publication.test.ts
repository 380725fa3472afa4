import { describe, expect, test } from 'vitest';
import { CurrentPublication } from '../../../shim/site/current-publication.ts';
import { asking } from '../asking.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinySite, tinySite } from '../tiny-site.ts';

const revisions = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];

function makeSite(n: number): TinySite {
  const head = JSON.stringify({
    data: [],
    meta: { page: {}, warnings: [] },
    links: { self: '/v1/products', next: '/v1/products/pages/0000000000000001.json' },
  });
  const documents = { '/v1': { body: `index ${n}` }, '/v1/products': { body: `${head}${' '.repeat(n)}` } };
  return tinySite({ revision: revisions[n] as string, sequence: n + 1, shardBits: 0, documents });
}

const sites = [makeSite(0), makeSite(1), makeSite(2)] as [TinySite, TinySite, TinySite];

const revisionIn = (answer: { headers: Readonly<Record<string, string>> }) => answer.headers['X-Publication-Revision'];

/** A site with its first two publications, both with their documents; the first one is served. */
async function twoPublications() {
  const reader = new MemoryReader(sites[0]);
  const asked = asking(reader);
  await asked.ask('/v1');
  return { reader, asked };
}

function damage(reader: MemoryReader, sha256: string): () => void {
  const whole = reader.objects.get(sha256) as Uint8Array;
  reader.objects.set(
    sha256,
    whole.map((byte) => byte ^ 1),
  );
  return () => void reader.objects.set(sha256, whole);
}

function objectHash(site: TinySite, path: string): string {
  return site.routes.find((route) => route.path === path)?.sha256 as string;
}

describe('contract 6: a publication that fails its hashes is not served', () => {
  test.each([
    ['root', () => sites[1].pointer.routes.sha256],
    ['shard', () => (sites[1].shards[0] as { sha256: string }).sha256],
    ['object that the service reads itself', () => objectHash(sites[1], '/v1/products')],
  ])(
    'with a damaged %s, the last good one stays, with one warning; the new one is served once it is repaired',
    async (_, find) => {
      const { reader, asked } = await twoPublications();
      reader.publishBeside(sites[1]);
      const mend = damage(reader, find());
      for (let i = 0; i < 3; i += 1) {
        const answer = await asked.ask('/v1/products');
        expect([answer.status, revisionIn(answer)]).toEqual([200, revisions[0]]);
      }
      expect(asked.messages).toHaveLength(1);
      expect(asked.messages[0]).toContain(revisions[0]);
      mend();
      expect(revisionIn(await asked.ask('/v1/products'))).toBe(revisions[1]);
    },
  );

  test('even if the pointer no longer names its documents', async () => {
    const { reader, asked } = await twoPublications();
    for (const [hash, bytes] of sites[1].objects) reader.objects.set(hash, bytes);
    reader.pointer = Buffer.from(JSON.stringify(sites[1].pointer));
    damage(reader, objectHash(sites[1], '/v1/products'));
    expect(revisionIn(await asked.ask('/v1/products'))).toBe(revisions[0]);
  });

  test('at the start, the newest undamaged one is served', async () => {
    const reader = new MemoryReader(sites[0]);
    reader.publishBeside(sites[1]);
    reader.publishBeside(sites[2]);
    damage(reader, sites[2].pointer.routes.sha256);
    damage(reader, (sites[1].shards[0] as { sha256: string }).sha256);
    const answer = await asking(reader).ask('/v1/products');
    expect([answer.status, revisionIn(answer)]).toEqual([200, revisions[0]]);
  });

  test('if all are damaged, whatever can be read is served, and the rest is a 503', async () => {
    const reader = new MemoryReader(sites[0]);
    damage(reader, objectHash(sites[0], '/v1/products'));
    const { ask } = asking(reader);
    expect((await ask('/v1/products')).code).toBe('NO_PUBLICATION');
    expect((await ask('/v1')).status).toBe(200);
  });

  test('a view whose documents have been deleted does not count as damage: the pointer has moved', async () => {
    const { reader, asked } = await twoPublications();
    reader.publishAfter(sites[1]);
    const answer = await asked.ask('/v1/products');
    expect([answer.status, revisionIn(answer)]).toEqual([200, revisions[1]]);
    expect(asked.messages).toEqual([]);
  });

  test('a damaged object is not read again each time the pointer is checked', async () => {
    const reader = new MemoryReader(sites[0]);
    // A pause of twenty intervals, which does not end in any test.
    const options = { source: reader, log: () => {}, checkEveryMs: Number.MAX_SAFE_INTEGER };
    const publication = new CurrentPublication(options);
    await publication.view();
    reader.publishBeside(sites[1]);
    const { sha256 } = sites[1].pointer.routes;
    const mend = damage(reader, sha256);
    for (let look = 0; look < 3; look += 1) await publication.check();
    mend();
    await publication.check();
    expect(reader.reads.filter((read) => read === sha256)).toHaveLength(1);
    expect((await publication.view())?.revision).toBe(revisions[0]);
  });
});
