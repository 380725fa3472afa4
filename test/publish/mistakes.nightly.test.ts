import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { Failure } from '../../generator/files/failure.ts';
import { guardNames, stoppedByGuards, type TrippedGuard } from '../../generator/publish/guards/guards.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import type { InventoryLine, ProductLine, StoreLine } from '../../generator/snapshot/format.ts';
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
      alcohol_by_volume: 12 + (index % 30),
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
    header: { profile: { product_facts: ['alcohol_by_volume'] } },
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
  const header = { ...first.header, catalog: { source_updated_at: firstDay, retrieved_at: firstDay } };
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
    throw stoppedByGuards('day', tripped);
  };
  const error = await publishSnapshot(database, folderOf(published_at, day), { ...options, onGuards }).catch(
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Failure && error.code === 'stopped_by_guard')) throw error;
  // A sentence has examples, not the JSON of a list.
  expect(error.message).not.toMatch(/\["|\[\]/);
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
  ({ header }) => ({
    header: { ...header, [part]: { source_updated_at: firstDay, retrieved_at: secondDay, ...fields } },
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
  [
    'alcohol as a fraction',
    products(({ alcohol_by_volume: alcohol }) => ({ alcohol_by_volume: Number(alcohol) / 100 })),
    ['alcohol'],
  ],
  [
    'every product once more under another code',
    ({ products }) => ({
      products: [...products, ...products.map((line) => ({ ...line, sku: line.sku.replace('2', '4') }))],
    }),
    ['new-products'],
  ],
  [
    'prices a hundred times too low',
    prices((price) => Math.round(price / 100)),
    ['prices', 'price-jumps', 'price-moves', 'price-total', 'price-changes'],
  ],
  [
    'prices of a fifth times 0.4',
    prices((price, index) => (index % 5 === 0 ? Math.round(price * 0.4) : price)),
    ['prices', 'price-moves', 'price-total', 'price-factor'],
  ],
  [
    'a fifth without a price',
    prices((price, index) => (index % 5 === 0 ? null : price)),
    ['prices', 'lost-prices', 'price-moves'],
  ],
  [
    'such prices of ten products',
    prices((price, index) => (index < 10 ? Math.round(price / 100) : price)),
    ['prices', 'price-jumps'],
  ],
  [
    'a quarter without a price',
    prices((price, index) => (index % 4 === 0 ? null : price)),
    ['prices', 'lost-prices', 'price-moves'],
  ],
  ['ten prices of 0', prices((price, index) => (index < 10 ? 0 : price)), ['prices', 'price-jumps']],
  ['prices a dollar higher', prices((price) => price + 100), ['price-total', 'price-changes']],
  [
    'each price by up to 45 %',
    prices((price) => Math.round(price * (0.55 + 0.9 * random()))),
    ['price-moves', 'price-total', 'price-changes'],
  ],
  [
    'a quarter of the prices in another currency',
    (day) =>
      prices((_, index) => Math.round((dayOf(1).products[index]?.price_minor ?? 0) * (index % 4 === 0 ? 1.36 : 1)))(
        day,
      ),
    ['price-moves', 'price-total', 'price-factor'],
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
  ['no rows', lines(() => ({ rows: [] })), ['inventory', 'emptied-stores', 'missing-store']],
  [
    'every store once more under another code',
    ({ stores }) => ({
      stores: [
        ...stores,
        ...stores.map((line) => ({ ...line, inventory_store_code: `1${line.inventory_store_code?.slice(1)}` })),
      ],
    }),
    ['new-stores'],
  ],
  [
    'half of the stores not covered',
    (day) => ({ scope: codes.slice(6), ...lines(({ rows }) => ({ rows: rows.slice(6) }))(day) }),
    ['scope', 'missing-store'],
  ],
  ['no store covered', (day) => ({ scope: [], ...lines(() => ({ rows: [] }))(day) }), ['scope', 'missing-store']],
  [
    'no rows of five of twelve stores',
    lines(({ rows }) => ({ rows: rows.slice(5) })),
    ['emptied-stores', 'missing-store', 'quantity-total'],
  ],
  [
    'ten times the stock',
    quantities((quantity) => quantity * 10),
    ['quantities', 'quantity-jumps', 'quantity-total', 'quantity-factor'],
  ],
  [
    'ten times the stock in a tenth of the rows',
    quantities((quantity) => (random() < 0.1 ? quantity * 10 : quantity)),
    ['quantity-jumps', 'quantity-total'],
  ],
  [
    'one row of 2^52',
    ({ lines: [first, ...rest] }) => ({ lines: [{ ...(first as InventoryLine), rows: [['0001', 2 ** 52]] }, ...rest] }),
    ['quantity-total', 'largest-quantity'],
  ],
  [
    'stock in cases',
    quantities((quantity) => Math.ceil(quantity / 12)),
    ['quantities', 'quantity-jumps', 'quantity-total', 'quantity-factor'],
  ],
  [
    'rows shifted by one SKU',
    (day) => lines((line) => ({ rows: next(day.lines, line).rows }))(day),
    ['quantities', 'quantity-jumps'],
  ],
  [
    'store codes rotated in the rows',
    lines(({ rows }) => ({ rows: rows.map(([code, quantity]) => [next(codes, code), quantity]) })),
    ['quantities', 'quantity-jumps'],
  ],
  [
    'store codes as quantities',
    quantities((_, code) => Number(code)),
    ['quantities', 'quantity-jumps', 'quantity-total', 'quantity-factor', 'copied-quantities'],
  ],
  [
    'prices as quantities',
    quantities((_, __, { price_minor }) => price_minor ?? 0),
    ['quantities', 'quantity-jumps', 'quantity-total', 'largest-quantity', 'quantity-factor', 'copied-quantities'],
  ],
  ['one quantity', quantities(() => 1), ['quantities', 'quantity-jumps', 'quantity-total', 'quantity-factor']],
  [
    'the quantities of the day before',
    lines((_, index) => ({ rows: dayOf(1).lines[index]?.rows ?? [] })),
    ['unchanged'],
  ],
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
  [
    'a catalog that was updated in 2099',
    withTimes('catalog', { source_updated_at: '2099-01-01T00:00:00Z' }),
    ['times'],
  ],
  [
    'an inventory that was updated in 2099',
    lines((_, index) => (index === 7 ? { source_updated_at: '2099-01-01T00:00:00Z' } : {})),
    ['times'],
  ],
  ['retrievals that end before they begin', lines(() => ({ retrieved_at: '2025-01-11T10:00:00Z' })), ['times']],
  [
    'changes for a month only',
    ({ header }) => ({ header: { ...header, retention: { history_days: 30, publication_days: 30 } } }),
    ['retention'],
  ],
];

test.each(mistakes)('%s', async (_, change, guards) => {
  const second = dayOf(2);
  expect(await guardsOf(connection, secondDay, { ...second, ...change(second) })).toEqual(guards);
});

const large = 2500;

/** An invented day of a large catalog, of which a tenth is asked for daily. On the second day a few prices moved. */
function largeCatalog(number: 1 | 2): Day {
  const day = dayOf(number);
  const at = number === 1 ? firstDay : secondDay;
  const many = Array.from({ length: large }, (_, index) => String(300_001 + index));
  const moved = (index: number) => (number === 2 && index % 50 === 0 ? 100 + 13 * (index % 40) : 0);
  return {
    ...day,
    header: {},
    products: many.map(
      (sku, index) =>
        productLine(sku, {
          price_minor: 1099 + index + moved(index),
          size_ml: [375, 750, 1750][index % 3],
        }) as ProductLine,
    ),
    lines: many.slice(0, 250).map((sku, index) => {
      const rows = codes.map((code): [string, number] => [
        code,
        20 + (index % 40) - (number === 2 && index % 3 === 0 ? 2 : 0),
      ]);
      return retrievalLine(sku, at, rows, { source_updated_at: at }) as unknown as InventoryLine;
    }),
  };
}

/** Small mistakes in a large catalog. What is only said is in the summary of `publish`, because it happens daily. */
const smallMistakes: readonly (readonly [what: string, change: Change, guards: readonly string[]])[] = [
  ['an ordinary day', () => ({}), []],
  [
    'nine prices times a hundred',
    prices((price, index) => (index < 9 ? price * 100 : price)),
    ['price-jumps', 'price-total'],
  ],
  ['one price times ten', prices((price, index) => (index === 7 ? price * 10 : price)), ['price-jumps']],
  ['one price of 0', prices((price, index) => (index === 7 ? 0 : price)), ['price-jumps']],
  [
    'a hundredth of the prices 30 % higher',
    prices((price, index) => (index % 100 === 1 ? Math.round(price * 1.3) : price)),
    ['price-moves', 'price-factor'],
  ],
  [
    'a hundredth of the prices empty',
    prices((price, index) => (index % 100 === 1 ? null : price)),
    ['lost-prices', 'price-moves'],
  ],
  [
    'one product missing, which is only said',
    ({ products, lines }) => ({ products: products.slice(1), lines: lines.slice(1) }),
    [],
  ],
  ['a page of the catalog missing', ({ products }) => ({ products: products.slice(0, -140) }), ['catalog']],
  ['no rows of one store', lines(({ rows }) => ({ rows: rows.slice(1) })), ['missing-store']],
  [
    'one store not covered',
    (day) => ({ scope: codes.slice(1), ...lines(({ rows }) => ({ rows: rows.slice(1) }))(day) }),
    ['missing-store'],
  ],
  [
    'one store closed, without rows',
    (day) => ({
      ...lines(({ rows }) => ({ rows: rows.slice(1) }))(day),
      stores: day.stores.map((line, index) =>
        index === 0
          ? { ...line, operational_status: { ...line.operational_status, state: 'permanently_closed' } }
          : line,
      ),
    }),
    [],
  ],
  ['a tenth of the usual products asked for', ({ lines }) => ({ lines: lines.slice(0, 25) }), ['asked']],
];

test.each(smallMistakes)('in a large catalog: %s', async (_, change, guards) => {
  const database = openForPublishing(join(mkdtempSync(join(root, 'large-')), 'publication.sqlite'));
  await publishSnapshot(database, folderOf(firstDay, largeCatalog(1)), options);
  const second = largeCatalog(2);
  expect(await guardsOf(database, secondDay, { ...second, ...change(second) })).toEqual(guards);
  database.close();
});

/** The first day with a thousand products and one more, each with a row in one store. */
function largeDay(): Day {
  const many = Array.from({ length: 1001 }, (_, index) => String(300_001 + index));
  const day = dayOf(1);
  const rows = (index: number): [string, number][] => [['0001', 3 + (index % 40)]];
  return {
    ...day,
    header: {},
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
  ['sizes of packs', products((_, index) => ({ size_ml: 1 + (index % 6) })), ['scale']],
  ['prices in dollars', prices((price) => Math.round(price / 100)), ['scale']],
  ['prices in cents, times a hundred', prices((price) => price * 100), ['scale']],
  [
    'sizes in centilitres',
    products((_, index) => ({ size_ml: 20 + (index % 81), price_minor: 1500 + index })),
    ['scale'],
  ],
  [
    'alcohol as a fraction',
    (day) => ({
      header: { profile: { product_facts: ['alcohol_by_volume'] } },
      ...products(() => ({ alcohol_by_volume: 0.135 }))(day),
    }),
    ['scale'],
  ],
  ['one row of 2^52', quantities((quantity) => (quantity === 7 ? 2 ** 40 : quantity)), ['largest-quantity']],
];

test.each(firstMistakes)('in a first publication: %s', async (_, change, guards) => {
  const day = largeDay();
  const empty = openForPublishing(join(mkdtempSync(join(root, 'empty-')), 'publication.sqlite'));
  expect(await guardsOf(empty, firstDay, { ...day, ...change(day) })).toEqual(guards);
  empty.close();
});

/** A database with the first day. */
async function newSeries(): Promise<Connection> {
  const series = openForPublishing(join(mkdtempSync(join(root, 'series-')), 'publication.sqlite'));
  await publishSnapshot(series, folderOf(firstDay, dayOf(1)), options);
  return series;
}

/** The day so many days after the first, with new times. */
function laterDay(days: number, { lines, ...rest }: Day) {
  const at = `2025-01-${10 + days}T12:00:00Z`;
  return [
    at,
    { ...rest, lines: lines.map((line) => ({ ...line, attempted_at: at, retrieved_at: at, source_updated_at: at })) },
  ] as const;
}

test('a slow slide is stopped once it is long, and a person who accepts it is asked again only after the next one', async () => {
  const series = await newSeries();
  const stopped: string[][] = [];
  for (const [index, left] of [106, 94, 83, 83, 74].entries()) {
    const { products, lines, ...rest } = dayOf(index % 2 === 0 ? 2 : 1);
    const day = laterDay(index + 1, { ...rest, products: products.slice(0, left), lines: lines.slice(0, left) });
    stopped.push(await guardsOf(series, ...day));
    await publishSnapshot(series, folderOf(...day), { ...options, accept: ['catalog'] });
  }
  expect(stopped).toEqual([[], [], ['catalog'], [], []]);
  series.close();
});

test('prices that creep up are stopped once they are a tenth higher', async () => {
  const series = await newSeries();
  let { products } = dayOf(1);
  const stopped: string[][] = [];
  for (let index = 1; index <= 5; index += 1) {
    products = products.map((line, at) => {
      const factor = at % 3 === index % 3 ? 1.04 + (at % 9) / 100 : 1;
      return { ...line, price_minor: Math.round(Number(line.price_minor) * factor) };
    });
    const day = laterDay(index, { ...dayOf(index % 2 === 0 ? 1 : 2), products });
    stopped.push(await guardsOf(series, ...day));
    await publishSnapshot(series, folderOf(...day), { ...options, accept: ['price-total'] });
  }
  expect(stopped).toEqual([[], [], [], ['price-total'], []]);
  series.close();
});

test('an agency whose quantities rest is asked about once', async () => {
  const series = await newSeries();
  const days = [1, 2].map((index) => laterDay(index, dayOf(1)));
  for (const [index, day] of days.entries()) {
    expect(await guardsOf(series, ...day)).toEqual(index === 0 ? ['unchanged'] : []);
    await publishSnapshot(series, folderOf(...day), { ...options, accept: ['unchanged'] });
  }
  series.close();
});

test('each guard has a mistake here; that of future is in guards.test.ts', () => {
  const named = new Set([...mistakes, ...smallMistakes, ...firstMistakes].flatMap(([, , guards]) => guards));
  expect(guardNames.filter((name) => !named.has(name))).toEqual(['future']);
});
