import { beforeEach, describe, expect, test } from 'vitest';
import { curationOf, type Line, productLine, retrievalLine, storeLine } from '../support/snapshot-writer.ts';
import { TestDatabase } from '../support/test-database.ts';

const firstDay = '2025-01-01T12:00:00Z';
const secondDay = '2025-01-02T12:00:00Z';
const thirdDay = '2025-01-03T12:00:00Z';
const fourthDay = '2025-01-04T12:00:00Z';
const fifthDay = '2025-01-05T12:00:00Z';
const sixthDay = '2025-01-06T12:00:00Z';
const seventhDay = '2025-01-07T12:00:00Z';
const quarantine = { quarantine: true };
/** Also accepts many new products. */
const grown = { ...quarantine, accept: ['new-products'] as const };

const skus = Array.from({ length: 100 }, (_, index) => String(index).padStart(6, '0'));
const codes = Array.from({ length: 100 }, (_, index) => String(index).padStart(4, '0'));
const products = skus.map((sku) => productLine(sku, { name: `Acme Product ${sku}` }));
const stores = codes.map((code) => storeLine(code, { directory_presence: { state: 'present', last_seen_at: null } }));

/** The list with the line at one position replaced. */
function replaced(lines: readonly Line[], index: number, line: Line): Line[] {
  return lines.map((before, place) => (place === index ? line : before));
}

function inventoryAt(retrieved_at: string, quantity: number) {
  return { scope: ['0000', '0001'], lines: skus.map((sku) => retrievalLine(sku, retrieved_at, [['0000', quantity]])) };
}

/** A hundred products in one of a hundred stores. */
let database: TestDatabase;
beforeEach(async () => {
  database = new TestDatabase();
  await database.publish(firstDay, { products, stores, inventory: inventoryAt(firstDay, 3), curation: curationOf() });
});

function rowsSetAside(): unknown[] {
  return database.connection.prepare('SELECT * FROM quarantined_row ORDER BY publication, file, line').all();
}

test('a row set aside is kept as it came, with what was wrong and where', async () => {
  const bad = { ...products[7], price_minor: '19.99', lifecycle: 'gone' };
  const { warnings, quarantined_parts } = await database.publish(
    secondDay,
    { products: replaced(products, 7, bad) },
    quarantine,
  );
  expect(rowsSetAside()).toEqual([
    {
      publication: 2,
      file: 'products.ndjson',
      line: 8,
      reason:
        'price_minor: expected an integer of at least 0, got "19.99"; ' +
        'lifecycle: expected one of active, discontinued, restricted, unavailable, unknown, got "gone"',
      text: JSON.stringify(bad),
    },
  ]);
  expect(warnings).toContain('SOURCE_SCHEMA_QUARANTINED');
  expect(quarantined_parts).toEqual(['products']);
});

describe('of a file', () => {
  const bad = (sku: string) => productLine(sku, { pack_count: 0.5 });

  test('one row in a hundred may be set aside', async () => {
    const lines = [...products, ...skus.map((sku) => productLine(`1${sku.slice(1)}`))];
    const two = replaced(replaced(lines, 0, bad('000000')), 199, bad('100099'));
    expect(await database.publish(secondDay, { products: two }, grown)).toMatchObject({ sequence: 2 });
    expect(rowsSetAside()).toHaveLength(2);
  });

  test('more are refused, and what is too much is said first', async () => {
    const two = replaced(replaced(products, 0, bad('000000')), 99, bad('000099'));
    expect(await database.problemsOf(secondDay, { products: two }, quarantine)).toEqual([
      'products.ndjson: expected at most 1 % faulty rows to set aside, got 2 of 100',
      'products.ndjson:1 pack_count: expected an integer of at least 0, got 0.5',
      'products.ndjson:100 pack_count: expected an integer of at least 0, got 0.5',
    ]);
    expect(rowsSetAside()).toEqual([]);
  });
});

describe('a product whose row is set aside', () => {
  test.each([
    ['for a value', { ...products[7], price_minor: 'free' }],
    ['as a line cut short', '{"sku":"000007","source_name":"PRODUCT'],
  ])('stands as it was: %s', async (_, bad) => {
    const before = database.product('000007', 1);
    const dearer = replaced(
      products.map((line, index) => ({ ...line, price_minor: 2000 + index })),
      7,
      bad,
    );
    await database.publish(secondDay, { products: dearer }, { ...quarantine, accept: ['price-changes'] });
    expect(new Set(database.events(2).map(({ type }) => type))).toEqual(new Set(['price_changed']));
    expect(database.events(2).map(({ sku }) => sku)).not.toContain('000007');
    // The price was not observed again, so its times are those of the catalog that had it.
    expect(database.product('000007', 2)).toEqual({ ...before, version: expect.any(Number), observed_publication: 1 });
    expect(before.price?.times.retrieved_at).toBe(firstDay);
    expect(database.product('000008', 2).price?.times.retrieved_at).toBe(secondDay);
    expect(database.product('000007', 1)).toEqual(before);
  });

  test('takes up where it was when its row comes clean', async () => {
    await database.publish(secondDay, { products: replaced(products, 7, '{"sku": "000007"}') }, quarantine);
    const cheaper = productLine('000007', { name: 'Acme Product 000007', price_minor: 999 });
    await database.publish(thirdDay, { products: replaced(products, 7, cheaper) });
    expect(database.events(3)).toMatchObject([{ sku: '000007', change: { difference_minor: -1000 } }]);
    expect(database.product('000007', 3).price?.times.retrieved_at).toBe(thirdDay);
  });

  test('stays absent when it was, and unknown when it was never seen', async () => {
    await database.publish(secondDay, { products: products.slice(0, 99) });
    const bad = [productLine('000099', { size_ml: 1.2 }), productLine('900000', { size_ml: 1.2 })];
    const lines = [...products.slice(0, 99), ...bad, ...skus.map((sku) => productLine(`8${sku.slice(1)}`))];
    const { product_count } = await database.publish(thirdDay, { products: lines }, grown);
    expect(product_count).toBe(200);
    expect(database.product('000099', 3).catalog_presence).toBe('absent');
    expect(database.events(3).filter(({ type }) => type === 'catalog_presence_changed')).toEqual([]);
  });
});

