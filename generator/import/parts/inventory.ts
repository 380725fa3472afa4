import { inventoryLine, inventoryScope } from '../../publish/snapshot/format.ts';
import { problemsOf } from '../../publish/snapshot/problem.ts';
import type { InventoryRule } from '../recipe/recipe.ts';
import { type ImportContext, type RoleFiles, recipeFault } from './context.ts';
import { InventoryReader, type InventoryRows, type Others, type SourceFile } from './inventory-reader.ts';
import type { LeftOut } from './part-rows.ts';

export type ImportedInventory = {
  readonly retrievals: number;
  readonly rows: number;
  readonly stores: number;
  /** Codes of stores in the scope of which no row is: each product is absent there. */
  readonly storesWithoutRows: readonly string[];
  readonly leftOut: LeftOut;
};

const file = 'inventory.ndjson';
const scopeFile = 'inventory_scope.json';

/** Writes inventory.ndjson and inventory_scope.json, by sku and store, whatever the order of the rows is. */
export async function importInventory(
  context: ImportContext,
  rule: InventoryRule,
  role: RoleFiles,
  others: Others,
): Promise<ImportedInventory> {
  const read = await new InventoryReader(context, rule, role, others).read();
  return writeInventory(context, rule, read, others);
}

const unknownFile: SourceFile = { file, unit: 'row' };

function writeInventory(
  context: ImportContext,
  rule: InventoryRule,
  read: InventoryRows,
  others: Others,
): ImportedInventory {
  const { faults, writer, recipe, options } = context;
  const { quantities, retrievals, files, leftOut } = read;
  const scope = scopeOf(context, rule, read, others);
  const inScope = new Set(rule.scope !== 'stores' || others.stores?.isComplete ? scope : read.codes);
  const grouped = quantities.grouped();
  writer.line(file);
  let count = 0;
  const asked = rule.asked_for === 'catalog' ? (others.products?.skus ?? []) : retrievals.skus();
  if (rule.asked_for === 'catalog' && others.products === null)
    recipeFault(context)('inventory.asked_for', 'products in this import', 'none');
  const time = options.retrievedAt ?? recipe.snapshot.retrieved_at ?? null;
  if (rule.asked_for === 'catalog' && time === null) {
    recipeFault(context)('inventory.asked_for', 'snapshot.retrieved_at, or --retrieved-at', 'none');
    return { retrievals: 0, rows: 0, stores: 0, storesWithoutRows: [], leftOut };
  }
  for (const sku of asked) {
    const retrieval = retrievals.of(sku) ?? {
      status: 'succeeded',
      attempted_at: time,
      retrieved_at: time,
      source_updated_at: null,
    };
    const rows = grouped(sku);
    for (const [index, row] of rows.entries()) {
      const { file: name, unit } = files[row.file] ?? unknownFile;
      const place = { file: name, unit, row: row.row, column: read.storeColumn };
      const before = rows[index - 1];
      if (before?.store === row.store) {
        const where = `${unit} ${before.row}${before.file === row.file ? '' : ` of ${files[before.file]?.file}`}`;
        faults.add(
          place,
          'one row for each product and store',
          `${sku} in ${codeOf(row.store)}, which ${where} has too`,
        );
      }
      if (!inScope.has(codeOf(row.store))) faults.add(place, 'a store of the scope', `'${codeOf(row.store)}'`);
    }
    const line = { sku, ...retrieval, rows: rows.map(({ store, quantity }) => [codeOf(store), quantity]) };
    const checked = inventoryLine.safeParse(line);
    if (checked.success) {
      count += 1;
      if (faults.total === 0) writer.line(file, checked.data);
      continue;
    }
    if (faults.total > 0) continue;
    const place = { ...(files[0] ?? unknownFile), row: retrievals.rowOf(sku) || null, column: null };
    for (const { expected, got } of problemsOf(checked.error, line)) faults.add(place, expected, got);
  }
  writer.document(scopeFile, inventoryScope.parse({ inventory_store_codes: scope }));
  const storesWithoutRows = scope.filter((code) => !read.codes.has(code));
  return { retrievals: count, rows: quantities.length, stores: scope.length, storesWithoutRows, leftOut };
}

/** The stores that the retrievals covered, in order. */
function scopeOf(
  context: ImportContext,
  { scope }: InventoryRule,
  { codes }: InventoryRows,
  { stores }: Others,
): string[] {
  if (scope === 'rows') return [...codes].sort();
  if (scope !== 'stores') return [...new Set(scope)].sort();
  if (stores === null)
    recipeFault(context)('inventory.scope', 'stores in this import, or a list of store codes', "'stores'");
  return [...(stores?.codes ?? [])].sort();
}

function codeOf(store: number): string {
  return String(store).padStart(4, '0');
}
