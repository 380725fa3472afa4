import { countOf, countText } from '../../files/failure.ts';
import type { Part } from '../recipe/recipe.ts';
import { type Cell, cellText, codeText, collapsed, trimmed } from '../tables/table.ts';
import { nameCode } from '../values/name-ids.ts';
import { guessColumns, guessFields } from './column-guesses.ts';
import { proofsIn } from './column-proofs.ts';
import { areCodes, bareCode, isWhole } from './column-values.ts';
import { codesIn, type DraftTable, tableName, textsIn } from './draft-tables.ts';

/* Relates tables by the codes and names that they share, whatever their columns are called. */

/** A table without a part. `reason`: why; null for a list in records, which is not a table of its own. */
export type LeftTable = { readonly table: DraftTable; readonly reason: string | null; readonly isOpen: boolean };

/** A file whose columns are joined to the products. `by`: the products' column and the file's. */
export type DraftJoin = { readonly role: string; readonly table: DraftTable; readonly by: readonly [string, string] };

/** `notes`: how the tables fit, for a person. */
export type Assigned = {
  readonly chosen: ReadonlyMap<Part, DraftTable>;
  readonly left: readonly LeftTable[];
  readonly joins: readonly DraftJoin[];
  readonly notes: readonly string[];
};

/** Joins tables that have a row for most of the products' codes, and fields that the products lack. */
export function joinProducts(assigned: Assigned): Assigned {
  const products = assigned.chosen.get('products');
  const sku = products && guessFields('products', products.columns, products).get('sku');
  if (products === undefined || sku === undefined) return assigned;
  const skus = new Set(codesIn(products, sku).map(withoutZeros));
  let combined = products;
  const joins: DraftJoin[] = [];
  const notes: string[] = [];
  for (const { table } of assigned.left) {
    if (table.each !== null || products.each !== null || tableName(table) === tableName(products)) continue;
    // The same list on another day; its name differs only in the date.
    if (JSON.stringify(table.rule) === JSON.stringify(products.rule)) continue;
    const key = uniqueKey(table, skus);
    if (key === null) continue;
    const own = new Set(codesIn(table, key).map(withoutZeros));
    const role = roleOf(table, joins);
    const wider = withColumns(combined, { role, table, by: [sku, key] });
    const before = guessColumns('products', combined.columns, combined);
    const after = guessColumns('products', wider.columns, wider);
    const isMore = [...after.fields.keys(), ...after.rivals.keys()].some(
      (field) => !before.fields.has(field) && !before.rivals.has(field),
    );
    if (!isMore) continue;
    combined = wider;
    joins.push({ role, table, by: [sku, key] });
    const found = [...skus].filter((code) => own.has(code)).length;
    notes.push(
      `${tableName(table)} is joined by '${key}': ${countText(found)} of ${countOf(skus.size, 'code')} of products are in it`,
    );
  }
  if (joins.length === 0) return assigned;
  const isJoined = (table: DraftTable) => joins.some((join) => join.table === table);
  return {
    ...assigned,
    chosen: new Map([...assigned.chosen, ['products', combined]]),
    left: assigned.left.filter(({ table }) => !isJoined(table)),
    joins,
    notes: [...assigned.notes, ...notes],
  };
}

function withoutZeros(text: string): string {
  return bareCode(text).replace(/^0+(?=\d)/, '');
}

/** The length of full codes, if one column lost zeros that another column with the same codes has. */
function fullDigits(own: readonly string[], others: readonly string[]): number | null {
  const lengths = new Set(others.map((code) => code.length));
  const [length = 0] = lengths;
  const isPadded =
    lengths.size === 1 && others.some((code) => /^0\d+$/.test(code)) && others.every((one) => /^\d+$/.test(one));
  const hasLost =
    own.some((code) => code.length < length) && own.every((one) => /^\d+$/.test(one) && one.length <= length);
  return isPadded && hasLost ? length : null;
}

/** A column with a row for most of these codes, and no code twice. */
function uniqueKey(table: DraftTable, skus: ReadonlySet<string>): string | null {
  const isKey = (column: string) => {
    const codes = codesIn(table, column).map(withoutZeros);
    const known = codes.filter((code) => skus.has(code)).length;
    return codes.length === table.filled(column) && known >= 3 && known >= 0.8 * Math.min(codes.length, skus.size);
  };
  return table.columns.find(isKey) ?? null;
}

