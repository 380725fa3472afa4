import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mostNews } from '../../contract/news-feed.ts';
import { formatPath, objectPath } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { readAtom } from '../support/atom.ts';
import {
  curatedProduct,
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
} from '../support/snapshot-writer.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const [database, dist] = [join(folder.path, 'db.sqlite'), join(folder.path, 'site')];
afterAll(folder.remove);

const category = (id: string, parent_id: string | null, name: string) => ({ id, parent_id, name, active: true });
const curation = curationOf({
  categories: [category('cat_spirits', null, 'Spirits'), category('cat_gin', 'cat_spirits', 'Gin & more')],
  brands: [{ slug: 'fizz', name: 'Fizz <& Foam>', aliases: [], reviewed: true }],
  products: [curatedProduct('000001', { brand: 'fizz' })],
});
const others = Array.from({ length: mostNews + 5 }, (_, index) => String(100_000 + index));

type Changes = { readonly price?: number; readonly status?: string; readonly othersPrice?: number };

/** A catalog with a product of a brand, one without changes, and many in the parent of the first one's category. */
function catalog({ price = 2899, status = 'General', othersPrice = 1999 }: Changes) {
  const named = { name: 'Gin "Old"', source_name: 'GIN OLD', price_minor: price, status_label: status };
  return [
    productLine('000001', { category_id: 'cat_gin', ...named }),
    productLine('000002'),
    ...others.map((sku) => productLine(sku, { category_id: 'cat_spirits', price_minor: othersPrice })),
  ];
}

const at = (day: number) => `2025-01-${String(day).padStart(2, '0')}T12:00:00Z`;
const stores = [storeLine('0001'), storeLine('0002')];
const stock = (day: number, ...rows: (readonly [string, number])[]) => ({
  inventory: { scope: ['0001', '0002'], lines: [retrievalLine('000001', `2025-01-0${day}T11:00:00Z`, rows)] },
});

type Parts = Omit<SnapshotParts, 'header'>;

/** The parts of each publication. */
const days: readonly Parts[] = [
  { products: catalog({}), stores, curation, ...stock(1, ['0001', 12], ['0002', 6]) },
  { products: catalog({ price: 2699 }), ...stock(2, ['0001', 10], ['0002', 6]) },
  { products: catalog({ price: 2699, othersPrice: 2099 }), ...stock(3) },
  { products: catalog({ price: 2699, othersPrice: 2099, status: 'Last \u0007call' }), ...stock(4, ['0002', 1]) },
  { products: catalog({ price: 2699, othersPrice: 2099 }).slice(1) },
];

const productId = (sku: string) => documentAt<{ data: { id: string } }>(dist, `/v1/products/by-sku/${sku}`).data.id;
const productFeed = (sku: string) => formatPath('product_feed', { product_id: productId(sku) });

function bytesAt(path: string): Buffer {
  const route = readSite(dist).routes.get(path);
  if (!route) throw new Error(`no route ${path}`);
  return readFileSync(join(dist, objectPath(route.sha256)));
}

const feedAt = (path: string) => readAtom(bytesAt(path));
type Feed = ReturnType<typeof feedAt>;
type Feeds = Readonly<Record<'product' | 'brand' | 'category' | 'parent', Feed>>;

/** The feeds after each publication. */
const shown: Feeds[] = [];

async function publishDay(day: number, parts: Parts, more: object = {}, header: object = {}, options: object = {}) {
  const head = headerOf({ published_at: at(day), ...header }, parts);
  await publishParts(database, { header: head, ...parts }, more);
  await build(database, dist, options);
}

beforeAll(async () => {
  for (const [index, parts] of days.entries()) {
    await publishDay(index + 1, parts);
    const { brand_id } = documentAt<{ data: { brand_id: string } }>(dist, '/v1/products/by-sku/000001').data;
    shown.push({
      product: feedAt(productFeed('000001')),
      brand: feedAt(formatPath('brand_feed', { brand_id })),
      category: feedAt(formatPath('category_feed', { category_id: 'cat_gin' })),
      parent: feedAt(formatPath('category_feed', { category_id: 'cat_spirits' })),
    });
  }
});

const titles = ({ entries }: Feed) => entries.map(({ texts }) => texts.title);
const ids = ({ entries }: Feed) => entries.map(({ texts }) => texts.id);
const last = () => shown.at(-1) as Feeds;

