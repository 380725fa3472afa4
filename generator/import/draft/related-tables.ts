import type { Part } from '../recipe/recipe.ts';
import { guessFields } from './column-guesses.ts';
import { areUniqueCodes, bareCode } from './column-values.ts';
import { codesIn, type DraftTable, tableName, textsIn } from './draft-tables.ts';

/**
 * Finds the inventory among tables of unknown columns, by the codes of products that it repeats, and the columns with
 * codes of products and stores. The chosen tables learn of them.
 */
export function relate(
  chosen: Map<Part, DraftTable>,
  tables: readonly DraftTable[],
  unassigned: string[],
  unused: string[],
): void {
  const codesOf = (part: Part, field: string) => {
    const table = chosen.get(part);
    const column = table && guessFields(part, table.columns, table).get(field);
    return new Set(table && column ? codesIn(table, column).map(bareCode) : []);
  };
  const [skus, stores] = [codesOf('products', 'sku'), codesOf('stores', 'inventory_store_code')];
  const repeats = (table: DraftTable, codes: ReadonlySet<string>, least: number) =>
    table.columns.find((column) => {
      const own = codesIn(table, column).map(bareCode);
      const known = own.filter((code) => codes.has(code)).length;
      return known >= least && known >= 0.8 * own.length;
    });
  const other = tables.find((table) => unassigned.includes(tableName(table)) && repeats(table, skus, 3) !== undefined);
  if (!chosen.has('inventory') && other !== undefined) {
    chosen.set('inventory', other);
    unassigned.splice(unassigned.indexOf(tableName(other)), 1);
    unused.splice(
      unused.findIndex((line) => line.startsWith(`${tableName(other)}: `)),
      1,
    );
  }
  const inventory = chosen.get('inventory');
  if (inventory === undefined) return;
  const found = new Map(guessFields('inventory', inventory.columns, inventory));
  const reasons = new Map<string, string>();
  const learn = (field: string, look: (table: DraftTable) => string | undefined) => {
    const free = inventory.columns.filter((column) => ![...found.values()].includes(column));
    const column = found.has(field) ? undefined : look({ ...inventory, columns: free });
    if (column === undefined) return;
    found.set(field, column);
    reasons.set(column, field === 'quantity' ? 'the only whole numbers that are left' : 'codes of another file');
  };
  learn('sku', (table) => repeats(table, skus, 3));
  const directory = chosen.get('stores');
  const unnamed = stores.size > 0 ? null : unnamedStores(directory);
  learn('store', (table) => repeats(table, unnamed?.codes ?? stores, 2));
  if (directory && unnamed && found.has('store')) {
    const decided = new Map([...(directory.decided ?? []), ['inventory_store_code', unnamed.column]]);
    chosen.set('stores', {
      ...directory,
      decided,
      reasons: new Map([[unnamed.column, 'codes that the inventory repeats']]),
    });
  }
  const isKnown = found.has('sku') && found.has('store');
  learn('quantity', (table) => {
    const counts = table.columns.filter((column) => /^(?:\d+,)*\d+$/.test(textsIn(table, column).join(',')));
    return isKnown && counts.length === 1 ? counts[0] : undefined;
  });
  const decided = new Map([...(inventory.decided ?? []), ...found]);
  chosen.set('inventory', { ...inventory, decided, reasons });
}

/** The first column of stores with codes that differ in every row. */
function unnamedStores(table: DraftTable | undefined) {
  const column = table?.columns.find((one) => areUniqueCodes(codesIn(table, one), table.filled(one), 2));
  if (table === undefined || column === undefined) return null;
  return { column, codes: new Set(codesIn(table, column).map(bareCode)) };
}
