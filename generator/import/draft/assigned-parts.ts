import { type Part, parts } from '../recipe/recipe.ts';
import { guessColumns, guessFields, guessPart, missingFields } from './column-guesses.ts';
import { proofsIn } from './column-proofs.ts';
import { arePackSizes, isWhole } from './column-values.ts';
import { hasWideStores, type Stated } from './draft-rules.ts';
import { codesIn, type DraftTable, tableName, textsIn } from './draft-tables.ts';
import { type Assigned, joinProducts, type LeftTable, relateInventory } from './related-tables.ts';

/** A person's decisions: the part of a table by its name, and the column of a field by its part. */
export type Decided = {
  readonly parts: ReadonlyMap<string, Part>;
  readonly columns: ReadonlyMap<Part, Columns>;
};
type Columns = ReadonlyMap<string, string>;

export function assignedTables(given: readonly DraftTable[], decided: Decided, stated: Stated): Assigned {
  const related = relateInventory(joinProducts(assignParts(given, decided)), decided.columns.get('inventory'));
  return withStores(withStoreCodes(related), stated);
}

/** Finds the part of each table. The table that tells most about products gets the others joined to it. */
function assignParts(given: readonly DraftTable[], decided: Decided): Assigned {
  const chosen = new Map<Part, DraftTable>();
  const left: LeftTable[] = [];
  const leave = (table: DraftTable, part: Part | null) => {
    const isAlone = table.each === null;
    const isOpen = isAlone && part === null && table.columns.length > 1;
    left.push({ table, isOpen, reason: isAlone ? unusedReason(table, part) : null });
  };
  /** How much a table tells about products: a column of names counts most, then the number of fields. */
  const told = (table: DraftTable) => {
    const found = guessFields('products', table.columns, table);
    return found.size + (found.has('source_name') ? 100 : 0);
  };
  for (const one of given) {
    const table = { ...one, proofs: proofsIn(one) };
    const own = decided.parts.get(tableName(one)) ?? decided.parts.get(one.file);
    const guessed = guessPart(one.columns, table);
    // A list in records has facts about each record and store, or nothing of use.
    const part = own ?? (one.each === null || guessed === 'inventory' ? guessed : null);
    const other = part === null ? undefined : chosen.get(part);
    const isBetter = part === 'products' && other !== undefined && told(table) > told(other);
    if (part === null || (own === undefined && other !== undefined && !isBetter)) {
      leave(table, part);
      continue;
    }
    chosen.set(part, table);
    if (other !== undefined) leave(other, part);
  }
  // A flat file has a row for each product in each store, with the facts of both.
  const isFlat = (one: DraftTable) => one.each === null && missingFields('products', one.columns, one).length === 0;
  const flat = [...chosen.values()].find(isFlat);
  if (flat !== undefined && !chosen.has('products')) chosen.set('products', flat);
  // The headers are in an unknown language. The table is most likely the products, and a person is asked.
  const first = left.find(({ table }) => table.columns.length > 1);
  if (chosen.size === 0 && first !== undefined) {
    chosen.set('products', first.table);
    left.splice(left.indexOf(first), 1, { ...first, reason: null });
  }
  const withColumns = [...chosen].map(([part, table]) => [part, decidedOf(part, table, decided)] as const);
  return { chosen: new Map(withColumns), left, joins: [], notes: [] };
}

function decidedOf(part: Part, table: DraftTable, { columns }: Decided): DraftTable {
  return { ...table, decided: columns.get(part) ?? new Map<string, string>() };
}

/** Uses the names of stores as codes, if no column has codes or ids and the names differ. */
function withStoreCodes(assigned: Assigned): Assigned {
  const stores = assigned.chosen.get('stores');
  const found = stores && guessFields('stores', stores.columns, stores);
  const name = found?.get('name');
  if (stores === undefined || name === undefined) return assigned;
  const isUnique = codesIn(stores, name).length === stores.count;
  if (found?.has('inventory_store_code') || found?.has('directory_id') || !isUnique) return assigned;
  const decided = new Map([...(stores.decided ?? []), ['inventory_store_code', name], ['name', name]]);
  return { ...assigned, chosen: new Map([...assigned.chosen, ['stores', { ...stores, decided }]]) };
}

