import { type Profile, usualProfile } from '../../contract/profile.ts';
import { mostFaultsOfValue, type ValueFault } from '../../contract/schemas/checked-value.ts';
import type { Connection } from '../database/connection.ts';
import { listedSkus, openStores } from '../database/entity-writers.ts';
import { databaseProfile } from '../database/publications.ts';
import type { Faults } from '../files/faults.ts';
import { locateSnapshot, type SnapshotFolder } from '../snapshot/folder.ts';
import {
  type Curation,
  type InventoryLine,
  type PartSchemas,
  type ProductLine,
  partSchemas,
  profileIn,
  type StoreLine,
} from '../snapshot/format.ts';
import { limits } from '../snapshot/limits.ts';
import type { PartFiles } from '../snapshot/lines.ts';
import { type RowFaults, rowFaults } from '../snapshot/row-faults.ts';
import { type CheckedRows, checkRows, readCuration, readScope } from '../snapshot/rows.ts';
import { categoriesInForce } from './curation-tables.ts';
import { type CheckedStores, matchStores, type StoreNames } from './stores.ts';

/** Parts that the snapshot does not have are null. */
export type CheckedSnapshot = Awaited<ReturnType<typeof checkSnapshot>>;

export type CheckedProducts = { readonly lines: CheckedRows<ProductLine>; readonly setAside: ReadonlySet<string> };

/** `scope`: codes of stores that exist once the snapshot's directory is in force. */
export type CheckedInventory = { readonly scope: readonly string[]; readonly lines: CheckedRows<InventoryLine> };

/**
 * Checks every part of a snapshot against the other parts and the state in force. Writes nothing, so a faulty or slow
 * snapshot does not keep others from publishing. Every fault goes to `faults`. A part that cannot be read to its end is
 * null in the result, and references to it are not checked. Without a database, references that may be to an earlier
 * snapshot are not checked either.
 */
export async function checkSnapshot(
  connection: Connection | null,
  parts: SnapshotFolder['parts'],
  faults: RowFaults,
  profile: Profile,
) {
  const schemas = partSchemas(profile);
  const check = <Part>(files: PartFiles | null, read: (files: PartFiles) => Promise<Part>) =>
    files === null ? null : faults.inPart(() => read(files));

  const curation = await check(parts.curation, ([path]) => checkCuration(path, faults, schemas));
  const stores = await check(parts.stores, (files) => checkStores(files, faults, schemas));
  const categories =
    parts.curation === null
      ? connection && categoriesInForce(connection)
      : curation && new Set(curation.categories.map(({ id }) => id));
  const listed = new Set<string>();
  const products = await check(parts.products, (files) => checkProducts(files, faults, schemas, categories, listed));
  if (parts.inventory === null) return { curation, stores, products, inventory: null };

  addListedBefore(listed, connection, products);
  const isListKnown = parts.products === null ? connection !== null : products !== null;
  const isDirectoryKnown = parts.stores === null || stores !== null;
  const codes = connection && isDirectoryKnown ? knownCodes(connection, stores, faults) : null;
  const scope = await check(parts.inventory_scope, ([path]) => checkScope(path, faults, schemas, codes));
  const inventory = await check(parts.inventory, (files) =>
    checkInventory(files, schemas, scope, faults, isListKnown ? listed : null),
  );
  return { curation, stores, products, inventory };
}

/**
 * Every fault of a snapshot folder: in its header, its parts and its rows. Without a database, some references are not
 * checked, because they may be to an earlier snapshot: those to products and categories if the snapshot has none, and
 * those to stores always, because a store that left the directory stays known.
 */
export async function faultsOfFolder(
  folder: string,
  connection: Connection | null,
  quarantine: boolean,
): Promise<Faults> {
  const { name, parts, faults: ofFolder, header } = await locateSnapshot(folder);
  const faults = rowFaults(name, quarantine);
  const profile = header ? profileIn(header) : ((connection && databaseProfile(connection)) ?? usualProfile);
  faults.addUnreadable(ofFolder);
  await checkSnapshot(connection, parts, faults, profile);
  return faults.refusal();
}

/** Adds the SKUs of listed products that the snapshot does not list, because it has no catalog or set them aside. */
function addListedBefore(listed: Set<string>, connection: Connection | null, products: CheckedProducts | null): void {
  if (connection === null || products?.setAside.size === 0) return;
  for (const sku of listedSkus(connection)) if (products === null || products.setAside.has(sku)) listed.add(sku);
}

async function checkCuration(path: string, faults: RowFaults, schemas: PartSchemas): Promise<Curation> {
  const file = 'curation.json';
  const curation = await readCuration(path, faults.rejecting(file), (fault) => faults.refuse(file, fault), schemas);
  const { about: _, ...lists } = curation;
  for (const entries of Object.values(lists)) faults.accept(file, entries.length);
  return curation;
}

