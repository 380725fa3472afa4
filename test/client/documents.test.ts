import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionError, openSite, type Site } from '../../client/open-site.ts';
import { ServedSites } from './served-sites.ts';

let sites: ServedSites;
beforeAll(async () => {
  sites = await ServedSites.start();
});
afterAll(() => sites?.[Symbol.asyncDispose]());

const hosts = {
  'serve.ts': () => sites.service.origin,
  'a server of plain files': () => sites.files.url,
};

/** How many different rows or records a list has. */
async function countRows(rows: AsyncIterable<unknown>): Promise<number> {
  const found = new Set<string>();
  for await (const row of rows) found.add(JSON.stringify(row));
  return found.size;
}

describe.each(Object.entries(hosts))('at %s', (_, urlOf) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite(urlOf());
  });

  test('it opens, with and without /v1, and reads documents', async () => {
    const { revision, sequence, published_at } = sites.site.pointer;
    expect(site.publication).toEqual({ revision, sequence, published_at });
    expect((await openSite(new URL(`${urlOf()}/v1/`))).url).toBe(site.url);
    const product = sites.site.fact('product', '014100') ?? '';
    const store = sites.site.fact('store', '0001') ?? '';
    const [brand, family] = ['/v1/brands', '/v1/product-families'].map(
      (list) => sites.site.document<{ data: { id: string; slug: string }[] }>(list).data[0],
    );
    const read: Record<string, Promise<unknown>> = {
      '/v1': site.serviceIndex(),
      '/v1/metadata': site.metadata(),
      '/v1/metadata/publications': site.publications(),
      '/v1/categories': site.categories(),
      '/v1/exports': site.exports(),
      '/v1/openapi.json': site.openapi(),
      '/v1/problems/SKU_NOT_FOUND': site.problem('SKU_NOT_FOUND'),
      '/v1/products/by-sku/014100': site.product.bySku('014100'),
      [`/v1/products/${product}`]: site.product.byId(product),
      [`/v1/products/${product}/availability`]: site.product.availability(product),
      [`/v1/product-families/${family?.id}`]: site.family.byId(family?.id ?? ''),
      [`/v1/brands/${brand?.id}`]: site.brand.byId(brand?.id ?? ''),
      [`/v1/brands/by-slug/${brand?.slug}`]: site.brand.bySlug(brand?.slug ?? ''),
      [`/v1/stores/${store}`]: site.store.byId(store),
      '/v1/stores/by-code/0001': site.store.byCode('0001'),
      [`/v1/stores/${store}/availability`]: site.store.availability(store),
      '/v1/brands': site.at('/v1/brands'),
    };
    for (const [path, document] of Object.entries(read))
      expect(await document, path).toEqual(sites.site.document(path));
  });

  test('it reads lists to their end, and stops at a limit', async () => {
    const { counts } = (await site.metadata()).data;
    expect(await countRows(site.products())).toBe(counts.listed_products);
    expect(await countRows(site.families())).toBe(counts.product_families);
    expect(await countRows(site.brands())).toBe(counts.brands);
    expect(await countRows(site.stores())).toBe(counts.stores);
    expect(await countRows(site.changes())).toBe(counts.change_events);
    expect(await countRows(site.changes({ limit: 101 }))).toBe(101);
    const all = await site.changes().take(250);
    expect(all).toHaveLength(250);
    expect(await site.changes().take(3)).toEqual(all.slice(0, 3));
    const { id } = (await site.product.bySku('014100')).data;
    const ofProduct = await site.productChanges(id).take(1000);
    expect(new Set(ofProduct.map(({ product }) => product.id))).toEqual(new Set([id]));
    for await (const { meta } of site.productChanges(id).pages()) {
      expect(meta.history.retained_event_count).toBe(ofProduct.length);
    }
  });

  test('it reads the records of exports, and has the addresses of Parquet files', async () => {
    const { counts } = (await site.metadata()).data;
    expect(await countRows(site.records('inventory'))).toBe(counts.inventory_pairs);
    const older = (await site.publications()).data[1]?.exports.stores ?? { url: '' };
    expect(await countRows(site.records(older))).toBeGreaterThan(10);
    for await (const { record_type } of site.records('products')) {
      expect(record_type).toBe('product');
      break;
    }
    const stopped = site.records('inventory', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
    expect((await site.changePieces()).pieces).toEqual([]);

    const { publication_revision: revision, parquet } = (await site.exports()).data;
    for (const [url, { url: link, size, sha256 }] of [
      [site.addressOf('export_parquet', { revision, table: 'daily' }), parquet.files.daily],
      [site.addressOf('newest_changes_parquet'), parquet.history.newest_changes],
    ] as const) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect([url.endsWith(link), bytes.length, hash('sha256', bytes)], url).toEqual([true, size, sha256]);
    }
    await expect(site.records(parquet.files.stores)[Symbol.asyncIterator]().next()).rejects.toThrow('expected NDJSON');
  });

  test('a problem has its code', async () => {
    const missing = { status: 404, code: 'RESOURCE_NOT_FOUND' };
    await expect(site.product.bySku('999999')).rejects.toMatchObject({ ...missing, code: 'SKU_NOT_FOUND' });
    await expect(site.store.byCode('9999')).rejects.toMatchObject(missing);
    await expect(site.brand.bySlug('../brands')).rejects.toMatchObject(missing);
  });
});

test('the error names refused parameters, or the host if it has no site', async () => {
  const site = await openSite(sites.service.origin);
  await expect(site.search({ q: 'peach', limit: 101 })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
    problem: { invalid_params: [{ name: 'limit' }] },
  });
  const url = `${sites.files.url}/objects`;
  await expect(openSite(url)).rejects.toThrow(ConnectionError);
  await expect(openSite(url)).rejects.toThrow(`${url}: expected a Shelfpress site`);
  await expect(openSite('http://127.0.0.1:1', { attempts: 1 })).rejects.toThrow(ConnectionError);
});