/**
 * Adds stores that only the inventory names, because a publication needs them. The name of a store stands for a missing
 * address, except in the USA, where addresses need more.
 */
function withStores(assigned: Assigned, { country }: Stated): Assigned {
  const { chosen } = assigned;
  const inventory = chosen.get('inventory');
  const store = inventory && guessFields('inventory', inventory.columns, inventory).get('store');
  if (inventory === undefined || store === undefined || chosen.has('stores')) return assigned;
  const name = tableName(inventory);
  const inner = inventory.columns.filter((one) => inventory.each === null || one.startsWith(`${inventory.each}.`));
  const isAddressed = missingFields('stores', inner, inventory).length === 0;
  if (country === 'US' && !isAddressed)
    return { ...assigned, notes: [...assigned.notes, `${name}: no file has the stores, whose addresses are needed`] };
  const found = guessFields('stores', inner, { ...inventory, decided: new Map([['inventory_store_code', store]]) });
  const named = found.get('name') ?? store;
  const decided = new Map([
    ...found,
    ['inventory_store_code', store],
    ['name', named],
    ['address.line1', found.get('address.line1') ?? named],
    ['address.city', found.get('address.city') ?? found.get('address.region') ?? named],
  ]);
  decided.delete('directory_id');
  const note = `${name}: no file has the stores; what it calls them stands for their names and addresses`;
  return {
    ...assigned,
    chosen: new Map([...chosen, ['stores', { ...inventory, columns: inner, decided }]]),
    notes: isAddressed ? assigned.notes : [...assigned.notes, note],
  };
}

/** The table with one quantity for each product, perhaps joined. `decided`: columns that a person named. */
export function statewideStock({ chosen, joins }: Assigned, decided: Columns = new Map()): DraftTable | null {
  const products = chosen.get('products');
  const inventory = chosen.get('inventory');
  if (inventory !== undefined) {
    const found = guessFields('inventory', inventory.columns, inventory);
    const sku = found.get('sku');
    const isOnce = sku !== undefined && codesIn(inventory, sku).length === inventory.filled(sku);
    return isOnce && !found.has('store') && !hasWideStores(inventory) ? inventory : null;
  }
  if (products === undefined) return null;
  const own = guessFields('products', products.columns, products).get('sku');
  const tables = [...joins.map(({ table, by: [, sku] }) => ({ table, sku })), { table: products, sku: own }];
  const counted = tables.find(({ table }) => isCounted(table));
  if (counted === undefined) return null;
  const { table, sku } = counted;
  return { ...table, decided: new Map([...(sku === undefined ? [] : [['sku', sku] as const]), ...decided]) };
}

function unusedReason(table: DraftTable, part: Part | null): string {
  const { columns } = table;
  if (part !== null) return `another table has the ${part}`;
  if (columns.length === 0) return 'none of the first rows looks like a header, with two texts at least';
  const lacking = parts.map((one) => `${one} lack ${missingFields(one, columns, table).join(' and ')}`);
  const more = columns.length > mostShown ? `, and ${columns.length - mostShown} more` : '';
  return `no part has columns like ${columns.slice(0, mostShown).join(', ')}${more}: ${lacking.join('; ')}`;
}

const mostShown = 40;

function isCounted(table: DraftTable): boolean {
  const { fields, rivals } = guessColumns('inventory', table.columns, table);
  const column = fields.get('quantity') ?? rivals.get('quantity')?.[0];
  const texts = column === undefined ? [] : textsIn(table, column);
  return texts.length > 0 && texts.every(isWhole) && !arePackSizes(texts);
}
