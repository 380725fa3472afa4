import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { GuardError, guardNames, type TrippedGuard } from '../../generator/publish/guards.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import type { InventoryLine, ProductLine, StoreLine } from '../../generator/publish/snapshot/format.ts';
import { integer, seededRandom } from '../support/random.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

type Day = {
  readonly header: Readonly<Record<string, unknown>>;
  readonly products: readonly ProductLine[];
  readonly stores: readonly StoreLine[];
  readonly scope: readonly string[];
  readonly lines: readonly InventoryLine[];
  readonly categories: readonly { readonly id: string; readonly name: string }[];
};

const [firstDay, secondDay] = ['2025-01-10T12:00:00Z', '2025-01-11T12:00:00Z'];
const before = '2025-01-09T12:00:00Z';
const skus = Array.from({ length: 120 }, (_, index) => String(200_001 + index));
const codes = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(4, '0'));

/** An invented day. On the second one some prices, names, statuses and a third of the quantities moved. */
function dayOf(number: 1 | 2): Day {
  const random = seededRandom(3);
  const at = number === 1 ? firstDay : secondDay;
  const moved = (share: number, by: number) => (random() < share && number === 2 ? by : 0);
  const products = skus.map((sku, index) =>
    productLine(sku, {
      name: `Product ${index + moved(0.02, 500)}`,
      size_ml: [375, 750, 750, 1750][index % 4],
      price_minor: 1099 + 37 * index + moved(0.15, 200),
      category_id: `cat_${index % 6}`,
      lifecycle: moved(0.04, 1) === 1 ? 'discontinued' : 'active',
    }),
  );
  const stores = codes.map((code, index) =>
    storeLine(code, {
      address: { line1: `${index} Wander Lane`, line2: null, city: 'Tarn', region: 'CX', postal_code: '00210' },
      location: { latitude: 40 + index / 4, longitude: -82 - index / 4 },
    }),
  );
  const rowsOf = () =>
    codes.map((code): [string, number] => {
      const quantity = integer(random, 3, 60);
      return [code, quantity - moved(0.35, Math.ceil(quantity / 8))];
    });
  const lines = skus.map((sku) => retrievalLine(sku, at, rowsOf(), { source_updated_at: at }));
  return {
    header: {},
    products: products as ProductLine[],
    stores: stores as StoreLine[],
    scope: codes,
    lines: lines as unknown as InventoryLine[],
    categories: Array.from({ length: 6 }, (_, index) => ({ id: `cat_${index}`, name: `Category ${index}` })),
  };
}

let root: string;
let connection: Connection;
beforeAll(async () => {
  root = temporaryFolder();
  connection = openForPublishing(join(root, 'publication.sqlite'));
  const first = dayOf(1);
  const header = { catalog: { source_updated_at: firstDay, retrieved_at: firstDay } };
  await publishSnapshot(connection, folderOf(firstDay, { ...first, header }), options);
});
afterAll(() => {
  connection.close();
  removeFolder(root);
});

const options = { quarantine: false };

function folderOf(published_at: string, { header, products, stores, scope, lines, categories }: Day): string {
  const entries = categories.map((category) => ({ parent_id: null, active: true, ...category }));
  return writeSnapshot(mkdtempSync(join(root, 'day-')), {
    header: headerOf({ published_at, ...header }, { products, stores }),
    products,
    stores,
    inventory: { scope, lines },
    curation: curationOf({ categories: entries }),
  });
}

/** The guards that stop a day, by name. The database stays as it was. */
async function guardsOf(database: Connection, published_at: string, day: Day): Promise<string[]> {
  const onGuards = (tripped: readonly TrippedGuard[]) => {
    throw new GuardError('day', tripped);
  };
  const error = await publishSnapshot(database, folderOf(published_at, day), { ...options, onGuards }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof GuardError)) throw error;
  return (error.facts.guards as TrippedGuard[]).map(({ guard }) => guard);
}

type Change = (day: Day) => Partial<Day>;

const products =
  (change: (line: ProductLine, index: number) => Partial<ProductLine>): Change =>
  (day) => ({ products: day.products.map((line, index) => ({ ...line, ...change(line, index) })) });