/** A role named after the file that is not the name of a part. */
function roleOf({ file }: DraftTable, joins: readonly DraftJoin[]): string {
  const plain = file
    .replace(/\..*$/, '')
    .replaceAll(/[^A-Za-z]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  const name = ['', 'products', 'stores', 'inventory'].includes(plain) ? `${plain}_more` : plain;
  return joins.some(({ role }) => role === name) ? `${name}_${joins.length + 1}` : name;
}

/** Names the joined columns as a recipe does: `prices.Retail`. */
function withColumns(products: DraftTable, { role, table, by: [own, key] }: DraftJoin): DraftTable {
  const others = table.columns.filter((column) => column !== key);
  const theirs = new Map(others.map((column) => [`${role}.${column}`, column]));
  const of =
    <Value>(ofOwn: (column: string) => Value, ofOther: (column: string) => Value) =>
    (column: string) => {
      const other = theirs.get(column);
      return other === undefined ? ofOwn(column) : ofOther(other);
    };
  const keyOf = (cell: Cell | undefined) => withoutZeros(trimmed(codeText(cell)));
  const rowsByKey = () => new Map(table.sample([key, ...others]).map(([code, ...cells]) => [keyOf(code), cells]));
  const padTo = fullDigits(codesIn(products, own).map(bareCode), codesIn(table, key).map(bareCode)) ?? products.padTo;
  const joined = {
    ...products,
    ...(padTo === undefined ? {} : { padTo }),
    columns: [...products.columns, ...theirs.keys()],
    values: of(products.values, table.values),
    counts: of(products.counts, table.counts),
    filled: of(products.filled, table.filled),
    decimalOf: of(products.decimalOf, table.decimalOf),
    sample: (names: readonly string[]) => {
      const rows = rowsByKey();
      return products.sample([own, ...names]).map(([code, ...cells]) => {
        const more = rows.get(keyOf(code));
        return cells.map((cell, index) => {
          const other = theirs.get(names[index] ?? '');
          return other === undefined ? cell : more?.[others.indexOf(other)];
        });
      });
    },
  };
  return { ...joined, proofs: proofsIn(joined) };
}

/**
 * Finds the inventory by the products' codes that it repeats, and its columns of store codes or names. A table with one
 * row for each product is the stock of the whole agency. `decided`: columns that a person named.
 */
export function relateInventory(given: Assigned, decided: ReadonlyMap<string, string> = new Map()): Assigned {
  const assigned = withStoreColumns(given);
  const products = assigned.chosen.get('products');
  const sku = products && guessFields('products', products.columns, products).get('sku');
  const skus = new Set(products && sku ? codesIn(products, sku).map(withoutZeros) : []);
  const isProducts = (table: DraftTable) =>
    products !== undefined && tableName(table) === tableName(products) && table.each === null;
  const other = assigned.left.find(({ table }) => !isProducts(table) && isStock(table, skus, sku));
  const isFound = !assigned.chosen.has('inventory') && other !== undefined;
  const inventory = isFound ? { ...other.table, decided } : assigned.chosen.get('inventory');
  if (inventory === undefined) return assigned;
  const left = isFound ? assigned.left.filter((one) => one !== other) : assigned.left;
  const chosen = new Map([...assigned.chosen, ['inventory' as const, inventory]]);

  const found = new Map(guessFields('inventory', inventory.columns, inventory));
  const reasons = new Map(inventory.reasons);
  /** The columns without a field. If the inventory is a list in records, these are only columns of the list. */
  const free = () => {
    const used = new Set(found.values());
    const inner = inventory.columns.filter((one) => inventory.each === null || one.startsWith(`${inventory.each}.`));
    return inner.filter((column) => !used.has(column));
  };
  const learn = (field: string, column: string | undefined, why: string) => {
    if (found.has(field) || column === undefined) return;
    found.set(field, column);
    reasons.set(column, why);
  };
  const repeatedSku = inventory.columns.find((column) => isRepeatedIn(inventory, column, skus, withoutZeros, 3));
  learn('sku', repeatedSku, 'codes of another file');
  const directory = chosen.get('stores');
  const shared = directory && sharedStores(directory, inventory, found.get('store'), free());
  if (directory && shared) {
    learn('store', shared.theirs, `${shared.isNamed ? 'names' : 'codes'} of another file`);
    const known = new Map([...(directory.decided ?? []), ['inventory_store_code', shared.own]]);
    const learned = shared.isNamed && !known.has('name') ? new Map([...known, ['name', shared.own]]) : known;
    const why = new Map([...(directory.reasons ?? []), [shared.own, 'the inventory repeats them']]);
    chosen.set('stores', { ...directory, decided: learned, reasons: why });
  }
  // Without a table of stores, the only codes in a list are store codes.
  const codes = inventory.each === null ? [] : storeCodes(inventory, found.get('sku'), free());
  if (directory === undefined && codes.length === 1) learn('store', codes[0], 'the only codes of the list');
  const counts = free().filter((column) => inventory.filled(column) > 0 && textsIn(inventory, column).every(isWhole));
  if (found.has('sku') && found.has('store') && counts.length === 1)
    learn('quantity', counts[0], 'the only whole numbers that are left');
  const inventorySku = found.get('sku');
  const [ownCodes, others] = [
    products && sku ? codesIn(products, sku).map(bareCode) : [],
    inventorySku === undefined ? [] : codesIn(inventory, inventorySku).map(bareCode),
  ];
  const padTo = fullDigits(ownCodes, others);
  const padOthers = fullDigits(others, ownCodes) ?? products?.padTo;
  if (products && padTo !== null) chosen.set('products', { ...products, padTo });
  const decidedColumns = new Map([...(inventory.decided ?? []), ...found]);
  chosen.set('inventory', {
    ...inventory,
    decided: decidedColumns,
    reasons,
    ...(padOthers === undefined ? {} : { padTo: padOthers }),
  });
  return { ...assigned, chosen, left };
}

/** Finds an inventory with a column for each store, named after the store. */
function withStoreColumns(assigned: Assigned): Assigned {
  const { chosen, left } = assigned;
  const directory = chosen.get('stores');
  const products = chosen.get('products');
  if (directory === undefined) return assigned;
  const found = guessFields('stores', directory.columns, directory);
  const codeColumn = found.get('inventory_store_code');
  for (const name of directory.columns.filter(
    (column) => codesIn(directory, column).length === directory.filled(column),
  )) {
    const named = new Map(
      directory.sample([name, codeColumn ?? name]).map(([text, code]) => {
        const made =
          codeColumn === undefined ? nameCode(cellText(text), new Map()) : { value: trimmed(codeText(code)) };
        return [collapsed(cellText(text)), 'value' in made ? String(made.value) : ''] as const;
      }),
    );
    const tables = [chosen.get('inventory'), ...left.map(({ table }) => table), products];
    for (const table of tables) {
      const columns = table?.columns.filter((column) => named.has(column)) ?? [];
      if (table === undefined || columns.length < 2 || columns.length < 0.5 * named.size) continue;
      const stores = new Map(columns.map((column) => [column, named.get(column) ?? '']));
      const known = codeColumn === undefined ? [['inventory_store_code', name] as const, ['name', name] as const] : [];
      const learned = new Map([...(directory.decided ?? []), ...known]);
      return {
        ...assigned,
        chosen: new Map([
          ...chosen,
          ['stores', { ...directory, decided: learned }],
          ['inventory', { ...table, stores, decided: new Map() }],
        ]),
        left: left.filter((one) => one.table !== table),
      };
    }
  }
  return assigned;
}

/** An inventory of stores repeats products' codes, and has more rows than there are products. */
function isStock(table: DraftTable, skus: ReadonlySet<string>, sku: string | undefined): boolean {
  const column = table.columns.find((one) => isRepeatedIn(table, one, skus, withoutZeros, 3));
  if (column === undefined) return false;
  const { fields, rivals } = guessColumns('inventory', table.columns, table);
  // All lists in records repeat the records' codes. Only the stock has a number beside a store.
  if (table.each === null)
    return (
      fields.has('quantity') ||
      rivals.has('quantity') ||
      !guessFields('products', table.columns, table).has('source_name')
    );
  const inner = table.columns.filter((one) => one.startsWith(`${table.each}.`));
  const isCount = (one: string) => textsIn(table, one).every(isWhole);
  const isStore = (one: string) => textsIn(table, one).length > 1 && !isCount(one);
  const hasStores = inner.some(isStore) || storeCodes(table, column, inner).length > 0;
  return column === sku && inner.some(isCount) && hasStores && table.count > skus.size;
}

/**
 * The columns of a list that may have store codes: not all of their values are numbers, or no record has the same
 * number twice.
 */
function storeCodes(table: DraftTable, sku: string | undefined, columns: readonly string[]): string[] {
  const isNumber = (column: string) => textsIn(table, column).every(isWhole);
  const codes = columns.filter((column) => table.filled(column) > 0 && areCodes(codesIn(table, column)));
  const written = codes.filter((column) => !isNumber(column));
  if (written.length > 0 || sku === undefined) return written;
  return codes.filter((column) => {
    const pairs = table.sample([sku, column]).map((cells) => cells.map((cell) => cellText(cell)).join(' '));
    return new Set(pairs).size === pairs.length && 2 * codesIn(table, column).length <= table.filled(column);
  });
}

/** Whether most codes of a column are among these values. `bare` gives the form in which codes are compared. */
function isRepeatedIn(
  table: DraftTable,
  column: string,
  values: ReadonlySet<string>,
  bare: (text: string) => string,
  least: number,
): boolean {
  const own = codesIn(table, column).map(bare);
  const known = own.filter((text) => values.has(text)).length;
  return known >= least && known >= 0.8 * own.length;
}

/** The columns of stores and inventory that share codes or, if none do, names. Null if no columns share any. */
function sharedStores(
  directory: DraftTable,
  inventory: DraftTable,
  named: string | undefined,
  free: readonly string[],
) {
  const guessed = guessFields('stores', directory.columns, directory).get('inventory_store_code');
  const isUnique = (column: string) => codesIn(directory, column).length === directory.filled(column);
  const owns = [...(guessed === undefined ? [] : [guessed]), ...directory.columns.filter(isUnique)];
  const plain = (text: string) => collapsed(text).toLowerCase();
  for (const bare of [bareCode, plain])
    for (const own of owns) {
      const values = new Set(codesIn(directory, own).map(bare));
      const theirs = (named === undefined ? free : [named]).find((one) =>
        isRepeatedIn(inventory, one, values, bare, 2),
      );
      if (theirs !== undefined) return { own, theirs, isNamed: !areCodes(codesIn(directory, own)) };
    }
  return null;
}
