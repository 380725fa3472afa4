import { describe, expect, test } from 'vitest';
import { stateAt } from '../../generator/documents/state.ts';
import { curatedProduct, curationOf, productLine, retrievalLine, storeLine } from '../support/snapshot-writer.ts';
import { type Snapshot, TestDatabase } from '../support/test-database.ts';

const firstDay = '2025-01-01T12:00:00Z';
const secondDay = '2025-01-02T12:00:00Z';
const thirdDay = '2025-01-03T12:00:00Z';
const fourthDay = '2025-01-04T12:00:00Z';
const largest = Number.MAX_SAFE_INTEGER;

/** A database whose first publication has these parts. */
async function databaseOf(parts: Snapshot): Promise<TestDatabase> {
  const database = new TestDatabase();
  const snapshot = { products: [], stores: [], curation: curationOf(), ...parts };
  await database.publish(firstDay, snapshot, { accept: ['largest-quantity'] });
  return database;
}

const names = [
  'ERROR - NAME IS MISSING',
  '__proto__',
  'constructor',
  'NaN',
  '  spaced  out  ',
  'Tab\there, newline\nthere, and a separator\u2028',
  `"It's" \\ <b>&amp;</b> \${name} %s {0} \`tick\``,
  "'); DROP TABLE product; --",
  '...!?',
  '🍷👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿',
  'شراب العنب ‮reversed‬ ‏2019',
  'Z̷̢a̶l̴g̵o̸ Ré́serve',
  '\u200b',
  'ﬁne ﷽ Å Å',
  `${'very '.repeat(199)}long`,
];

describe('a name', () => {
  test('comes through as it is, whatever it looks like', async () => {
    const skus = names.map((_, index) => String(index).padStart(6, '0'));
    const lines = names.map((name, index) =>
      productLine(skus[index] ?? '', {
        name,
        size_text: name,
        status_code: name,
        status_label: name,
        status_raw: name,
      }),
    );
    const stores = names.map((name) =>
      storeLine(null, {
        directory_id: name,
        name,
        address: { line1: name, line2: name, city: name, region: name, postal_code: name },
        phone: name,
        regular_hours: name,
        operational_status: { state: 'open', note: name, source: 'unknown' },
      }),
    );
    const database = await databaseOf({ products: lines, stores });
    for (const [index, name] of names.entries()) {
      const current = { name, package_size: { display: name }, status: { code: name, label: name } };
      const sku = skus[index] ?? '';
      expect(database.product(sku, 1)).toMatchObject({ name, status: { code: name, label: name, source_raw: name } });
      expect(database.events(1).find((event) => event.sku === sku)?.change).toMatchObject({ current });
    }
    const told = new Map(database.stores(1).map(({ detail }) => [detail.source_ids.directory_id, detail]));
    for (const name of names)
      expect(told.get(name)).toMatchObject({ name, address: { city: name }, regular_hours: name, phone: name });
    // Publishes the same values again: whatever was stored unchanged gives no event.
    await database.publish(secondDay, { products: lines, stores });
    expect(database.events(2)).toEqual([]);
  });

  test('stays whole when nothing but its brand is there, or when the brand is only punctuation', async () => {
    const brands = ['...', 'Acme', '!!!'].map((name, index) => ({
      slug: `b-${index}`,
      name,
      aliases: [],
      reviewed: true,
    }));
    const shown = [
      [0, '... Red', '... Red'],
      [1, 'ACME', 'ACME'],
      [2, '!!!', '!!!'],
      [2, '!!! Red', 'Red'],
      [1, 'Acmes Red', 'Acmes Red'],
      [1, 'Acme. Red', 'Red'],
    ] as const;
    const skus = shown.map((_, index) => `00000${index}`);
    const curated = shown.map(([of], index) => curatedProduct(`00000${index}`, { brand: `b-${of}` }));
    const database = await databaseOf({
      products: shown.map(([, name], index) => productLine(`00000${index}`, { name })),
      curation: curationOf({ brands, products: curated }),
    });
    expect(skus.map((sku) => database.product(sku, 1).name)).toEqual(shown.map(([, , name]) => name));
  });
});

test('keys that nobody asked for change nothing, whatever they are called', async () => {
  const plain = JSON.stringify(productLine('000001'));
  const line = plain.replace('{', '{"__proto__": {"sku": "999999"}, "constructor": null, "new_column": [1], ');
  const database = await databaseOf({ products: [plain] });
  await database.publish(secondDay, { products: [line] });
  expect(database.events(2)).toEqual([]);
  expect(({} as Record<string, unknown>).sku).toBeUndefined();
});