const prices = (change: (price: number, index: number) => number | null): Change =>
  products(({ price_minor }, index) => ({ price_minor: change(price_minor ?? 0, index) }));
const stores =
  (change: (line: StoreLine) => Partial<StoreLine>): Change =>
  (day) => ({ stores: day.stores.map((line) => ({ ...line, ...change(line) })) });
const lines =
  (change: (line: InventoryLine, index: number) => Partial<InventoryLine>): Change =>
  (day) => ({ lines: day.lines.map((line, index) => ({ ...line, ...change(line, index) })) });
const quantities =
  (change: (quantity: number, code: string, line: ProductLine) => number): Change =>
  (day) =>
    lines(({ rows }, index) => ({
      rows: rows.map(([code, quantity]) => [code, change(quantity, code, day.products[index] as ProductLine)]),
    }))(day);
/** The member of a list that follows. */
const next = <Item>(list: readonly Item[], item: Item) => list[(list.indexOf(item) + 1) % list.length] as Item;
const located = (change: (latitude: number, longitude: number) => [number, number]): Change =>
  stores(({ location }) => {
    const [latitude, longitude] = change(location?.latitude ?? 0, location?.longitude ?? 0);
    return { location: { latitude, longitude } };
  });
const random = seededRandom(9);
const withTimes =
  (part: string, fields: object): Change =>
  () => ({
    header: { [part]: { source_updated_at: firstDay, retrieved_at: secondDay, ...fields } },
  });

const mistakes: readonly (readonly [what: string, change: Change, guards: readonly string[]])[] = [
  ['an ordinary day', () => ({}), []],
  [
    'half of the catalog',
    ({ products, lines }) => ({ products: products.slice(60), lines: lines.slice(60) }),
    ['catalog'],
  ],
  ['names shifted by one row', (day) => products((line) => ({ name: next(day.products, line).name }))(day), ['names']],
  ['one name', products(() => ({ name: 'Untitled' })), ['names']],
  ['one size', products(() => ({ size_ml: 750 })), ['sizes']],
  ['no categories', products(() => ({ category_id: null })), ['categories']],
  [
    'other names of categories',
    ({ categories }) => ({ categories: categories.map(({ id }) => ({ id, name: id })) }),
    ['category-names'],
  ],
  ['every product discontinued', products(() => ({ lifecycle: 'discontinued' })), ['statuses']],
  ['prices a hundred times too low', prices((price) => Math.round(price / 100)), ['prices', 'price-changes']],
  ['such prices of ten products', prices((price, index) => (index < 10 ? Math.round(price / 100) : price)), ['prices']],
  ['a quarter without a price', prices((price, index) => (index % 4 === 0 ? null : price)), ['prices']],
  ['ten prices of 0', prices((price, index) => (index < 10 ? 0 : price)), ['prices']],
  ['prices a dollar higher', prices((price) => price + 100), ['price-changes']],
  ['each price by up to 45 %', prices((price) => Math.round(price * (0.55 + 0.9 * random()))), ['price-changes']],
  [
    'a quarter of the prices in another currency',
    (day) =>
      prices((_, index) => Math.round((dayOf(1).products[index]?.price_minor ?? 0) * (index % 4 === 0 ? 1.36 : 1)))(
        day,
      ),
    ['price-factor'],
  ],
  ['an empty directory', () => ({ stores: [] }), ['directory']],
  [
    'store codes rotated in the directory',
    (day) => stores((line) => ({ inventory_store_code: next(codes, line.inventory_store_code ?? '') }))(day),
    ['store-names', 'store-addresses', 'store-locations'],
  ],
  ['longitudes without a sign', located((latitude, longitude) => [latitude, -longitude]), ['store-locations']],
  [
    'coordinates swapped',
    located((latitude, longitude) => [longitude, latitude]),
    ['store-locations', 'outlying-stores'],
  ],
  [
    'a store at 0, 0',
    ({ stores: [first, ...rest] }) => ({
      stores: [{ ...(first as StoreLine), location: { latitude: 0, longitude: 0 } }, ...rest],
    }),
    ['outlying-stores'],
  ],
  [
    'every store closed',
    stores(({ operational_status }) => ({
      operational_status: { ...operational_status, state: 'temporarily_closed' },
    })),
    ['closures'],
  ],
  ['no rows', lines(() => ({ rows: [] })), ['inventory', 'emptied-stores']],
  ['no rows of five of twelve stores', lines(({ rows }) => ({ rows: rows.slice(5) })), ['emptied-stores']],
  ['ten times the stock', quantities((quantity) => quantity * 10), ['quantities', 'quantity-factor']],
  ['stock in cases', quantities((quantity) => Math.ceil(quantity / 12)), ['quantities', 'quantity-factor']],
  ['rows shifted by one SKU', (day) => lines((line) => ({ rows: next(day.lines, line).rows }))(day), ['quantities']],
  [
    'store codes rotated in the rows',
    lines(({ rows }) => ({ rows: rows.map(([code, quantity]) => [next(codes, code), quantity]) })),
    ['quantities'],
  ],
  [
    'store codes as quantities',
    quantities((_, code) => Number(code)),
    ['quantities', 'quantity-factor', 'copied-quantities'],
  ],
  [
    'prices as quantities',
    quantities((_, __, { price_minor }) => price_minor ?? 0),
    ['quantities', 'quantity-factor', 'copied-quantities'],
  ],
  ['one quantity', quantities(() => 1), ['quantities', 'quantity-factor']],
  ['failed retrievals only', lines(() => ({ status: 'failed', retrieved_at: null, rows: [] })), ['retrievals']],
  ['an empty inventory', () => ({ lines: [] }), ['asked']],
  [
    'the last inventory with one fresh line',
    ({ lines: [fresh] }) => ({ lines: [fresh as InventoryLine, ...dayOf(1).lines.slice(1)] }),
    ['repeat'],
  ],
  ['an older catalog', withTimes('catalog', { source_updated_at: before }), ['source-times']],
  ['an older directory', withTimes('directory', { retrieved_at: before }), ['source-times']],
  ['older inventories', lines(() => ({ source_updated_at: before })), ['source-times']],
];

