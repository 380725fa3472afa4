import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openForPublishing, openForReading } from '../../generator/database/database-file.ts';
import { publicationsUpTo } from '../../generator/database/publications.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { runInProcess } from '../support/command-in-process.ts';
import type { Finished } from '../support/command-line.ts';
import { dumpOf } from '../support/database-dump.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const firstDay = '2025-01-01T12:00:00Z';
const secondDay = '2025-01-02T12:00:00Z';
const thirdDay = '2025-01-03T12:00:00Z';
const skus = Array.from({ length: 10 }, (_, index) => String(index).padStart(6, '0'));

/** Ten products, each with stock in the only store. */
const first: SnapshotParts = snapshotAt(firstDay, {
  products: skus.map((sku) => productLine(sku)),
  stores: [storeLine('0001')],
  inventory: inventoryAt(firstDay, 10),
  curation: curationOf(),
});

let root: string;
let base: string;
beforeAll(async () => {
  root = temporaryFolder();
  base = join(root, 'base.sqlite');
  const connection = openForPublishing(base);
  await publishSnapshot(connection, folderOf(first, '001'), { quarantine: false });
  connection.close();
});
afterAll(() => removeFolder(root));

function snapshotAt(published_at: string, parts: Omit<SnapshotParts, 'header'>): SnapshotParts {
  return { header: headerOf({ published_at }, parts), ...parts };
}

/** An inventory in which the first `inStock` products are in stock and the others have no row. */
function inventoryAt(retrieved_at: string, inStock: number) {
  return {
    scope: ['0001'],
    lines: skus.map((sku, index) => retrievalLine(sku, retrieved_at, index < inStock ? [['0001', 3]] : [])),
  };
}

function folderOf(parts: SnapshotParts, name: string): string {
  return writeSnapshot(join(mkdtempSync(join(root, 'case-')), name), parts);
}

/** A copy of the database that holds the first snapshot. */
function copyOfBase(): string {
  const database = join(mkdtempSync(join(root, 'case-')), 'publication.sqlite');
  copyFileSync(base, database);
  return database;
}