async function checkStores(files: PartFiles, faults: RowFaults, { storeLine }: PartSchemas): Promise<CheckedStores> {
  const lines: StoreLine[] = [];
  const setAside: StoreNames[] = [];
  await checkRows('stores', files, storeLine, faults, {
    unique: ({ inventory_store_code, directory_id }) => [
      ['inventory_store_code', inventory_store_code],
      ['directory_id', directory_id],
    ],
    atMost: limits.storeLines,
    onGood: (line) => lines.push(line),
    onRejected: ({ inventory_store_code, directory_id }) => {
      setAside.push({ inventory_store_code: readKey(inventory_store_code), directory_id: readKey(directory_id) });
    },
  });
  return { lines, setAside };
}

/** Adds the SKUs of good lines to `listed`, and of faulty lines if their faults do not spread. */
async function checkProducts(
  files: PartFiles,
  faults: RowFaults,
  { productLine }: PartSchemas,
  categories: ReadonlySet<string> | null,
  listed: Set<string>,
): Promise<CheckedProducts> {
  const setAside = new Set<string>();
  const lines = await checkRows('products', files, productLine, faults, {
    unique: ({ sku }) => [['sku', sku]],
    faultsOf: ({ category_id }) => categoryFaults(category_id, categories),
    onGood: ({ sku }) => listed.add(sku),
    onRejected: ({ sku }) => {
      setAside.add(readKey(sku) ?? '');
      if (!faults.faultsSpread) listed.add(readKey(sku) ?? '');
    },
  });
  return { lines, setAside };
}

/** `scope`, `listed`: null if unknown; nothing is checked against them then. */
async function checkInventory(
  files: PartFiles,
  { inventoryLine }: PartSchemas,
  scope: ReadonlySet<string> | null,
  faults: RowFaults,
  listed: ReadonlySet<string> | null,
): Promise<CheckedInventory> {
  const lines = await checkRows('inventory', files, inventoryLine, faults, {
    unique: ({ sku }) => [['sku', sku]],
    faultsOf: (line) => inventoryFaults(line, listed, scope),
  });
  return { scope: [...(scope ?? [])], lines };
}

async function checkScope(
  path: string,
  faults: RowFaults,
  schemas: PartSchemas,
  known: ReadonlySet<string> | null,
): Promise<ReadonlySet<string>> {
  const file = 'inventory_scope.json';
  const scope = new Set<string>();
  const codes = await readScope(path, faults.rejecting(file), schemas);
  for (const [index, code] of codes.entries()) {
    if (known === null || known.has(code)) {
      scope.add(code);
      faults.accept(file);
      continue;
    }
    const field = `inventory_store_codes[${index}]`;
    const fault = { field, expected: 'the inventory_store_code of a known store', got: JSON.stringify(code) };
    faults.reject(file, null, JSON.stringify(code), [fault]);
    if (!faults.faultsSpread) scope.add(code);
  }
  return scope;
}

/** The codes of all stores once the snapshot's directory is in force. */
function knownCodes(
  connection: Connection,
  stores: CheckedStores | null,
  { faultsSpread }: RowFaults,
): ReadonlySet<string> {
  const before = openStores(connection);
  const lines = stores?.lines ?? [];
  const matched = new Set(matchStores(lines, before).values());
  const staying = before.filter((store) => !matched.has(store));
  const faulty = faultsSpread ? [] : (stores?.setAside ?? []);
  const codes = [...lines, ...staying, ...faulty].map(({ inventory_store_code }) => inventory_store_code);
  return new Set(codes.filter((code) => code !== null));
}

function categoryFaults(category: string | null, categories: ReadonlySet<string> | null): ValueFault[] {
  if (category === null || categories === null || categories.has(category)) return [];
  return [{ field: 'category_id', expected: 'a category of the curation in force', got: JSON.stringify(category) }];
}

function inventoryFaults(
  { sku, rows }: InventoryLine,
  listed: ReadonlySet<string> | null,
  scope: ReadonlySet<string> | null,
): ValueFault[] {
  const faults: ValueFault[] = [];
  if (listed !== null && !listed.has(sku)) {
    faults.push({ field: 'sku', expected: 'a product of the catalog in force', got: JSON.stringify(sku) });
  }
  for (let index = 0; index < rows.length && scope !== null; index += 1) {
    const code = rows[index]?.[0] ?? '';
    if (scope.has(code)) continue;
    const expected = 'a store of inventory_scope.json';
    faults.push({ field: `rows[${index}][0]`, expected, got: JSON.stringify(code) });
  }
  return faults.slice(0, mostFaultsOfValue);
}

/** The key in a faulty row, or null. Overlong text is not a key. */
function readKey(value: unknown): string | null {
  return typeof value === 'string' && value.length <= limits.name ? value : null;
}
