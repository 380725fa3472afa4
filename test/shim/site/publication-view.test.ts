import { describe, expect, test } from 'vitest';
import { CurrentPublication } from '../../../shim/site/current-publication.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { UnreadableError, VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinyPublication, tinySite } from '../tiny-site.ts';

const first = '11111111-1111-4111-8111-111111111111';
const second = '22222222-2222-4222-8222-222222222222';

const paths = ['/v1', ...Array.from({ length: 300 }, (_, i) => `/v1/stores/by-code/${String(i).padStart(4, '0')}`)];

function site(revision: string, rest: Partial<TinyPublication> = {}) {
  return tinySite({ revision, documents: Object.fromEntries(paths.map((path) => [path, { body: path }])), ...rest });
}

function follow(reader: MemoryReader) {
  const messages: string[] = [];
  const current = new CurrentPublication({ reader, log: (_level, message) => messages.push(message), checkEveryMs: 0 });
  return { current, messages };
}

function damaged(bytes: Uint8Array | undefined): Uint8Array {
  const copy = Uint8Array.from(bytes as Uint8Array);
  copy[copy.length >> 1] = (copy[copy.length >> 1] as number) ^ 1;
  return copy;
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

  test('shards are read when a path first needs them, and once', async () => {
    const tiny = site(first);
    const reader = new MemoryReader(tiny);
    const view = await PublicationView.load(new VerifiedObjects(reader), tiny.pointer);
    expect(reader.reads).toEqual([tiny.pointer.routes.sha256]);
    await view.lookup('/v1');
    await view.lookup('/v1');
    expect(reader.reads).toHaveLength(2);
  });

  test('several paths are located with one reading of each shard, and known then', async () => {
    const tiny = site(first);
    const reader = new MemoryReader(tiny);
    const view = await PublicationView.load(new VerifiedObjects(reader, { keptBytes: 1 }), tiny.pointer);
    await view.locate([...paths, '/v1/zzz']);
    expect(reader.reads.toSorted()).toEqual([tiny.pointer.routes, ...tiny.shards].map(({ sha256 }) => sha256).sort());
    for (const route of tiny.routes) expect(await view.has(route.path)).toBe(true);
    await view.locate(paths);
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

  test('what many ask for at once is read by one of them', async () => {
    const tiny = site(first);
    const view = await PublicationView.load(new VerifiedObjects(new MemoryReader(tiny)), tiny.pointer);
    let readings = 0;
    const reading = { name: 'text', of: (bytes: Uint8Array) => ({ bytes, reading: ++readings }) };
    const values = await Promise.all(Array.from({ length: 30 }, () => view.read('/v1', reading)));
    expect(new Set(values).size).toBe(1);
    expect(readings).toBe(1);
  });

  test('a damaged, cut or missing shard is refused, and read again once it is mended', async () => {
    const tiny = site(first, { shardBits: 0 });
    const reader = new MemoryReader(tiny);
    const view = await PublicationView.load(new VerifiedObjects(reader), tiny.pointer);
    const { sha256 } = tiny.shards[0] as { sha256: string };
    const whole = reader.objects.get(sha256) as Uint8Array;
    for (const bytes of [damaged(whole), whole.subarray(1), null]) {
      if (bytes) reader.objects.set(sha256, bytes);
      else reader.objects.delete(sha256);
      await expect(view.lookup('/v1')).rejects.toThrow(UnreadableError);
    }
    reader.objects.set(sha256, whole);
    expect(await view.lookup('/v1')).toMatchObject({ path: '/v1' });
  });
});

describe('following the pointer', () => {
  test('no pointer, no view; one appears, and is followed', async () => {
    const reader = new MemoryReader();
    const { current, messages } = follow(reader);
    expect(await current.view()).toBeNull();
    reader.publish(site(first));
    expect((await current.view())?.revision).toBe(first);
    reader.pointer = null;
    expect(await current.view()).toBeNull();
    expect(messages).toHaveLength(3);
  });

  test('the pointer is looked at once an interval', async () => {
    const reader = new MemoryReader(site(first));
    const current = new CurrentPublication({ reader, log: () => {}, checkEveryMs: 60_000 });
    await current.view();
    reader.publish(site(second));
    expect((await current.view())?.revision).toBe(first);
  });

  test.each([
    ['is no JSON', () => Buffer.from('{"format":')],
    ['is of another format', () => Buffer.from(JSON.stringify({ ...site(second).pointer, format_version: 2 }))],
    ['names a missing route table', () => Buffer.from(JSON.stringify(site(second, { shardBits: 3 }).pointer))],
  ])('contract 6: a pointer that %s leaves the last good view, says so once, and recovers', async (_, bytes) => {
    const reader = new MemoryReader(site(first));
    const { current, messages } = follow(reader);
    await current.view();
    reader.pointer = bytes();
    for (let i = 0; i < 3; i++) expect((await current.view())?.revision).toBe(first);
    expect(messages).toEqual([expect.stringContaining(`revision ${first} is served on`)]);
    reader.publish(site(second));
    expect((await current.view())?.revision).toBe(second);
  });

  test('a reader that fails leaves the last good view', async () => {
    const reader = new MemoryReader(site(first));
    const { current } = follow(reader);
    await current.view();
    reader.readPointer = () => Promise.reject(new Error('EIO'));
    expect((await current.view())?.revision).toBe(first);
  });

  test('a slow look at an older pointer does not bring it back', async () => {
    const reader = new MemoryReader(site(first));
    const { current } = follow(reader);
    const oldPointer = reader.pointer;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { readPointer } = MemoryReader.prototype;
    reader.readPointer = () => released.then(() => oldPointer);
    const slow = current.view();
    reader.readPointer = readPointer;
    reader.publish(site(second));
    expect((await current.view())?.revision).toBe(second);
    release();
    await slow;
    expect((await current.view())?.revision).toBe(second);
  });

  test('those who ask while the first publication is being loaded wait for it, each by itself', async () => {
    const reader = new MemoryReader(site(first));
    const { current } = follow(reader);
    const { readPointer } = MemoryReader.prototype;
    let looks = 0;
    // Readings of the pointer end in another order than they began.
    reader.readPointer = async () => {
      looks += 1;
      for (let i = (looks * 3) % 7; i > 0; i -= 1) await Promise.resolve();
      return readPointer.call(reader);
    };
    const views = await Promise.all(Array.from({ length: 20 }, () => current.view()));
    expect(views.map((view) => view?.revision)).toEqual(Array.from({ length: 20 }, () => first));
  });

  test('a view outlives its pointer: what a request began with, it ends with', async () => {
    const reader = new MemoryReader(site(first));
    const { current } = follow(reader);
    const view = await current.view();
    reader.publish(site(second));
    await current.view();
    expect(view?.revision).toBe(first);
    expect(await view?.lookup('/v1')).toMatchObject({ path: '/v1' });
  });
});