function rowsOf(file: string) {
  const connection = openForReading(file);
  try {
    return dumpOf(connection);
  } finally {
    connection.close();
  }
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function publications(database: string): string[] {
  const connection = openForReading(database);
  const found = publicationsUpTo(connection, 1000).map(({ published_at }) => published_at);
  connection.close();
  return found;
}

/** Publishes a snapshot that must be refused: expects exit code 1, an explanation, and an unchanged database file. */
async function refusalOf(database: string, ...args: readonly string[]): Promise<string> {
  const before = sha256(database);
  const finished = await runInProcess('publish', ...args, '--db', database);
  expectExplained(finished);
  expect(finished.stdout).toBe('');
  expect(sha256(database)).toBe(before);
  expect(existsSync(`${database}-journal`)).toBe(false);
  return finished.stderr;
}

function objectsOf(lines: string): unknown[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function expectExplained({ code, stderr }: Finished): void {
  expect(stderr).toMatch(/^shelfpress: .+$/m);
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(code).toBe(1);
}

describe('a snapshot in the wrong place', () => {
  test('published before, under whatever name and packing', async () => {
    const database = copyOfBase();
    const again = folderOf(first, 'again');
    const packed = folderOf({ ...first, products: null }, 'packed');
    writeFileSync(join(packed, 'products.ndjson.gz'), gzipSync(readFileSync(join(again, 'products.ndjson'))));
    const divided = folderOf({ ...first, products: null }, 'divided');
    writeFileSync(join(divided, 'products.1.ndjson'), readFileSync(join(again, 'products.ndjson')));
    writeFileSync(join(divided, 'products.2.ndjson'), '');
    for (const folder of [again, packed, divided]) {
      expect(await refusalOf(database, folder)).toMatch(
        /^shelfpress: snapshot (again|packed|divided) was published before, as publication 1 \([0-9a-f-]{36}\) \[snapshot_order\]\n$/,
      );
    }
  });

  test.each([firstDay, '2024-12-31T23:59:59.9Z'])('not newer than the last: %s', async (published_at) => {
    const folder = folderOf(snapshotAt(published_at, { stores: [storeLine('0001')] }), '002');
    const [said = '', wayOut = ''] = (await refusalOf(copyOfBase(), folder)).split(/;| \[snapshot_order\]\n$/);
    expect(said).toBe(
      `shelfpress: snapshot 002 is not newer: expected published_at after ${firstDay} (publication 1), got ${published_at}`,
    );
    const corrected =
      /^ publication 1 has this time: if these are corrected files, date them later than publication 1, for update in the name of their folder, such as incoming\/2025-01-01T12:01:00Z, and pass --corrects [0-9a-f-]{36} and --reason$/;
    expect(wayOut).toMatch(published_at === firstDay ? corrected : /^$/);
  });
});

test('a snapshot more than a day ahead of the clock is refused until it is accepted; what comes after learns the way out', async () => {
  const inHours = (hours: number) => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
  const at = (published_at: string) => folderOf(snapshotAt(published_at, { stores: [storeLine('0001')] }), '002');
  const database = copyOfBase();
  for (const published_at of [inHours(25), '9999-12-31T23:59:59Z'])
    expect(await refusalOf(database, at(published_at))).toMatch(
      new RegExp(
        `^shelfpress: snapshot 002 is dated in the future: expected published_at up to \\S+Z, a day from now, got ${published_at}; --accept-future publishes it anyway \\[stopped_by_guard\\]\n$`,
      ),
    );
  expect((await runInProcess('publish', at(inHours(23)), '--db', copyOfBase())).code).toBe(0);
  await runInProcess('publish', '--accept-future', at('2099-01-01T00:00:00Z'), '--db', database);
  expect(publications(database)).toEqual([firstDay, '2099-01-01T00:00:00Z']);
  expect(await refusalOf(database, at(secondDay))).toBe(
    `shelfpress: snapshot 002 is not newer: expected published_at after 2099-01-01T00:00:00Z (publication 2), got ${secondDay}; publication 2 is dated in the future: publish the snapshots again without it, into a new database [snapshot_order]\n`,
  );
});

describe('a snapshot that shrank', () => {
  const catalogOf = (count: number) =>
    snapshotAt(secondDay, { products: skus.slice(0, count).map((sku) => productLine(sku)) });
  const inventoryOf = (count: number) => snapshotAt(secondDay, { inventory: inventoryAt(secondDay, count) });

  test.each([
    ['a fifth of the catalog', catalogOf(8), null],
    ['half of the stock', inventoryOf(5), null],
    [
      'more of the catalog',
      catalogOf(7),
      'loses 3 of 10 listed products: expected at most 20 %; 000007: Product 000007; 000008: Product 000008',
    ],
    ['more of the stock', inventoryOf(4), 'loses 6 of 10 positive inventory rows: expected at most half'],
  ])('by %s', async (_, parts, said) => {
    const database = copyOfBase();
    const folder = folderOf(parts, '002');
    if (said !== null) {
      expect(await refusalOf(database, folder)).toBe(
        `shelfpress: snapshot 002 ${said}; --accept-shrink publishes it anyway [stopped_by_guard]\n`,
      );
    }
    const accepting = said === null ? [] : ['--accept-shrink'];
    expect((await runInProcess('publish', ...accepting, folder, '--db', database)).code).toBe(0);
    expect(publications(database)).toEqual([firstDay, secondDay]);
  });
});

test('--skip-published lets a series that was cut off be published again from its beginning', async () => {
  const second = snapshotAt(secondDay, { inventory: inventoryAt(secondDay, 9) });

  const database = copyOfBase();
  const folders = [folderOf(first, '001'), folderOf(second, '002')];
  const { code, stdout } = await runInProcess('publish', ...folders, '--skip-published', '--db', database);
  expect(stdout).toMatch(
    /^skipped \S+001, which is publication 1, revision [0-9a-f-]{36}\npublished \S+002 as publication 2/,
  );
  expect(code).toBe(0);
  const again = await runInProcess('publish', ...folders, '--skip-published', '--json', '--db', database);
  expect(objectsOf(again.stdout)).toMatchObject(
    folders.map((snapshot, index) => ({ snapshot, skipped: true, sequence: index + 1 })),
  );
});

test('a database of another program, or of another version, is left as it is', async () => {
  const file = join(root, 'other.sqlite');
  const change = (statement: string) => {
    const other = new Database(file);
    other.exec(statement);
    other.close();
  };
  change('CREATE TABLE publication (title TEXT); PRAGMA journal_mode = WAL');
  expect(await refusalOf(file, folderOf(first, '001'))).toBe(
    `shelfpress: ${file} is not a publication database [database_foreign]\n`,
  );
  copyFileSync(base, file);
  change('PRAGMA user_version = 1');
  expect(await refusalOf(file, folderOf(first, '001'))).toBe(
    `shelfpress: ${file} has schema version 1: expected 3; publish its snapshots again into a new database [database_foreign]\n`,
  );
});

test('faults of all parts are reported together, grouped by kind with their counts, first lines and an example', async () => {
  const parts: Omit<SnapshotParts, 'header'> = {
    products: [
      ...skus.map((sku) => productLine(sku, { price_minor: -1 })),
      ...['000008', '000009'].map((sku) => productLine(sku)),
      '{"sku": "00',
    ],
    stores: [storeLine('0001')],
    inventory: {
      scope: ['0001'],
      lines: [retrievalLine('000000', secondDay, [['0003', 1]]), retrievalLine('999999', secondDay, [])],
    },
    curation: curationOf({ families: [{ slug: 'f', name: 'F', brand: 'b' }] }),
  };
  const header = headerOf({ published_at: secondDay, policy: null }, parts);
  const folder = folderOf({ header, ...parts }, '002');
  writeFileSync(join(folder, 'stores.ndjson.gz'), 'no gzip');
  rmSync(join(folder, 'stores.ndjson'));
  expect((await refusalOf(copyOfBase(), folder)).split('\n')).toEqual([
    'snapshot.json policy: expected an object, got null',
    'stores.ndjson.gz: expected a whole gzip file, got incorrect header check',
    'curation.json families[0].brand: expected one of the brands, got "b"',
    'products.ndjson price_minor: 10 lines (1, 2, 3, …): expected an integer of at least 0, got -1',
    'products.ndjson:13: expected a JSON object, got unterminated string at position 11',
    'inventory.ndjson:1 rows[0][0]: expected a store of inventory_scope.json, got "0003"',
    'inventory.ndjson:2 sku: expected a product of the catalog in force, got "999999"',
    'shelfpress: snapshot 002 was not published: 16 faults of 7 kinds [snapshot_faults]',
    '',
  ]);
});

test('of several snapshots those before the bad one stay published', async () => {
  const database = join(mkdtempSync(join(root, 'case-')), 'publication.sqlite');
  const good = folderOf(first, '001');
  const bad = folderOf(snapshotAt(secondDay, { products: [productLine('000000', { size_ml: -1 })] }), '002');
  const next = folderOf(snapshotAt(thirdDay, { inventory: inventoryAt(thirdDay, 9) }), '003');
  const finished = await runInProcess('publish', good, bad, next, '--json', '--db', database);
  expectExplained(finished);
  expect(objectsOf(finished.stdout)).toEqual([
    {
      snapshot: good,
      sequence: 1,
      revision: expect.stringMatching(/^[0-9a-f-]{36}$/),
      published_at: firstDay,
      last_event: 20,
      warnings: [],
      corrects: [],
      products: expect.objectContaining({ new: 10, gone: 0, renamed: 0 }),
      stores: expect.objectContaining({ new: 1 }),
      categories: expect.objectContaining({ new: 0 }),
      retrievals: { succeeded: 10, failed: 0 },
      pairs_checked: 10,
      events: { product_first_observed: 10, store_inventory_first_observed: 10 },
      set_aside: [],
      unchanged_parts: [],
      currency: 'USD',
      new_products: expect.arrayContaining([{ sku: '000000', name: expect.any(String) }]),
      gone_products: [],
      emptied_stores: [],
      price_moves: [],
      quantity_moves: [],
    },
    {
      ok: false,
      error: expect.objectContaining({
        message:
          'snapshot 002: products.ndjson:1 size_ml: expected a number of millilitres of at least 0, in halves, got -1',
        snapshot: '002',
        fault_count: 1,
      }),
    },
  ]);
  expect(rowsOf(database)).toEqual(rowsOf(base));
});
