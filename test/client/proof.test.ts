import { createHash } from 'node:crypto';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConnectionError, openSite, ProblemError, ProofError } from '../../client/open-site.ts';
import { objectPath } from '../../contract/paths.ts';
import { readPrivateKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { StaticHost } from '../mirror/static-host.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build, publishFixtures } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';
import { unpack } from './served-sites.ts';

/* Sites whose bytes the client compares with the hashes that a signed pointer leads to. */

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
let host: StaticHost;
let key: string;
let stranger: string;

beforeAll(async () => {
  writeKeyPair(at('site.key'));
  writeKeyPair(at('other.key'));
  key = readFileSync(at('site.key.pub'), 'utf8');
  stranger = readFileSync(at('other.key.pub'), 'utf8');
  for (const count of [1, 2]) {
    await publishFixtures(at(`${count}.sqlite`), 0, count);
    await build(at(`${count}.sqlite`), at('dist'), {}, readPrivateKey(at('site.key')));
    unpack(at('dist'), at(String(count)));
    cpSync(at('dist/current.json.sig'), at(`${count}/current.json.sig`));
  }
  host = await StaticHost.start(at('2'));
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  removeFolder(folder);
});
beforeEach(() => {
  host.folder = at('2');
  host.intercept = () => false;
  host.taken();
});

/** The host sends these bytes at the addresses of a pattern. */
function send(pattern: RegExp, bytes: Uint8Array | string): void {
  host.intercept = ({ url = '' }, response) => {
    if (!pattern.test(url)) return false;
    response.setHeader('ETag', '"1"').end(bytes);
    return true;
  };
}

/** The host sends damaged bytes at a path: those of the file with its last byte changed. */
function damage(path: string): void {
  const bytes = readFileSync(join(host.folder, path));
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  send(new RegExp(`^${path}$`), bytes);
}

test('with the key, every answer is the same as from plain files', async () => {
  const [plain, proven] = [await openSite(host.url), await openSite(host.url, { key })];
  expect(proven.publication).toEqual(plain.publication);
  for (const site of [plain, proven]) {
    expect(await site.product.bySku('999999').catch(({ code }) => code)).toBe('SKU_NOT_FOUND');
  }
  const ask = async (site: typeof plain) => {
    const [product] = await site.products().take(1);
    const records: unknown[] = [];
    for await (const record of site.records('inventory')) records.push(record);
    return {
      product,
      detail: await site.product.byId(product?.id ?? ''),
      stores: await site.stores().take(100),
      found: await site.search({ q: 'peach' }),
      compared: await site.compare({ product_ids: [product?.id ?? ''], lat: 40.7, lng: -111.9 }),
      changes: await site.changes({ types: ['price_changed'] }).take(10),
      all: await site.changes().take(500),
      brands: await site.brands({ sort: '-name' }).take(5),
      records,
    };
  };
  expect(await ask(proven)).toEqual(await ask(plain));
});

test('a bundle has no objects of its documents, and does not need them', async () => {
  cpSync(at('2'), at('bundle'), { recursive: true });
  for (const { sha256 } of readSite(at('dist')).routes.values()) {
    rmSync(join(at('bundle'), objectPath(sha256)), { force: true });
  }
  host.folder = at('bundle');
  const site = await openSite(host.url, { key });
  expect((await site.metadata()).data.publication).toEqual(site.publication);
  expect((await site.search({ q: 'peach' })).data.length).toBeGreaterThan(0);
  for await (const { record_type } of site.records('stores')) expect(record_type).toBe('store');
  damage('/v1/brands.json');
  await expect(site.brands().take(1)).rejects.toThrow(ProofError);
});

test('a publication that is built again still gives answers, pinned or not', async () => {
  await build(at('2.sqlite'), at('again-dist'), { baseUrl: 'https://example.org' });
  unpack(at('again-dist'), at('again'));
  for (const pinned of [false, true]) {
    host.folder = at('2');
    const site = await openSite(host.url, { proof: true, pinned });
    const [product] = await site.products().take(1);
    host.folder = at('again');
    expect((await site.product.byId(product?.id ?? '')).data).toMatchObject({ id: product?.id });
    expect(await site.changes().take(1)).toHaveLength(1);
  }
});

test('a receipt has the hash of the bytes that the host sends, and names their publication', async () => {
  const site = await openSite(host.url, { proof: true });
  const url = site.addressOf('categories');
  const receipt = await site.receipt(url);
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer());
  expect(receipt).toEqual({
    ...site.publication,
    path: '/v1/categories',
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  });
  await expect(site.receipt('/v1/products/nothing')).rejects.toThrow(ProblemError);
  damage('/v1/stores.json');
  await expect(site.receipt('/v1/stores')).rejects.toThrow(ProofError);
  await expect((await openSite(host.url)).receipt(url)).rejects.toThrow('opened with proof or key');
});

