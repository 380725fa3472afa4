import type { Connection } from '../database/connection.ts';
import { listedSkus, openStores } from '../database/entity-writers.ts';
import { categoriesInForce } from './curation.ts';
import type { SnapshotFolder } from './snapshot/folder.ts';
import {
  type Curation,
  type InventoryLine,
  inventoryLine,
  type ProductLine,
  productLine,
  type StoreLine,
  storeLine,
} from './snapshot/format.ts';
import { limits } from './snapshot/limits.ts';
import type { ValueFault } from './snapshot/problem.ts';
import type { RowFaults } from './snapshot/row-faults.ts';
import { type CheckedRows, checkRows, Room, readCuration, readScope } from './snapshot/rows.ts';
import { type CheckedStores, matchStores, type StoreNames } from './stores.ts';

/**
 * The content of a snapshot, checked in itself and against the state in the database. Parts that the snapshot does not
 * have are null.
 */
export type CheckedSnapshot = {
  readonly curation: Curation | null;
  readonly stores: CheckedStores | null;
  readonly products: CheckedProducts | null;
  readonly inventory: CheckedInventory | null;
};

export type CheckedProducts = { readonly lines: CheckedRows<ProductLine>; readonly setAside: ReadonlySet<string> };

/** `scope`: codes of stores that are known once the snapshot's directory is in force. */
export type CheckedInventory = { readonly scope: readonly string[]; readonly lines: CheckedRows<InventoryLine> };

/**
 * Reads every part of a snapshot and checks it against the other parts and the state in the database. It writes
 * nothing, so a snapshot that is faulty or slow to read does not keep others from publishing. Faulty rows go to
 * `faults`.
 */
export async function checkSnapshot(
  connection: Connection,
  { parts }: SnapshotFolder,
  faults: RowFaults,
): Promise<CheckedSnapshot> {
  const room = new Room();
  const curation = await checkCuration(parts.curation, faults);
  const stores = await checkStores(parts.stores, faults, room);
  const categories = curation ? new Set(curation.categories.map(({ id }) => id)) : categoriesInForce(connection);
  const listed = new Set<string>();
  const products = await checkProducts(parts.products, faults, room, categories, listed);
  if (parts.inventory === null) return { curation, stores, products, inventory: null };
  for (const sku of listedSkus(connection)) if (products === null || products.setAside.has(sku)) listed.add(sku);
  const inventory = await checkInventory(
    parts.inventory,
    parts.inventory_scope,
    faults,
    room,
    codesOf(connection, stores),
    listed,
  );
  return { curation, stores, products, inventory };
}

async function checkCuration(path: string | null, faults: RowFaults): Promise<Curation | null> {
  if (path === null) return null;
  const file = 'curation.json';
  const curation = await readCuration(path, faults.rejecting(file));
  for (const entries of Object.values(curation)) faults.accept(file, entries.length);
  return curation;
}

async function checkStores(path: string | null, faults: RowFaults, room: Room): Promise<CheckedStores | null> {
  if (path === null) return null;
  const lines: StoreLine[] = [];
  const setAside: StoreNames[] = [];
  await checkRows('stores', path, storeLine, faults, room, {
    unique: ({ inventory_store_code, directory_id }) => [
      ['inventory_store_code', inventory_store_code],
      ['directory_id', directory_id],
    ],
    atMost: limits.storeLines,
    onGood: (line) => lines.push(line),
    onRejected: ({ inventory_store_code, directory_id }) => {
      setAside.push({ inventory_store_code: keyOf(inventory_store_code), directory_id: keyOf(directory_id) });
    },
  });
  return { lines, setAside };
}

/** Adds the SKUs of the good lines to `listed`. */
async function checkProducts(
  path: string | null,
  faults: RowFaults,
  room: Room,
  categories: ReadonlySet<string>,
  listed: Set<string>,
): Promise<CheckedProducts | null> {
  if (path === null) return null;
  const setAside = new Set<string>();
  const lines = await checkRows('products', path, productLine, faults, room, {
    unique: ({ sku }) => [['sku', sku]],
    faultsOf: ({ category_id }) => categoryFaults(category_id, categories),
    onGood: ({ sku }) => listed.add(sku),
    onRejected: ({ sku }) => setAside.add(keyOf(sku) ?? ''),
  });
  return { lines, setAside };
}

async function checkInventory(
  path: string,
  scopePath: string | null,
  faults: RowFaults,
  room: Room,
  known: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): Promise<CheckedInventory> {
  const scope = scopePath === null ? new Set<string>() : await checkScope(scopePath, faults, known);
  const lines = await checkRows('inventory', path, inventoryLine, faults, room, {
    unique: ({ sku }) => [['sku', sku]],
    faultsOf: (line) => inventoryFaults(line, listed, scope),
  });
  return { scope: [...scope], lines };
}

async function checkScope(path: string, faults: RowFaults, known: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const file = 'inventory_scope.json';
  const scope = new Set<string>();
  const codes = await readScope(path, faults.rejecting(file));
  for (const [index, code] of codes.entries()) {
    if (known.has(code)) {
      scope.add(code);
      faults.accept(file);
      continue;
    }
    const field = `inventory_store_codes[${index}]`;
    const fault = { field, expected: 'the inventory_store_code of a known store', got: JSON.stringify(code) };
    faults.reject(file, null, JSON.stringify(code), [fault]);
  }
  return scope;
}

/** Codes of the stores as they are once the snapshot's directory is in force. */
function codesOf(connection: Connection, stores: CheckedStores | null): ReadonlySet<string> {
  const before = openStores(connection);
  const lines = stores?.lines ?? [];
  const matched = new Set(matchStores(lines, before).values());
  const staying = before.filter((store) => !matched.has(store));
  const codes = [...lines, ...staying].map(({ inventory_store_code }) => inventory_store_code);
  return new Set(codes.filter((code) => code !== null));
}

function categoryFaults(category: string | null, categories: ReadonlySet<string>): ValueFault[] {
  if (category === null || categories.has(category)) return [];
  return [{ field: 'category_id', expected: 'a category of the curation in force', got: JSON.stringify(category) }];
}

function inventoryFaults(
  { sku, rows }: InventoryLine,
  listed: ReadonlySet<string>,
  scope: ReadonlySet<string>,
): ValueFault[] {
  const faults: ValueFault[] = [];
  if (!listed.has(sku)) {
    faults.push({ field: 'sku', expected: 'a product of the catalog in force', got: JSON.stringify(sku) });
  }
  for (const [index, [code]] of rows.entries()) {
    if (scope.has(code)) continue;
    const expected = 'a store of inventory_scope.json';
    faults.push({ field: `rows[${index}][0]`, expected, got: JSON.stringify(code) });
  }
  return faults.slice(0, limits.problemsOfRow);
}

/** A key of a faulty row, or null. Text that is longer than a key may be is not one. */
function keyOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= limits.name ? value : null;
}