describe('the news feed of a product', () => {
  test('says in words what changed, newest first, and leaves out quantities in between', () => {
    const name = 'Fizz <& Foam> Gin "Old", 750ml';
    expect(titles(last().product)).toEqual([
      `${name}: no longer in the catalog`,
      `${name}: status Last \uFFFDcall (G), General (G) before`,
      `${name}: reported 1 unit in 1 store, none before`,
      `${name}: no units reported, 16 units in 2 stores before`,
      `${name}: price $26.99, $28.99 before`,
      `${name}: first reported, price $28.99`,
    ]);
    expect(last().product.entries[4]).toEqual({
      texts: {
        id: expect.any(String),
        title: expect.any(String),
        updated: at(2),
        content: `Price $26.99, $28.99 before. SKU 000001, retrieved ${at(2)}.`,
      },
      links: { alternate: formatPath('product', { product_id: productId('000001') }) },
    });
    expect(last().product.texts).toMatchObject({ title: name, updated: at(5) });
  });

  test('keeps its id and its entries in later publications', () => {
    for (const [index, { product }] of shown.slice(1).entries()) {
      const before = shown[index]?.product as Feed;
      expect(product.texts.id).toBe(before.texts.id);
      expect(product.entries.slice(-before.entries.length)).toEqual(before.entries);
    }
    const feeds = Object.values(last()).map(({ texts }) => texts.id);
    expect(new Set(feeds).size).toBe(feeds.length);
  });

  test('is not made again without news', () => {
    const route = readSite(dist).routes.get(productFeed('000002'));
    expect(route).toMatchObject({ last_modified: at(1), cache: 'revalidate', media_type: 'application/atom+xml' });
  });
});

test('the feeds of a brand, of a category and of its parent have the news of its products', () => {
  const { product, brand, category, parent } = last();
  expect([ids(brand), ids(category)]).toEqual([ids(product), ids(product)]);
  expect([brand, category, parent].map(({ texts }) => texts.title)).toEqual(['Fizz <& Foam>', 'Gin & more', 'Spirits']);
  expect(ids(parent).slice(0, 3)).toEqual(ids(product).slice(0, 3));
});

test('a feed only has the newest entries', () => {
  const [, , third] = shown;
  const { entries, texts } = (third as Feeds).parent;
  expect(entries).toHaveLength(mostNews);
  for (const { texts: of } of entries.slice(1, -1)) expect(of.content).toContain('Price $20.99, $19.99 before.');
  expect(texts.updated).toBe(at(3));
});

test('no feed mentions a sale', () => {
  for (const feeds of shown)
    for (const { entries } of Object.values(feeds))
      for (const { texts } of entries)
        expect(`${texts.title} ${texts.content}`).not.toMatch(/\b(sales?|sold|sells?)\b/i);
});

test('corrections, statements of the operator and expired events show in the feeds of the next build', async () => {
  const wrong = readSite(dist).pointer.revision;
  const correction = { revisions: [wrong], reason: 'The <file> was cut off.' };
  await publishDay(6, { products: catalog({ price: 2699, othersPrice: 2099 }) }, { correction });
  const feed = feedAt(productFeed('000001'));
  const ofWrong = feed.entries.find(({ texts }) => texts.title?.endsWith('no longer in the catalog'))?.texts;
  expect(ofWrong).toMatchObject({ updated: at(6), content: expect.stringMatching(/: The <file> was cut off\.$/) });
  expect(ids(feed).slice(-6)).toEqual(ids(last().product));

  const about = {
    title: 'Orchard & prices',
    agency: null,
    notice: null,
    license: null,
    source_url: null,
    contact: null,
  };
  await publishDay(7, { curation: { ...curation, about } });
  expect(feedAt(productFeed('000002')).texts.name).toBe('Orchard & prices');

  await publishDay(20, {}, {}, { retention: { history_days: 15, publication_days: 1 } });
  expect(titles(feedAt(productFeed('000001')))).toHaveLength(3);
  expect(feedAt(productFeed('000002'))).toMatchObject({ entries: [], texts: { updated: at(1) } });
  expect((await verifySite(dist, { database })).faults).toEqual([]);
});

test('entries link to the explorer while the site has one', async () => {
  const page = ['a'.repeat(8), 'b'.repeat(8)].map((name, index) => `${name}.${['js', 'css'][index]}`);
  const [script, style] = page;
  const explorer = { script, style, views: {}, files: page.map((name) => ({ name, text: '' })) };
  const linksAt = (sku: string) => feedAt(productFeed(sku)).links.alternate;
  const unsound = async () => (await verifySite(dist, { database })).faults;
  await build(database, dist, { explorer } as Parameters<typeof build>[2]);
  expect([linksAt('000002'), await unsound()]).toEqual(['/#/product/000002', []]);
  // The explorer stays for readers of the previous publication.
  await publishDay(21, {});
  expect(readSite(dist).routes.get('/')).toMatchObject({ last_sequence: 8 });
  expect([linksAt('000002'), await unsound()]).toEqual([
    formatPath('product', { product_id: productId('000002') }),
    [],
  ]);
});
