import type * as z from 'zod';
import type { PurchaseEligibility } from '../contract/documents/observation.ts';
import type { lifecycle } from '../contract/documents/product.ts';
import { BlockInsert } from './block-insert.ts';
import type { Connection } from './connection.ts';
import { columnNames } from './schema.ts';
import { type Row, VersionedTable } from './versioned-table.ts';

type Lifecycle = z.infer<typeof lifecycle>;

export type RetrievalRow = {
  readonly product: number;
  readonly publication: number;
  readonly attempted_at: string;
  readonly status: 'succeeded' | 'failed';
  readonly retrieved_at: string | null;
  readonly source_updated_at: string | null;
  readonly scope: number | null;
  readonly last_success: number | null;
  readonly reported_quantity: number | null;
  readonly reported_positive_store_count: number | null;
  readonly first_retrieved_at: string | null;
  readonly last_positive_at: string | null;
};

/**
 * A product of the catalog in force, with its open version, its last attempt, which carries the totals of all attempts so
 * far, and its last success. All that is not known yet is null.
 */
export type AskedProduct = {
  readonly product: number;
  readonly id: string;
  readonly version: number;
  readonly lifecycle: Lifecycle;
  readonly attempted_at: string | null;
  readonly first_retrieved_at: string | null;
  readonly last_positive_at: string | null;
  readonly last_success: number | null;
  readonly scope: number | null;
  readonly reported_quantity: number | null;
  readonly reported_positive_store_count: number | null;
};

/** An asked product as an array. Arrays take half the time of objects to read. */
type AskedValues = [
  number,
  string,
  number,
  Lifecycle,
  string | null,
  string | null,
  string | null,
  number | null,
  number | null,
  number | null,
  number | null,
];

function askedOf(values: AskedValues): AskedProduct {
  return {
    product: values[0],
    id: values[1],
    version: values[2],
    lifecycle: values[3],
    attempted_at: values[4],
    first_retrieved_at: values[5],
    last_positive_at: values[6],
    last_success: values[7],
    scope: values[8],
    reported_quantity: values[9],
    reported_positive_store_count: values[10],
  };
}

/** A current row of a product, and the publication that brought it. */
export type CurrentRow = readonly [store: number, quantity: number, since: number];

/**
 * An SQL expression: whether a reported row is for ordinary consumer purchase (contract.md 9). Null unless the row is
 * positive. Needs `row` (inventory_version), `p` (product_version) and `s` (store_version).
 */
const eligibility = `CASE
  WHEN row.quantity = 0 THEN NULL
  WHEN p.lifecycle = 'restricted' THEN 'restricted'
  WHEN p.lifecycle IN ('active', 'discontinued') AND s.access_type IN ('consumer_state_store', 'package_agency')
    AND s.operational_state IN ('open', 'unknown') AND ifnull(s.presence_state, '') <> 'reviewed_retired'
  THEN 'eligible' ELSE 'not_eligible' END`;

export type InventoryWriter = ReturnType<typeof inventoryWriter>;