describe('numbers', () => {
  test('of price: nothing, the largest, and none', async () => {
    const prices = [0, largest, null];
    const productsOf = (moved: number) =>
      prices.map((_, index) => productLine(`00000${index}`, { price_minor: prices[(index + moved) % 3] ?? null }));
    const database = await databaseOf({ products: productsOf(0) });
    expect(prices.map((_, index) => database.product(`00000${index}`, 1).price)).toMatchObject([
      { amount_minor: 0, display: '$0.00' },
      { amount_minor: largest, display: '$90071992547409.91' },
      null,
    ]);
    await database.publish(secondDay, { products: productsOf(1) });
    const differences = database
      .events(2)
      .map(({ sku, change }) => [sku, (change as Record<string, unknown>).difference_minor]);
    expect(Object.fromEntries(differences)).toEqual({ '000000': largest, '000001': null, '000002': null });
    expect(database.product('000000', 2)).toMatchObject({ lowest_price_minor: 0, highest_price_minor: largest });
  });

  test('zero is zero under either sign', async () => {
    const signed = (zero: string) =>
      JSON.stringify(productLine('000001', { price_minor: 0, size_ml: 0 })).replaceAll(':0', `:${zero}`);
    const row = (zero: string) =>
      JSON.stringify(retrievalLine('000001', firstDay, [['0001', 0]])).replace(',0]', `,${zero}]`);
    const parts = (zero: string) => ({
      products: [signed(zero)],
      inventory: { scope: ['0001'], lines: [row(zero)] },
    });
    const database = await databaseOf({ stores: [storeLine('0001')], ...parts('0') });
    expect(parts('-0').products[0]).toContain('"price_minor":-0,');
    await database.publish(secondDay, parts('-0'));
    await database.publish(thirdDay, parts('0'));
    await database.publish(fourthDay, parts('0.0e1'));
    expect([2, 3, 4].flatMap((sequence) => database.events(sequence))).toEqual([]);
  });
});

describe('quantities', () => {
  const scope = ['0001', '0002'];
  const start = { products: [productLine('000001')], stores: scope.map((code) => storeLine(code)) };

  test('are exact up to the largest integer that is, and an event where only the stores change', async () => {
    const inventory = { scope, lines: [retrievalLine('000001', firstDay, [['0001', largest]])] };
    const database = await databaseOf({ ...start, inventory });
    expect(database.pair('000001', '0001', 1).reported_quantity).toBe(largest);
    const rows: [string, number][] = [
      ['0001', 1],
      ['0002', largest - 1],
    ];
    await database.publish(secondDay, { inventory: { scope, lines: [retrievalLine('000001', secondDay, rows)] } });
    const changes = database.events(2).filter(({ type }) => type === 'aggregate_inventory_changed');
    expect(changes.map(({ change }) => change)).toEqual([
      {
        previous: { reported_quantity: largest, reported_positive_store_count: 1 },
        current: { reported_quantity: largest, reported_positive_store_count: 2 },
        difference: 0,
      },
    ]);
  });

  test('whose sum is not exact are a problem of the line', async () => {
    const database = await databaseOf(start);
    const line = retrievalLine('000001', secondDay, [
      ['0001', largest],
      ['0002', 1],
    ]);
    expect(await database.problemsOf(secondDay, { inventory: { scope, lines: [line] } })).toEqual([
      `inventory.ndjson:1 rows: expected quantities that add up to at most ${largest}, got [["0001",${largest}],["0002",1]]`,
    ]);
  });

  test('whose sum with those standing elsewhere is not exact are a problem of the snapshot', async () => {
    const inventory = { scope, lines: [retrievalLine('000001', firstDay, [['0001', largest]])] };
    const database = await databaseOf({ ...start, inventory });
    const other = { scope: ['0002'], lines: [retrievalLine('000001', secondDay, [['0002', 1]])] };
    for (const quarantine of [false, true]) {
      expect(await database.problemsOf(secondDay, { inventory: other }, { quarantine })).toEqual([
        `inventory.ndjson: expected quantities of 000001 that add up to at most ${largest} over all stores, ` +
          'got more, with the quantities of stores outside the scope',
      ]);
    }
    const none = { ...other, lines: [retrievalLine('000001', secondDay, [['0002', 0]])] };
    await database.publish(secondDay, { inventory: none });
  });
});

