import type { PurchaseEligibility } from '../../contract/schemas/primitives.ts';
import { type Connection, firstValue, rowQuery } from './connection.ts';
import { hasNewStoreVersion } from './entity-writers.ts';
import { columnNames, type RowOf } from './schema.ts';
import { batchInserter, versionedTable } from './table-writers.ts';

type Product = RowOf<'product_version'>;
type Retrieval = RowOf<'retrieval'>;
type Row = RowOf<'inventory_version'>;
type NewRow = Omit<Row, 'last_publication'>;

/**
 * A product of the catalog in force, with its open version, its last attempt, which carries the totals of all attempts
 * so far, and its last success. Unknown values are null.
 */
export type AskedProduct = Pick<Product, 'product' | 'version' | 'lifecycle' | 'price_minor' | 'size_ml'> &
  Pick<RowOf<'product'>, 'id'> &
  Pick<
    Retrieval,
    | 'first_retrieved_at'
    | 'last_positive_at'
    | 'last_success'
    | 'source_updated_at'
    | 'scope'
    | 'reported_quantity'
    | 'reported_positive_store_count'
  > & { readonly attempted_at: Retrieval['attempted_at'] | null };

export type CurrentRow = Pick<Row, 'store' | 'quantity' | 'first_publication'>;

/**
 * SQL that classifies a positive row for ordinary consumer purchase (contract.md 9). Null for a zero. Needs `row`
 * (inventory_version), `p` (product_version) and `s` (store_version).
 */
const eligibility = `CASE
  WHEN row.quantity = 0 THEN NULL
  WHEN p.lifecycle = 'restricted' THEN 'restricted'
  WHEN p.lifecycle IN ('active', 'discontinued') AND s.access_type IN ('consumer_state_store', 'package_agency')
    AND s.operational_state IN ('open', 'unknown') AND ifnull(s.presence_state, '') <> 'reviewed_retired'
  THEN 'eligible' ELSE 'not_eligible' END`;

export type InventoryWriter = ReturnType<typeof inventoryWriter>;

/** Writes the retrievals, the reported rows and their classification of publication `sequence`. */
export function inventoryWriter(connection: Connection, sequence: number) {
  const asked = connection.prepare<[string], AskedProduct>(`
    SELECT product.product, product.id, version, lifecycle, price_minor, size_ml, last.attempted_at,
      last.first_retrieved_at, last.last_positive_at, last.last_success, success.source_updated_at, success.scope,
      success.reported_quantity, success.reported_positive_store_count
    FROM product CROSS JOIN product_version USING (product)
      LEFT JOIN retrieval AS last ON last.product = product.product AND last.publication =
        (SELECT max(publication) FROM retrieval WHERE retrieval.product = product.product)
      LEFT JOIN retrieval AS success ON success.product = product.product AND success.publication = last.last_success
    WHERE sku = +? AND last_publication IS NULL AND catalog_presence = 'listed'`);
  const current = rowQuery<[number], CurrentRow>(
    connection,
    `SELECT store, quantity, first_publication FROM inventory_version
    WHERE product = +? AND last_publication IS NULL ORDER BY store`,
  );
  const hadRow = connection
    .prepare<[number, number], number>('SELECT 1 FROM inventory_version WHERE product = +? AND store = +? LIMIT 1')
    .pluck();
  const closeRow = connection.prepare<[number, number, number, number]>(`
    UPDATE inventory_version SET last_publication = ? WHERE product = +? AND store = +? AND first_publication = +?`);
  const olderStores = connection
    .prepare<[number], number>(
      'SELECT store FROM older_observation WHERE product = +? AND last_publication IS NULL ORDER BY store',
    )
    .pluck();
  const scopeStores = connection
    .prepare<[number], number>('SELECT store FROM inventory_scope_store WHERE scope = +? ORDER BY store')
    .pluck();
  const retrievals = batchInserter<Retrieval>(connection, 'retrieval', columnNames('retrieval'));
  const newColumns = ['product', 'store', 'first_publication', 'quantity', 'purchase_eligibility'] as const;
  const rows = batchInserter<NewRow>(connection, 'inventory_version', newColumns);
  return {
    older: versionedTable(connection, 'older_observation', ['product', 'store']),
    askedProduct: (sku: string) => asked.get(sku),
    /** The number of attempts in the last publication that has any. */
    lastAttemptCount: () => {
      const isLast = 'publication = (SELECT max(publication) FROM retrieval)';
      return firstValue(connection, `SELECT count(*) FROM retrieval WHERE ${isLast}`) ?? 0;
    },
    /** The scope of the last publication with a successful retrieval; null if none has one. */
    lastScope: () => firstValue<number>(connection, lastScope) ?? null,
    /** The retrieval is in the table after `finish`. */
    insertRetrieval: retrievals.add,
    /** The current rows of a product, by store. */
    current,
    hadRow: (product: number, store: number) => hadRow.get(product, store) !== undefined,
    /** The row is in the table after `finish`. */
    insertRow: rows.add,
    closeRow: (product: number, { store, first_publication }: CurrentRow) =>
      closeRow.run(sequence - 1, product, store, first_publication),
    /** The stores whose observation of a product is older than the product's last success. */
    olderStores: (product: number) => olderStores.all(product),
    scopeStores: (scope: number) => scopeStores.all(scope),
    scopeOf: (stores: readonly number[]) => scopeOf(connection, stores),
    positiveRowCount: () => {
      const isPositive = 'last_publication IS NULL AND quantity > 0';
      return firstValue(connection, `SELECT count(*) FROM inventory_version WHERE ${isPositive}`) ?? 0;
    },
    positiveEligibility: () => positiveEligibility(connection),
    /**
     * Writes the last retrievals and rows. Then classifies rows again whose product or store the publication changed. A
     * row whose classification changes gets a new version.
     */
    finish: () => {
      retrievals.flush();
      rows.flush();
      classify(connection, sequence);
    },
  };
}