/** Writes retrievals, reported rows and their classification, as publication `sequence`. */
export function inventoryWriter(connection: Connection, sequence: number) {
  const asked = connection
    .prepare<[string], AskedValues>(`
      SELECT product.product, product.id, version, lifecycle, last.attempted_at, last.first_retrieved_at,
        last.last_positive_at, last.last_success, success.scope, success.reported_quantity,
        success.reported_positive_store_count
      FROM product CROSS JOIN product_version USING (product)
        LEFT JOIN retrieval AS last ON last.product = product.product AND last.publication =
          (SELECT max(publication) FROM retrieval WHERE retrieval.product = product.product)
        LEFT JOIN retrieval AS success ON success.product = product.product AND success.publication = last.last_success
      WHERE sku = ? AND last_publication IS NULL AND catalog_presence = 'listed'`)
    .raw();
  const retrievalColumns = columnNames('retrieval') as (keyof RetrievalRow)[];
  const retrievals = new BlockInsert(connection, 'retrieval', retrievalColumns);
  const current = connection
    .prepare<[number], CurrentRow>(`
      SELECT store, quantity, first_publication FROM inventory_version
      WHERE product = ? AND last_publication IS NULL ORDER BY store`)
    .raw();
  const hadRow = connection
    .prepare<[number, number], number>('SELECT 1 FROM inventory_version WHERE product = ? AND store = ? LIMIT 1')
    .pluck();
  const rows = new BlockInsert(connection, 'inventory_version', [
    'product',
    'store',
    'first_publication',
    'quantity',
    'purchase_eligibility',
  ]);
  const closeRow = connection.prepare<[number, number, number, number]>(`
    UPDATE inventory_version SET last_publication = ? WHERE product = ? AND store = ? AND first_publication = ?`);
  const olderOf = connection
    .prepare<[number], number>(
      'SELECT store FROM older_observation WHERE product = ? AND last_publication IS NULL ORDER BY store',
    )
    .pluck();
  const scopeStores = connection
    .prepare<[number], number>('SELECT store FROM inventory_scope_store WHERE scope = ? ORDER BY store')
    .pluck();
  const older = new VersionedTable(connection, 'older_observation', ['product', 'store']);
  return {
    older,
    askedProduct: (sku: string) => {
      const values = asked.get(sku);
      return values && askedOf(values);
    },
    insertRetrieval: (retrieval: RetrievalRow) => retrievals.add(...retrievalColumns.map((name) => retrieval[name])),
    /** Current rows of a product, by store. */
    current: (product: number) => current.all(product),
    /** Whether a pair ever had a row. */
    hadRow: (product: number, store: number) => hadRow.get(product, store) !== undefined,
    insertRow: (product: number, store: number, quantity: number, eligibility: PurchaseEligibility | null) =>
      rows.add(product, store, sequence, quantity, eligibility),
    /** Ends the current row of a pair, which holds since publication `since`. */
    closeRow: (product: number, store: number, since: number) => closeRow.run(sequence - 1, product, store, since),
    /** Stores of a product whose current observation is older than its last success. */
    olderStores: (product: number) => olderOf.all(product),
    scopeStores: (scope: number) => scopeStores.all(scope),
    scopeOf: (stores: readonly number[]) => scopeOf(connection, stores),
    /** Current rows with a positive quantity, over all products and stores. */
    positiveRowCount: () =>
      connection
        .prepare<[], number>('SELECT count(*) FROM inventory_version WHERE last_publication IS NULL AND quantity > 0')
        .pluck()
        .get() ?? 0,
    positiveEligibility: () => positiveEligibility(connection),
    /**
     * Writes the last rows, and classifies again what the publication's products and stores may have changed. A row
     * whose classification changed gets a new version.
     */
    finish: () => {
      retrievals.flush();
      rows.flush();
      older.flush();
      classify(connection, sequence);
    },
  };
}

/** How a positive row of a product with this lifecycle is classified, by store. */
export type PositiveEligibility = (lifecycle: Lifecycle) => ReadonlyMap<number, PurchaseEligibility>;

function positiveEligibility(connection: Connection): PositiveEligibility {
  const ofLifecycle = connection
    .prepare<[Lifecycle], [number, PurchaseEligibility]>(`
      SELECT s.store, ${eligibility} FROM store_version AS s, (SELECT ? AS lifecycle) AS p, (SELECT 1 AS quantity) AS row
      WHERE s.last_publication IS NULL ORDER BY s.store`)
    .raw();
  const known = new Map<Lifecycle, ReadonlyMap<number, PurchaseEligibility>>();
  return (lifecycle) => {
    const found = known.get(lifecycle) ?? new Map(ofLifecycle.all(lifecycle));
    known.set(lifecycle, found);
    return found;
  };
}

/** The key of a set of stores. Each set is stored once. */
function scopeOf(connection: Connection, stores: readonly number[]): number {
  const sorted = JSON.stringify([...stores].sort((a, b) => a - b));
  const found = connection
    .prepare<[string], number>('SELECT scope FROM inventory_scope WHERE stores = ?')
    .pluck()
    .get(sorted);
  if (found !== undefined) return found;
  const inserted = connection.prepare('INSERT INTO inventory_scope (stores) VALUES (?)').run(sorted);
  const scope = Number(inserted.lastInsertRowid);
  connection
    .prepare('INSERT INTO inventory_scope_store SELECT ?, value FROM json_each(?) ORDER BY value')
    .run(scope, sorted);
  return scope;
}

function classify(connection: Connection, sequence: number): void {
  const rows = new VersionedTable(connection, 'inventory_version', ['product', 'store']);
  const hasNewStore = connection
    .prepare<[number], number>('SELECT 1 FROM store_version WHERE first_publication = ? LIMIT 1')
    .pluck();
  // Rows of this publication are classified as they are written, so only other versions of what they are of matter.
  const ofProducts = 'row.product IN (SELECT product FROM product_version WHERE first_publication = :sequence)';
  const changed = connection
    .prepare<[{ sequence: number }], Row>(`
      SELECT row.*, ${eligibility} AS classified FROM inventory_version AS row
        JOIN product_version AS p ON p.product = row.product AND p.last_publication IS NULL
        JOIN store_version AS s ON s.store = row.store AND s.last_publication IS NULL
      WHERE row.last_publication IS NULL AND row.purchase_eligibility IS NOT ${eligibility}
        AND ${hasNewStore.get(sequence) === undefined ? ofProducts : ':sequence > 0'}
      ORDER BY row.product, row.store`)
    .all({ sequence });
  for (const { classified, ...row } of changed) {
    rows.put(sequence, { ...row, purchase_eligibility: classified ?? null }, row);
  }
  rows.flush();
}
