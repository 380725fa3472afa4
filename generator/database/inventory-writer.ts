import type { Connection } from './connection.ts';
import { type Row, VersionedTable } from './versioned-table.ts';

/** A product's last success, with the sums over its current rows. */
export type LastSuccess = {
  readonly publication: number;
  readonly scope: number;
  readonly reported_quantity: number;
  readonly reported_positive_store_count: number;
};

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

/** A product of the catalog in force, with its open version. */
export type ListedProduct = { readonly product: number; readonly id: string; readonly version: number };

/** The time of a product's last attempt, if there was one, and the totals that it carries. */
type LastAttempt = Pick<RetrievalRow, 'last_success' | 'first_retrieved_at' | 'last_positive_at'> & {
  readonly attempted_at: string | null;
};

/** A current row of a product. */
export type CurrentRow = { readonly store: number; readonly quantity: number };

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

/** Writes retrievals, reported rows and their classification. */
export function inventoryWriter(connection: Connection) {
  const rows = new VersionedTable(connection, 'inventory_version', ['product', 'store']);
  const listed = connection.prepare<[string], ListedProduct>(`
    SELECT product, product.id, version FROM product JOIN product_version USING (product)
    WHERE sku = ? AND last_publication IS NULL AND catalog_presence = 'listed'`);
  const lastAttempt = connection.prepare<[number], LastAttempt>(`
    SELECT attempted_at, last_success, first_retrieved_at, last_positive_at FROM retrieval
    WHERE product = ? ORDER BY publication DESC LIMIT 1`);
  const success = connection.prepare<[number, number], LastSuccess>(`
    SELECT publication, scope, reported_quantity, reported_positive_store_count
    FROM retrieval WHERE product = ? AND publication = ?`);
  const insertRetrieval = connection.prepare<[RetrievalRow]>(`
    INSERT INTO retrieval VALUES (:product, :publication, :attempted_at, :status, :retrieved_at, :source_updated_at,
      :scope, :last_success, :reported_quantity, :reported_positive_store_count, :first_retrieved_at, :last_positive_at)`);
  const current = connection.prepare<[number], CurrentRow>(`
    SELECT store, quantity FROM inventory_version WHERE product = ? AND last_publication IS NULL ORDER BY store`);
  const hadRow = connection
    .prepare<[number, number], number>('SELECT 1 FROM inventory_version WHERE product = ? AND store = ? LIMIT 1')
    .pluck();
  const olderOf = connection
    .prepare<[number], number>(
      'SELECT store FROM older_observation WHERE product = ? AND last_publication IS NULL ORDER BY store',
    )
    .pluck();
  const scopeStores = connection
    .prepare<[number], number>('SELECT store FROM inventory_scope_store WHERE scope = ? ORDER BY store')
    .pluck();
  return {
    rows,
    older: new VersionedTable(connection, 'older_observation', ['product', 'store']),
    listedProduct: (sku: string) => listed.get(sku),
    /** A product's last attempt, which carries the totals of all attempts so far. */
    lastAttempt: (product: number): LastAttempt =>
      lastAttempt.get(product) ?? {
        attempted_at: null,
        last_success: null,
        first_retrieved_at: null,
        last_positive_at: null,
      },
    success: (product: number, publication: number) => success.get(product, publication),
    insertRetrieval: (retrieval: RetrievalRow) => insertRetrieval.run(retrieval),
    /** Current rows of a product, by store. */
    current: (product: number) => current.all(product),
    /** Whether a pair ever had a row. */
    hadRow: (product: number, store: number) => hadRow.get(product, store) !== undefined,
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
    /** Classifies every current row again. A row whose classification changed gets a new version. */
    classify: (sequence: number) => classify(connection, rows, sequence),
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

function classify(connection: Connection, rows: VersionedTable, sequence: number): void {
  const changed = connection
    .prepare<[], Row>(`
      SELECT row.*, ${eligibility} AS classified FROM inventory_version AS row
        JOIN product_version AS p ON p.product = row.product AND p.last_publication IS NULL
        JOIN store_version AS s ON s.store = row.store AND s.last_publication IS NULL
      WHERE row.last_publication IS NULL AND row.purchase_eligibility IS NOT ${eligibility}
      ORDER BY row.product, row.store`)
    .all();
  for (const { classified, ...row } of changed) {
    rows.put(sequence, { ...row, purchase_eligibility: classified ?? null }, row);
  }
}
