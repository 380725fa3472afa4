import Database from 'better-sqlite3';
import { readParts, rowCount, type SnapshotParts } from './snapshot-parts.ts';

/*
 * Measures the least time that inserting a series into SQLite can take: its rows in the order in which they come, into
 * tables without keys, with prepared statements, one transaction per snapshot, and as durably as publishing. Nothing is
 * checked, compared or kept as history.
 */

const columns = {
  product: [
    'publication',
    'sku',
    'source_name',
    'name',
    'size_ml',
    'size_text',
    'pack_count',
    'price_minor',
    'price_source',
    'status_code',
    'status_label',
    'status_raw',
    'lifecycle',
    'category_id',
  ],
  store: [
    'publication',
    'inventory_store_code',
    'directory_id',
    'name',
    'address',
    'phone',
    'location',
    'access_type',
    'operational_status',
    'services',
    'regular_hours',
    'directory_presence',
  ],
  retrieval: ['publication', 'sku', 'attempted_at', 'status', 'retrieved_at', 'source_updated_at'],
  quantity: ['publication', 'sku', 'inventory_store_code', 'quantity'],
  category: ['publication', 'id', 'parent_id', 'name', 'active'],
  brand: ['publication', 'slug', 'name', 'aliases', 'reviewed'],
  family: ['publication', 'slug', 'name', 'brand'],
  curated_product: [
    'publication',
    'sku',
    'brand',
    'family',
    'relationship_type',
    'vintage_year',
    'age_statement',
    'package',
  ],
  former_sku: ['publication', 'former_sku', 'sku'],
} as const;

type Table = keyof typeof columns;
type Insert = (table: Table, values: readonly unknown[]) => void;

function insertsInto(file: string): { database: Database.Database; insert: Insert } {
  const database = new Database(file);
  database.pragma('journal_mode = DELETE');
  database.pragma('synchronous = FULL');
  database.pragma('cache_size = -65536');
  for (const [table, names] of Object.entries(columns)) database.exec(`CREATE TABLE ${table} (${names.join(', ')})`);
  const statements = new Map(
    Object.entries(columns).map(([table, names]) => [
      table,
      database.prepare(`INSERT INTO ${table} VALUES (${names.map(() => '?').join(', ')})`),
    ]),
  );
  return { database, insert: (table, values) => statements.get(table)?.run(values.map(stored)) };
}

function stored(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function insertParts(
  insert: Insert,
  publication: number,
  { products, stores, inventory, curation }: SnapshotParts,
): void {
  const insertAll = (table: Table, rows: readonly object[]) => {
    const names = columns[table].slice(1);
    for (const row of rows as readonly Record<string, unknown>[]) {
      insert(table, [publication, ...names.map((name) => row[name])]);
    }
  };
  insertAll('product', products);
  insertAll('store', stores);
  insertAll('retrieval', inventory);
  for (const { sku, rows } of inventory) {
    for (const [code, quantity] of rows) insert('quantity', [publication, sku, code, quantity]);
  }
  insertAll('category', curation.categories);
  insertAll('brand', curation.brands);
  insertAll('family', curation.families);
  insertAll('curated_product', curation.products);
  insertAll('former_sku', curation.sku_history);
}

/** Prints the number of rows and the time that the transactions alone took. */
function main([file, ...folders]: readonly string[]): void {
  const { database, insert } = insertsInto(file ?? '');
  let rows = 0;
  let milliseconds = 0;
  for (const [index, folder] of folders.entries()) {
    const parts = readParts(folder);
    rows += rowCount(parts);
    const started = performance.now();
    database.transaction(() => insertParts(insert, index + 1, parts))();
    milliseconds += performance.now() - started;
  }
  database.close();
  console.log(JSON.stringify({ rows, seconds: milliseconds / 1000 }));
}

main(process.argv.slice(2));