describe('a store whose row is set aside', () => {
  const bad = storeLine('0002', {
    name: 'Closing',
    operational_status: { state: 'closing', note: null, source: 'unknown' },
  });

  test('stands as it was, with the times of the directory that had it', async () => {
    const before = database.store('0002', 1);
    await database.publish(secondDay, { stores: replaced(stores, 2, bad) }, quarantine);
    expect(database.store('0002', 2)).toEqual(before);
    expect(before.detail.directory_presence).toEqual({ state: 'present', last_seen_at: null });
    expect(before.detail.details_times.retrieved_at).toBe(firstDay);
    expect(database.store('0003', 2).detail.details_times.retrieved_at).toBe(secondDay);
  });

  test('is missing when the next directory does not name it', async () => {
    await database.publish(secondDay, { stores: replaced(stores, 2, bad) }, quarantine);
    await database.publish(thirdDay, { stores: stores.filter((_, index) => index !== 2) });
    const { directory_presence, details_times } = database.store('0002', 3).detail;
    expect(directory_presence).toEqual({ state: 'suspect_missing', last_seen_at: secondDay });
    expect(details_times.retrieved_at).toBe(firstDay);
  });
});

test('an inventory line that is set aside is no retrieval: the last observations stand', async () => {
  const { lines, scope } = inventoryAt(secondDay, 4);
  const bad = retrievalLine('000007', secondDay, [['0000', -4]]);
  await database.publish(secondDay, { inventory: { scope, lines: replaced(lines, 7, bad) } }, quarantine);
  expect(database.events(2)).toHaveLength(2 * 99);
  expect(database.events(2).map(({ sku }) => sku)).not.toContain('000007');
  expect(database.pair('000007', '0000', 2)).toMatchObject({ reported_quantity: 3, retrieved_at: firstDay });
  expect(database.pair('000008', '0000', 2)).toMatchObject({ reported_quantity: 4, retrieved_at: secondDay });
  expect(database.product('000007', 2)).toMatchObject({ attempted_at: firstDay });
  expect(rowsSetAside()).toMatchObject([{ file: 'inventory.ndjson', line: 8, text: JSON.stringify(bad) }]);
});

test('a code of the scope that is set aside is not covered, and rows that name it are faulty', async () => {
  const scope = [...codes.slice(0, 99), '9999'];
  const lines = skus.map((sku, index) => retrievalLine(sku, secondDay, index === 0 ? [['9999', 1]] : [['0000', 3]]));
  await database.publish(secondDay, { inventory: { scope, lines } }, quarantine);
  expect(rowsSetAside()).toMatchObject([
    { file: 'inventory.ndjson', line: 1, reason: 'rows[0][0]: expected a store of inventory_scope.json, got "9999"' },
    { file: 'inventory_scope.json', line: null, text: '"9999"' },
  ]);
  expect(database.events(2)).toEqual([]);
});

test('the warning stays until the part comes clean, or is said by the operator for one publication', async () => {
  const isWarned = async (at: string, snapshot: Parameters<TestDatabase['publish']>[1]) =>
    (await database.publish(at, snapshot, quarantine)).warnings.includes('SOURCE_SCHEMA_QUARANTINED');
  expect(await isWarned(secondDay, { header: { warnings: ['SOURCE_SCHEMA_QUARANTINED'] } })).toBe(true);
  expect(await isWarned(thirdDay, {})).toBe(false);
  expect(await isWarned(fourthDay, { products: replaced(products, 7, '{"sku": "000007"}') })).toBe(true);
  const { lines, scope } = inventoryAt(fifthDay, 3);
  const inventory = { scope, lines: replaced(lines, 0, '{}') };
  expect(await isWarned(fifthDay, { inventory, stores, curation: curationOf() })).toBe(true);
  expect(await isWarned(sixthDay, { products })).toBe(true);
  expect(await isWarned(seventhDay, { inventory: inventoryAt(seventhDay, 3) })).toBe(false);
});
