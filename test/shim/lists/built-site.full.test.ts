import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../../generator/contract/documents/change.ts';
import { problem } from '../../../generator/contract/problem.ts';
import { SiteFolder } from '../../../shim/node/site-folder.ts';
import { build, publishFixtures, temporaryFolder } from '../../build/fixture-series.ts';
import { documentAt } from '../../build/site-tree.ts';
import { type AskedPage, type Asking, asking } from '../asking.ts';

const family = '/v1/product-families/965734ba-270f-5ea6-b014-a575b4852e5a/changes';
const product = '/v1/products/09b8b3fd-8920-5fa8-b465-1a8e16f547c2/changes';
const lists = ['/v1/changes', family, product, '/v1/products', '/v1/product-families', '/v1/brands', '/v1/stores'];

const folder = temporaryFolder();

beforeAll(async () => {
  const database = join(folder.path, 'fixtures.sqlite');
  await publishFixtures(database);
  await build(database, join(folder.path, 'relative'));
  await build(database, join(folder.path, 'absolute'), { baseUrl: 'https://example.org/inventory' });
});

afterAll(() => folder.remove());

type Row = { readonly id: string };

/** The rows of a list on a plain host: from its file to the last page. */
function precomputed<Shape extends Row>(dist: string, list: string, base: string): Shape[] {
  const rows: Shape[] = [];
  for (let path: string | null = list; path !== null; ) {
    const { data, links }: AskedPage<Shape> = documentAt(dist, path);
    rows.push(...data);
    path = links.next?.slice(base.length) ?? null;
  }
  return rows;
}

async function walked({ ask }: Asking, target: string, base: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let next: string | null = base + target; next !== null; ) {
    expect(next.startsWith(`${base}/v1/`)).toBe(true);
    const asked = await ask(next.slice(base.length));
    expect(asked.status).toBe(200);
    if (asked.kind === 'file') return [];
    const { data, links } = asked.page<Row>();
    expect(links.self).toBe(next);
    rows.push(...data);
    next = links.next;
  }
  return rows;
}

describe.each([
  ['relative', ''],
  ['absolute', 'https://example.org/inventory'],
])('a site with %s addresses', (name, base) => {
  test.each(lists)('%s gives on a host that computes the rows it gives on a plain one', async (list) => {
    const dist = join(folder.path, name);
    const expected = precomputed(dist, list, base);
    expect(expected.length).toBeGreaterThan(3);
    const asked = asking(new SiteFolder(dist));
    for (const limit of [3, 64, 100]) expect(await walked(asked, `${list}?limit=${limit}`, base)).toEqual(expected);
    // A list of one page, requested without a query, is its precomputed file.
    const isOnePage = expected.length <= 100;
    expect(await walked(asked, list, base)).toEqual(isOnePage ? [] : expected);
    expect(asked.messages).toEqual([]);
  });

  test('a product by SKU and by id has the same events, its own', async () => {
    const dist = join(folder.path, name);
    const { ask } = asking(new SiteFolder(dist));
    const id = product.split('/')[3] as string;
    const byId = (await ask(`/v1/changes?product_id=${id.toUpperCase()}&limit=9`)).page<ChangeEvent>();
    expect(byId.data).toHaveLength(9);
    for (const event of byId.data) expect(event.product.id).toBe(id);
    const bySku = (await ask('/v1/changes?sku=014100&limit=9')).page<ChangeEvent>();
    expect(bySku.data).toEqual(byId.data);
    expect(bySku.meta.history).toEqual(byId.meta.history);
    expect((await ask('/v1/changes?sku=999999')).code).toBe('SKU_NOT_FOUND');
    expect((await ask('/v1/changes?sku=900103')).code).toBe('SKU_AMBIGUOUS');
    expect((await ask(`/v1/changes?product_id=${id.replace(/^./, 'f')}`)).code).toBe('PRODUCT_NOT_FOUND');
    expect((await ask(`/v1/changes?store_id=${id}`)).code).toBe('RESOURCE_NOT_FOUND');
    const missing = (name: string, value: string) => ({ name, reason: `expected one that is published, got ${value}` });
    const both = await ask(`/v1/changes?sku=900103&store_id=${id}`);
    expect([both.code, problem.parse(both.body).invalid_params]).toEqual([
      'SKU_AMBIGUOUS',
      [missing('sku', '900103, which several products had'), missing('store_id', id)],
    ]);
    const inPath = await ask(`/v1/products/${id.replace(/^./, 'f')}/changes?store_id=${id}`);
    expect([inPath.code, problem.parse(inPath.body).invalid_params]).toEqual([
      'PRODUCT_NOT_FOUND',
      [missing('store_id', id)],
    ]);
  });
});

test('every store, type and time of all changes selects what a reader of the whole list would keep', async () => {
  const dist = join(folder.path, 'relative');
  const events = precomputed<ChangeEvent>(dist, '/v1/changes', '');
  const asked = asking(new SiteFolder(dist));
  const stores = [...new Set(events.flatMap(({ store }) => (store ? [store.id] : [])))];
  const types = [...new Set(events.map(({ type }) => type))];
  const times = [...new Set(events.map(({ times: { retrieved_at } }) => retrieved_at))].sort();
  const middle = times[times.length >> 1] ?? '';
  for (const store of stores) {
    const expected = events.filter((event) => event.store?.id === store);
    expect(await walked(asked, `/v1/changes?store_id=${store}&limit=40`, '')).toEqual(expected);
  }
  for (const type of types) {
    const expected = events.filter((event) => event.type === type);
    expect(await walked(asked, `/v1/changes?types=${type}&limit=40`, '')).toEqual(expected);
  }
  const instant = ({ times: { retrieved_at } }: { times: { retrieved_at: string } }) => Date.parse(retrieved_at);
  const since = events.filter((event) => instant(event) >= Date.parse(middle));
  expect(await walked(asked, `/v1/changes?since=${middle}&limit=100`, '')).toEqual(since);
  const until = events.filter((event) => instant(event) <= Date.parse(middle));
  expect(await walked(asked, `/v1/changes?until=${middle}&limit=100`, '')).toEqual(until);
});
