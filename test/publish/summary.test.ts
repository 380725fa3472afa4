import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { detailLines, summaryLines } from '../../generator/cli/publish.ts';
import { publicationDetails, publicationSummary } from '../../generator/database/publication-summary.ts';
import { runInProcess } from '../support/command-in-process.ts';
import {
  curationOf,
  failureLine,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { TestDatabase } from '../support/test-database.ts';

const days = ['2025-01-01T12:00:00Z', '2025-01-02T12:00:00Z'] as const;
const skus = Array.from({ length: 200 }, (_, index) => String(index).padStart(6, '0'));

const root = folderForFile();

function folderOf(day: string, parts: Omit<SnapshotParts, 'header'>): string {
  return writeSnapshot(mkdtempSync(join(root, 'snapshot-')), {
    header: headerOf({ published_at: day }, parts),
    ...parts,
  });
}

const stores = [storeLine('0001'), storeLine('0002')];
const inventoryAt = (day: string) => ({
  scope: ['0001', '0002'],
  lines: skus.map((sku, index) =>
    index === 0 ? failureLine(sku, day) : retrievalLine(sku, day, [['0001', index + 3]]),
  ),
});
const products = skus.map((sku) => productLine(sku));
const first = (day: string) => folderOf(day, { products, stores, inventory: inventoryAt(day), curation: curationOf() });

test('says which products changed, what was requested, and which parts were delivered again without any change', async () => {
  const database = join(root, 'changes.sqlite');
  const { scope, lines } = inventoryAt(days[1]);
  const changed = folderOf(days[1], {
    products: [
      ...products.slice(3).filter(({ sku }) => sku !== '000199'),
      productLine('000000'),
      productLine('000001', { name: 'Other Name' }),
      productLine('000002', { price_minor: 2099 }),
      productLine('900000'),
    ],
    stores,
    inventory: { scope, lines: lines.slice(0, -1) },
  });
  const { stdout, stderr } = await runInProcess('publish', first(days[0]), changed, '--db', database);
  expect(stderr).toBe('');
  expect(stdout.trimEnd().split('\n').slice(-9)).toEqual([
    expect.stringMatching(/^published \S+ as publication 2, /),
    '  products: 1 new, 1 gone, 1 repriced, 1 renamed',
    '  inventory: 199 products requested, 1 failed; 396 pairs checked',
    '  events: 4 (catalog_presence_changed 1, price_changed 1, product_first_observed 1, product_presentation_changed 1)',
    '  delivered again without any change: stores, inventory',
    '  gone: 000199 Product 000199',
    '  largest price moves: 000002 Product 000002: $19.99 to $20.99',
    'warning INVENTORY_COVERAGE_PARTIAL: some pairs of a listed product and a store were never checked; publications 1, 2',
    'warning UPSTREAM_PRODUCT_UNAVAILABLE: the last attempt failed for some listed products; publications 1, 2',
  ]);
});

test('counts every field that moved, of products, stores and categories', async () => {
  const database = new TestDatabase();
  const categories = ['cat_a', 'cat_b'].map((id) => ({ id, parent_id: null, name: id, active: true }));
  const directory = ['0001', '0002', '0003', '0004', '0005', '0006'].map((code) =>
    storeLine(code, { directory_id: `d-${code}`, location: { latitude: 40, longitude: -80 } }),
  );
  const catalog = skus.slice(0, 9).map((sku) => productLine(sku, { category_id: 'cat_a' }));
  await database.publish(days[0], { products: catalog, stores: directory, curation: curationOf({ categories }) });
  const productChanges = [
    { price_minor: 2099 },
    { price_minor: null },
    { name: 'Other Name' },
    { size_ml: 375 },
    { category_id: 'cat_b' },
    { category_id: null },
    { status_label: 'Other' },
    { lifecycle: 'discontinued' },
    {},
  ];
  const storeChanges = [
    { name: 'Other Name' },
    { address: { ...directory[1]?.address, city: 'Pinder' } },
    { location: { latitude: 41, longitude: -80 } },
    { directory_id: 'd-9' },
    { operational_status: { state: 'temporarily_closed', note: null, source: 'unknown' } },
    { phone: '+15555550101' },
  ];
  const publication = await database.publish(days[1], {
    products: catalog.map((line, index) => ({ ...line, ...productChanges[index] })),
    stores: directory.map((line, index) => ({ ...line, ...storeChanges[index] })),
    curation: curationOf({ categories: categories.map((entry) => ({ ...entry, name: `${entry.name} new` })) }),
  });
  expect(summaryLines(publicationSummary(database.connection, publication), []).slice(0, 3)).toEqual([
    'products: 2 repriced, 1 renamed, 1 resized, 2 recategorised, 2 status changed',
    'stores: 1 renamed, 1 readdressed, 1 relocated, 1 recoded, 1 closed, 2 details changed',
    'categories: 2 renamed',
  ]);
});

test('rows that were set aside are named on standard error, also with --json', async () => {
  const database = join(root, 'set-aside.sqlite');
  const rows = products.map((line, index) => (index === 7 ? { ...line, price_minor: '\u001b[2J' } : line));
  const bad = folderOf(days[1], { products: rows });
  const { stdout, stderr } = await runInProcess(
    'publish',
    ...[first(days[0]), bad, '--db', database, '--quarantine', '--json'],
  );
  const reason = 'price_minor: expected an integer of at least 0, got "\\u001b[2J"';
  expect(stderr).toBe(`${bad}: products.ndjson: 1 row set aside; the first (line 8): ${reason}\n`);
  const [, published] = stdout.split('\n');
  expect(JSON.parse(published ?? '')).toMatchObject({
    sequence: 2,
    set_aside: [{ file: 'products.ndjson', rows: 1, line: 8, reason }],
    unchanged_parts: ['products'],
    warnings: expect.arrayContaining(['SOURCE_SCHEMA_QUARANTINED']),
  });
});

test('prices and rows that are gone are among the largest moves', async () => {
  const database = new TestDatabase();
  const partsOf = (time: string, rows: readonly (readonly [price: number | null, quantity: number | null])[]) => ({
    products: rows.map(([price_minor], index) => productLine(`00000${index + 1}`, { price_minor })),
    stores: [storeLine('0001')],
    inventory: {
      scope: ['0001'],
      lines: rows.map(([, quantity], index) =>
        retrievalLine(`00000${index + 1}`, time, quantity === null ? [] : [['0001', quantity]]),
      ),
    },
    curation: curationOf(),
  });
  await database.publish(
    days[0],
    partsOf(days[0], [
      [1000, 60],
      [2000, 3],
      [null, null],
    ]),
  );
  const moved = partsOf(days[1], [
    [900, null],
    [null, 4],
    [500, 5],
  ]);
  const publication = await database.publish(days[1], moved, { accept: ['prices', 'inventory'] });
  const details = publicationDetails(database.connection, publication);
  expect(detailLines(details, publicationSummary(database.connection, publication))).toEqual([
    'largest price moves:',
    '  000002 Product 000002: $20.00 to no price',
    '  000001 Product 000001: $10.00 to $9.00',
    '  000003 Product 000003: no price to $5.00',
    'largest quantity moves:',
    '  000001 Product 000001 in 0001: 60 to no row',
    '  000002 Product 000002 in 0001: 3 to 4',
  ]);
});