test.each(mistakes)('%s', async (_, change, guards) => {
  const second = dayOf(2);
  expect(await guardsOf(connection, secondDay, { ...second, ...change(second) })).toEqual(guards);
});

/** The first day with a thousand products and one more, each with a row in one store. */
function largeDay(): Day {
  const many = Array.from({ length: 1001 }, (_, index) => String(300_001 + index));
  const day = dayOf(1);
  const rows = (index: number): [string, number][] => [['0001', 3 + (index % 40)]];
  return {
    ...day,
    products: many.map((sku, index) => productLine(sku, { price_minor: 1099 + index, size_ml: index }) as ProductLine),
    lines: many.map((sku, index) => retrievalLine(sku, firstDay, rows(index)) as unknown as InventoryLine),
  };
}

const firstMistakes: readonly (readonly [what: string, change: Change, guards: readonly string[]])[] = [
  ['an ordinary one', () => ({}), []],
  ['one name', products(() => ({ name: 'Untitled' })), ['one-value']],
  ['one price', products(() => ({ price_minor: 999 })), ['one-value']],
  ['one size', products(() => ({ size_ml: 750 })), ['one-value']],
  ['one quantity', quantities(() => 7), ['one-value']],
  ['prices as quantities', quantities((_, __, { price_minor }) => price_minor ?? 0), ['copied-quantities']],
  ['coordinates swapped', located((latitude, longitude) => [longitude, latitude]), ['outlying-stores']],
];

test.each(firstMistakes)('in a first publication: %s', async (_, change, guards) => {
  const day = largeDay();
  const empty = openForPublishing(join(mkdtempSync(join(root, 'empty-')), 'publication.sqlite'));
  expect(await guardsOf(empty, firstDay, { ...day, ...change(day) })).toEqual(guards);
  empty.close();
});

test('each guard has a mistake here; those of times are in guards.test.ts', () => {
  const named = new Set([...mistakes, ...firstMistakes].flatMap(([, , guards]) => guards));
  expect(guardNames.filter((name) => !named.has(name))).toEqual(['times', 'future']);
});
