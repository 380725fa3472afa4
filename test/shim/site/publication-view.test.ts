import { describe, expect, test } from 'vitest';
import { CurrentPublication } from '../../../shim/site/current-publication.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinyPublication, tinySite } from '../tiny-site.ts';

const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';

const paths = ['/v1', ...Array.from({ length: 300 }, (_, i) => `/v1/stores/by-code/${String(i).padStart(4, '0')}`)];

function site(revision: string, rest: Partial<TinyPublication> = {}) {
  return tinySite({ revision, documents: Object.fromEntries(paths.map((path) => [path, { body: path }])), ...rest });
}

function follow(reader: MemoryReader, checkEveryMs = 0): CurrentPublication {
  return new CurrentPublication({ source: reader, log: () => {}, checkEveryMs });
}

describe('contract 5: the chain of hashes from pointer to route', () => {
  test.each([0, 1, 3, 8])('every path is found with %i shard bits, and no other', async (shardBits) => {
    const tiny = site(first, { shardBits });
    const view = await PublicationView.load(new VerifiedObjects(new MemoryReader(tiny)), tiny.pointer);
    for (const route of tiny.routes) expect(await view.lookup(route.path)).toEqual(route);
    for (const path of ['', '/', '/v1/', '/v1/stores', `${paths[7]}/`, '/v1/zzz', 'é']) {
      expect(await view.lookup(path)).toBeNull();
    }
  });

  test('shards are read when a path first needs them, and only once', async () => {
    const tiny = site(first);
    const reader = new MemoryReader(tiny);
    const view = await PublicationView.load(new VerifiedObjects(reader), tiny.pointer);
    expect(reader.reads).toEqual([tiny.pointer.routes.sha256]);
    await view.lookup('/v1');
    await view.lookup('/v1');
    expect(reader.reads).toHaveLength(2);
  });

  test('several paths are looked up with one read of each shard, and are known from then on', async () => {
    const tiny = site(first);
    const reader = new MemoryReader(tiny);
    const view = await PublicationView.load(new VerifiedObjects(reader, { keptBytes: 1 }), tiny.pointer);
    expect(await view.lookupAll([...paths, '/v1/zzz'])).toEqual([...tiny.routes, null]);
    expect(reader.reads.toSorted()).toEqual([tiny.pointer.routes, ...tiny.shards].map(({ sha256 }) => sha256).sort());
    for (const route of tiny.routes) expect(await view.has(route.path)).toBe(true);
    await view.lookupAll(paths);
    expect(reader.reads).toHaveLength(1 + tiny.shards.length);
  });

  test('what is kept is bounded by bytes', async () => {
    const tiny = site(first);
    const reader = new MemoryReader(tiny);
    const view = await PublicationView.load(new VerifiedObjects(reader, { keptBytes: 1 }), tiny.pointer);
    const reading = { name: 'text', of: (bytes: Uint8Array) => Buffer.from(bytes).toString() };
    await view.read('/v1', reading);
    await view.read('/v1', reading);
    expect(reader.reads).toHaveLength(4);
  });

  test('simultaneous requests for the same object share one read', async () => {
    const tiny = site(first);
    const view = await PublicationView.load(new VerifiedObjects(new MemoryReader(tiny)), tiny.pointer);
    let readings = 0;
    const reading = { name: 'text', of: (bytes: Uint8Array) => ({ bytes, reading: ++readings }) };
    const values = await Promise.all(Array.from({ length: 30 }, () => view.read('/v1', reading)));
    expect(new Set(values).size).toBe(1);
    expect(readings).toBe(1);
  });
});

describe('following the pointer', () => {
  test('the pointer is checked once per interval', async () => {
    const reader = new MemoryReader(site(first));
    const current = follow(reader, 60_000);
    await current.view();
    reader.publish(site(second));
    expect((await current.view())?.revision).toBe(first);
  });

  test('if the reader fails, the last good view stays', async () => {
    const reader = new MemoryReader(site(first));
    const current = follow(reader);
    await current.view();
    reader.readPointer = () => Promise.reject(new Error('EIO'));
    expect((await current.view())?.revision).toBe(first);
  });

  test('requests that come while the first publication is being loaded wait for it, each on its own', async () => {
    const reader = new MemoryReader(site(first));
    const current = follow(reader);
    const { readPointer } = MemoryReader.prototype;
    let looks = 0;
    // Reads of the pointer end in a different order than they began.
    reader.readPointer = async () => {
      looks += 1;
      for (let i = (looks * 3) % 7; i > 0; i -= 1) await Promise.resolve();
      return readPointer.call(reader);
    };
    const views = await Promise.all(Array.from({ length: 20 }, () => current.view()));
    expect(views.map((view) => view?.revision)).toEqual(Array.from({ length: 20 }, () => first));
  });
});
