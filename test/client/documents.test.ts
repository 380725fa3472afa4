import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionError, openSite, ProblemError, type Site } from '../../client/open-site.ts';
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

describe.each(Object.entries(hosts))('at %s', (_, urlOf) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite(urlOf());
  });

  test('it opens, with and without /v1, and says what it has', async () => {
    const { revision, sequence, published_at } = sites.site.pointer;
    expect(site.publication).toEqual({ revision, sequence, published_at });
    expect((await openSite(new URL(`${urlOf()}/v1/`))).url).toBe(site.url);
  });

  test('it reads documents', async () => {
    const document = (path: string) => sites.site.document<unknown>(path);
    expect(await site.metadata()).toEqual(document('/v1/metadata'));
    expect(await site.categories()).toEqual(document('/v1/categories'));
    expect(await site.publications()).toEqual(document('/v1/metadata/publications'));
    expect(await site.exports()).toEqual(document('/v1/exports'));
    expect(await site.openapi()).toEqual(document('/v1/openapi.json'));
    expect(await site.serviceIndex()).toEqual(document('/v1'));
    expect(await site.problem('SKU_NOT_FOUND')).toEqual(document('/v1/problems/SKU_NOT_FOUND'));

    const product = await site.product.bySku('014100');
    const { id } = product.data;
    expect(product.data.source_ids.agency_sku).toBe('014100');
    expect(await site.product.byId(id)).toEqual(product);
    const availability = await site.product.availability(id);
    expect(availability.data.product.id).toBe(id);
    const [row] = await site.families().take(1);
    const family = await site.family.byId(row?.id ?? '');
    expect(family.data).toMatchObject(row ?? {});
    const brand = await site.brand.byId(family.data.brand_id);
    expect(await site.brand.bySlug(brand.data.slug)).toEqual(brand);

    const { store_id, inventory_store_code } = availability.data.stores[0] ?? {
      store_id: '',
      inventory_store_code: '',
    };
    const store = await site.store.byId(store_id);
    expect(await site.store.byCode(inventory_store_code ?? '')).toEqual(store);
    expect((await site.store.availability(store_id)).data.store.id).toBe(store_id);
    expect(await site.at(`/v1/products/${id}`)).toEqual(product);
  });

  test('it walks lists to their end, and stops at a limit', async () => {
    const { counts } = (await site.metadata()).data;
    const ids = async (rows: AsyncIterable<{ readonly id: string }>) => {
      const found = new Set<string>();
      for await (const { id } of rows) found.add(id);
      return found.size;
    };
    expect(await ids(site.products())).toBe(counts.listed_products);
    expect(await ids(site.families())).toBe(counts.product_families);
    expect(await ids(site.brands())).toBe(counts.brands);
    expect(await ids(site.stores())).toBe(counts.stores);
    expect(await ids(site.changes())).toBe(counts.change_events);
    expect(await ids(site.changes({ limit: 101 }))).toBe(101);
    const all = await site.changes().take(250);
    expect(all).toHaveLength(250);
    expect(await site.changes().take(3)).toEqual(all.slice(0, 3));
    const { id } = (await site.product.bySku('014100')).data;
    const own = await site.productChanges(id).take(1000);
    expect(new Set(own.map(({ product }) => product.id))).toEqual(new Set([id]));
    for await (const { meta } of site.productChanges(id).pages()) {
      expect(meta.history.retained_event_count).toBe(own.length);
    }
  });

  test('it reads the records of exports', async () => {
    const { counts } = (await site.metadata()).data;
    let pairs = 0;
    for await (const { record_type, state } of site.records('inventory')) {
      expect(record_type).toBe('inventory');
      expect(['reported_positive', 'reported_zero', 'row_absent']).toContain(state);
      pairs += 1;
    }
    expect(pairs).toBe(counts.inventory_pairs);
    const older = (await site.publications()).data[1]?.exports.stores ?? { url: '' };
    let stores = 0;
    for await (const _ of site.records(older)) stores += 1;
    expect(stores).toBeGreaterThan(10);
    for await (const _ of site.records('products')) break;
    const stopped = site.records('inventory', { signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped[Symbol.asyncIterator]().next()).rejects.toThrow('enough');
    expect((await site.changePieces()).pieces).toEqual([]);
  });

  test('it has the addresses of Parquet files, and the manifest says what they are', async () => {
    const { publication_revision: revision, parquet } = (await site.exports()).data;
    const own = (['products', 'stores', 'inventory', 'daily'] as const).map(
      (table) => [site.addressOf('export_parquet', { revision, table }), parquet.files[table]] as const,
    );
    const files = [
      ...own,
      [site.addressOf('changes_parquet'), parquet.history.changes] as const,
      [site.addressOf('newest_changes_parquet'), parquet.history.newest_changes] as const,
      [site.addressOf('daily_parquet'), parquet.history.daily] as const,
    ];
    for (const [url, { url: link, size, sha256 }] of files) {
      expect(url.endsWith(link), url).toBe(true);
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
      expect([bytes.length, hash('sha256', bytes)], url).toEqual([size, sha256]);
      expect(bytes.subarray(-4).toString(), url).toBe('PAR1');
    }
    await expect(site.records(parquet.files.stores)[Symbol.asyncIterator]().next()).rejects.toThrow('expected NDJSON');
  });

  test('a problem has its code', async () => {
    const problems = [
      [() => site.product.byId('00000000-0000-4000-8000-000000000000'), 'PRODUCT_NOT_FOUND'],
      [() => site.product.bySku('999999'), 'SKU_NOT_FOUND'],
      [() => site.store.byCode('9999'), 'RESOURCE_NOT_FOUND'],
      [() => site.brand.bySlug('../brands'), 'RESOURCE_NOT_FOUND'],
    ] as const;
    for (const [ask, code] of problems) {
      const error = await ask().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({ status: 404, code });
    }
  });
});

test('parameters that are refused are named', async () => {
  const site = await openSite(sites.service.origin);
  await expect(site.search({ q: 'peach', limit: 101 })).rejects.toMatchObject({
    status: 400,
    code: 'INVALID_PARAMETER',
    problem: { invalid_params: [{ name: 'limit' }] },
  });
});

test('a host without a site is named', async () => {
  const url = `${sites.files.url}/objects`;
  await expect(openSite(url)).rejects.toThrow(ConnectionError);
  await expect(openSite(url)).rejects.toThrow(`${url}: expected a Shelfpress site`);
  await expect(openSite('http://127.0.0.1:1', { attempts: 1 })).rejects.toThrow(ConnectionError);
});