describe('a store', () => {
  const idOf = (database: TestDatabase, code: string, sequence: number) => database.store(code, sequence).detail.id;

  test('that changed its code is not known by the former one', async () => {
    const inventory = { scope: ['0001'], lines: [retrievalLine('000001', firstDay, [['0001', 3]])] };
    const stores = [storeLine('0001', { directory_id: 'd-1' })];
    const database = await databaseOf({ products: [productLine('000001')], stores, inventory });
    await database.publish(secondDay, { stores: [storeLine('0009', { directory_id: 'd-1' })] });
    expect(await database.problemsOf(thirdDay, { inventory: { ...inventory, lines: [] } })).toEqual([
      'inventory_scope.json inventory_store_codes[0]: expected the inventory_store_code of a known store, got "0001"',
    ]);
  });

  test('follows its code when two of them swap theirs', async () => {
    const named = (code: string, directory_id: string) => storeLine(code, { directory_id });
    const database = await databaseOf({ stores: [named('0001', 'd-1'), named('0002', 'd-2')] });
    await database.publish(secondDay, { stores: [named('0002', 'd-1'), named('0001', 'd-2')] });
    expect(database.stores(2)).toHaveLength(2);
    for (const [code, directory_id] of [
      ['0001', 'd-2'],
      ['0002', 'd-1'],
    ] as const) {
      expect(idOf(database, code, 2)).toBe(idOf(database, code, 1));
      expect(database.store(code, 2).detail).toMatchObject({ source_ids: { directory_id }, directory_presence: null });
    }
  });

  test('that takes a directory id another one gave up is another store', async () => {
    const database = await databaseOf({ stores: [storeLine('0001', { directory_id: 'd-1' })] });
    const stores = [storeLine('0001', { directory_id: 'd-2' }), storeLine('0009', { directory_id: 'd-1' })];
    await database.publish(secondDay, { stores });
    expect(idOf(database, '0001', 2)).toBe(idOf(database, '0001', 1));
    expect(idOf(database, '0009', 2)).not.toBe(idOf(database, '0001', 1));
  });

  test('that takes a code another one gave up is another store', async () => {
    const database = await databaseOf({ stores: [storeLine('0001', { directory_id: 'd-1' })] });
    await database.publish(secondDay, { stores: [storeLine('0009', { directory_id: 'd-1' })] });
    await database.publish(thirdDay, {
      stores: [storeLine('0009', { directory_id: 'd-1' }), storeLine('0001', { directory_id: '3:code:0001' })],
    });
    expect(idOf(database, '0009', 3)).toBe(idOf(database, '0001', 1));
    expect(idOf(database, '0001', 3)).not.toBe(idOf(database, '0001', 1));
  });

  test('of the directory comes before a missing one with the same directory id', async () => {
    for (const codes of [
      ['0001', '0002'],
      ['0002', '0001'],
    ] as const) {
      const database = await databaseOf({
        stores: codes.map((code) => storeLine(code, { directory_id: `d-${code}` })),
      });
      // 0002 takes over the directory id of 0001, which is missing from then on. Later 0002 loses its code.
      await database.publish(secondDay, { stores: [storeLine('0002', { directory_id: 'd-0001' })] });
      await database.publish(thirdDay, {
        stores: [storeLine(null, { directory_id: 'd-0001', name: 'Without a code' })],
      });
      const found = database.stores(3).find(({ detail }) => detail.name === 'Without a code');
      expect(found?.detail.id).toBe(idOf(database, '0002', 1));
      expect(database.store('0001', 3).detail.directory_presence?.state).toBe('suspect_missing');
    }
  });
});

test('a former SKU resolves to the only product that had it, unless it is the SKU of another', async () => {
  const entry = (former_sku: string, sku: string) => ({ former_sku, sku });
  const history = ['000001', '000002'].map((sku) => entry('900000', sku));
  const database = await databaseOf({
    products: [productLine('000001'), productLine('000002')],
    curation: curationOf({ sku_history: [...history, entry('000001', '000002')] }),
  });
  await database.publish(secondDay, { curation: curationOf({ sku_history: history.slice(1) }) });
  const [former, later] = [1, 2].map((sequence) => stateAt(database.connection, sequence).formerSkus);
  expect(former?.of('000002')).toEqual(['000001', '900000']);
  expect([former?.resolvingTo('000002'), former?.ambiguous]).toEqual([[], ['900000']]);
  expect([later?.resolvingTo('000002'), later?.ambiguous]).toEqual([['900000'], []]);
});

describe('a curation', () => {
  const category = (id: string) => ({ id, parent_id: null, name: id, active: true });
  const wine = curationOf({ categories: [category('cat_wine'), category('cat_beer'), category('cat___proto__')] });
  const products = ['000001', '000002'].map((sku) => productLine(sku, { category_id: 'cat_wine' }));

  test('may drop a category once no product of the catalog is filed under it', async () => {
    const database = await databaseOf({ products, curation: wine });
    const dropped = { curation: curationOf({ categories: [category('cat_beer')] }) };
    for (const quarantine of [false, true]) {
      expect(await database.problemsOf(secondDay, dropped, { quarantine })).toEqual([
        'curation.json categories: expected the category cat_wine, under which product 000001 of the catalog in force is ' +
          'filed, got none with that id',
      ]);
    }
    await database.publish(secondDay, { products: [] }, { accept: ['catalog'] });
    await database.publish(thirdDay, dropped);
    expect(database.product('000001', 3).category_id).toBeNull();
    const fields = [{ field: 'category', previous: 'cat_wine', current: null }];
    expect(database.events(3).map(({ change }) => change)).toEqual([{ fields }, { fields }]);
  });

  test('has no category that only the catalog knows, or that looks like one', async () => {
    const database = await databaseOf({ products, curation: wine });
    const filed = (category_id: unknown) =>
      database.problemsOf(secondDay, { products: [productLine('000001', { category_id })] });
    const inForce = 'products.ndjson:1 category_id: expected a category of the curation in force, got';
    expect(await filed('cat_unheard_of')).toEqual([`${inForce} "cat_unheard_of"`]);
    expect(await filed('__proto__')).toEqual([
      'products.ndjson:1 category_id: expected a category id like cat_red_wine, got "__proto__"',
    ]);
    await database.publish(secondDay, {
      products: products.map((line) => ({ ...line, category_id: 'cat___proto__' })),
    });
    expect(database.product('000001', 2).category_id).toBe('cat___proto__');
  });
});