test('a wrong answer for an object is not kept', async () => {
  const site = await openSite(host.url, { proof: true });
  send(/^\/(objects|v1\/categories)/, '<html>please log in</html>');
  await expect(site.categories()).rejects.toThrow(ProofError);
  host.intercept = () => false;
  expect((await site.categories()).data.length).toBeGreaterThan(0);
});

describe('it refuses', () => {
  const refused = (path: string, options = { key }) => {
    damage(path);
    return openSite(host.url, options).then((site) => site.categories());
  };

  test('a pointer and a signature that do not belong together', async () => {
    await expect(refused('/current.json')).rejects.toThrow(ProofError);
    await expect(refused('/current.json.sig')).rejects.toThrow(ProofError);
    send(/sig$/, readFileSync(at('2/current.json.sig'), 'utf8').trimEnd());
    await expect(openSite(host.url, { key })).rejects.toThrow(
      'expected a line of JSON of version 2 for each signature',
    );
    host.intercept = () => false;
    await expect(openSite(host.url, { key: stranger })).rejects.toThrow(/expected a signature of key .*, got one of/);
    rmSync(at('1/current.json.sig'));
    host.folder = at('1');
    await expect(openSite(host.url, { key })).rejects.toThrow('expected a signature of the pointer, got none');
    await expect(openSite(host.url, { key: 'a key' })).rejects.toThrow('expected a public key in PEM');
  });

  test('a route table that the pointer does not name', async () => {
    const { pointer } = readSite(at('dist'));
    await expect(refused(`/${objectPath(pointer.routes.sha256)}`)).rejects.toThrow(ProofError);
  });

  test('an object that is longer than allowed', async () => {
    const long = Buffer.alloc(33 * 1024 * 1024, ' ');
    send(/^\/objects\//, long);
    const error = await openSite(host.url, { key }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('expected at most 33554432 bytes, got more');
    host.intercept = () => false;
    const site = await openSite(host.url, { key });
    const { url: path } = (await site.exports()).data.files.stores;
    const { sha256 = '', size } = readSite(at('dist')).routes.get(path) ?? {};
    send(new RegExp(objectPath(sha256)), long);
    await expect(site.records('stores')[Symbol.asyncIterator]().next()).rejects.toThrow(
      `expected at most ${size} bytes, got more`,
    );
  });

  test('a document that the route table does not name', async () => {
    const { sha256 = '' } = readSite(at('dist')).routes.get('/v1/categories') ?? {};
    // The object itself is still right.
    await expect(refused('/v1/categories.json')).resolves.toHaveProperty('data');
    send(new RegExp(`/v1/categories.json|${objectPath(sha256)}`), '{"data":[],"meta":{"warnings":[]}}');
    for (const proof of [{ key }, { proof: true }]) {
      const site = await openSite(host.url, proof);
      await expect(site.categories()).rejects.toThrow(ProofError);
    }
  });
});

test('pinned, it reads the publication that was opened, even after the next one appears', async () => {
  host.folder = at('1');
  const site = await openSite(host.url, { proof: true, pinned: true });
  host.folder = at('2');
  expect((await site.metadata()).data.publication).toEqual(site.publication);
});
