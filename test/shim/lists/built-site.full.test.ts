import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../../contract/schemas/change.ts';
import { SiteFolder } from '../../../shim/node/site-folder.ts';
import { build, publishFixtures, temporaryFolder } from '../../units/fixture-series.ts';
import { documentAt } from '../../units/site-tree.ts';
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

/** The rows of a list on a plain host, from its file to the last page. */
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
  test.each(lists)('%s gives the same rows on a host that computes as on a plain one', async (list) => {
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
});

test('filters by every store, type and time select what a reader of the whole list would keep', async () => {
  const dist = join(folder.path, 'relative');
  const events = precomputed<ChangeEvent>(dist, '/v1/changes', '');
  const asked = asking(new SiteFolder(dist));
  const stores = [...new Set(events.flatMap(({ store }) => (store ? [store.id] : [])))];
  const types = [...new Set(events.map(({ type }) => type))];
  const times = [...new Set(events.map(({ times: { retrieved_at } }) => retrieved_at))].sort();
  const middle = times[times.length >> 1] ?? '';
  const expectSelected = async (query: string, isSelected: (event: ChangeEvent) => boolean) =>
    expect(await walked(asked, `/v1/changes?${query}&limit=40`, ''), query).toEqual(events.filter(isSelected));
  for (const id of stores) await expectSelected(`store_id=${id}`, ({ store }) => store?.id === id);
  for (const one of types) await expectSelected(`types=${one}`, ({ type }) => type === one);
  const instant = ({ times: { retrieved_at } }: { times: { retrieved_at: string } }) => Date.parse(retrieved_at);
  await expectSelected(`since=${middle}`, (event) => instant(event) >= Date.parse(middle));
  await expectSelected(`until=${middle}`, (event) => instant(event) <= Date.parse(middle));
});