const lastScope = `SELECT scope FROM retrieval WHERE scope IS NOT NULL AND publication =
  (SELECT max(publication) FROM publication_total WHERE scope_stores IS NOT NULL) LIMIT 1`;

/** By store, the classification of a positive row of a product with this lifecycle. */
export type PositiveEligibility = (lifecycle: Product['lifecycle']) => ReadonlyMap<number, PurchaseEligibility>;

function positiveEligibility(connection: Connection): PositiveEligibility {
  const ofLifecycle = connection.prepare<[string], { store: number; eligibility: PurchaseEligibility }>(`
    SELECT s.store, ${eligibility} AS eligibility
    FROM store_version AS s, (SELECT ? AS lifecycle) AS p, (SELECT 1 AS quantity) AS row
    WHERE s.last_publication IS NULL ORDER BY s.store`);
  const known = new Map<string, ReadonlyMap<number, PurchaseEligibility>>();
  return (lifecycle) => {
    const found =
      known.get(lifecycle) ?? new Map(ofLifecycle.all(lifecycle).map(({ store, eligibility }) => [store, eligibility]));
    known.set(lifecycle, found);
    return found;
  };
}

/** Each set of stores is stored once. */
function scopeOf(connection: Connection, stores: readonly number[]): number {
  const sorted = JSON.stringify([...stores].sort((a, b) => a - b));
  const found = firstValue(connection, 'SELECT scope FROM inventory_scope WHERE stores = ?', sorted);
  if (found !== undefined) return found;
  const inserted = connection.prepare('INSERT INTO inventory_scope (stores) VALUES (?)').run(sorted);
  const scope = Number(inserted.lastInsertRowid);
  connection
    .prepare('INSERT INTO inventory_scope_store SELECT ?, value FROM json_each(?) ORDER BY value')
    .run(scope, sorted);
  return scope;
}

function classify(connection: Connection, sequence: number): void {
  const rows = versionedTable(connection, 'inventory_version', ['product', 'store']);
  // Rows of this publication are classified as they are written, so only new versions of products and stores matter.
  const ofProducts = 'row.product IN (SELECT product FROM product_version WHERE first_publication = :sequence)';
  const changed = connection
    .prepare<[{ sequence: number }], Row & { readonly classified: PurchaseEligibility | null }>(`
      SELECT row.*, ${eligibility} AS classified FROM inventory_version AS row
        JOIN product_version AS p ON p.product = row.product AND p.last_publication IS NULL
        JOIN store_version AS s ON s.store = row.store AND s.last_publication IS NULL
      WHERE row.last_publication IS NULL AND row.purchase_eligibility IS NOT ${eligibility}
        AND ${hasNewStoreVersion(connection, sequence) ? ':sequence > 0' : ofProducts}
      ORDER BY row.product, row.store`)
    .all({ sequence });
  for (const { classified, ...row } of changed) {
    rows.put(sequence, { ...row, purchase_eligibility: classified }, row);
  }
}
