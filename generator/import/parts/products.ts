import { isCode } from '../../../contract/profile.ts';
import type { ProductLine } from '../../snapshot/format.ts';
import type { ProductsRule, Rule } from '../recipe/recipe.ts';
import { codeText, collapsed } from '../tables/table.ts';
import { cellAt } from '../values/field-reader.ts';
import { type PartFields, partFields } from '../values/part-fields.ts';
import { checkedLine, type ImportContext, type RoleFiles } from './context.ts';
import { openJoins } from './joins.ts';
import { OddFacts, productExtras } from './odd-facts.ts';
import { LeftOut, partRows } from './part-rows.ts';
import { ProductDoubts } from './product-doubts.ts';
import { SetAside } from './set-aside.ts';

type FilePlace = { readonly file: string; readonly row: number };

export type ImportedProducts = Awaited<ReturnType<typeof importProducts>>;

const file = 'products.ndjson';

/** The line, the place of its row, and its category's name there. */
type Read = { readonly line: ProductLine; readonly category: string | null } & FilePlace;

/** Writes products.ndjson, in the order of the rows. */
export async function importProducts(context: ImportContext, part: ProductsRule, { files, rule: fileRule }: RoleFiles) {
  const { faults, writer, schemas, profile } = context;
  const before = faults.added;
  const fields = partFields('products', part.fields, fileRule, context);
  const leftOut = new LeftOut(part);
  const columns = [...fields.columns, ...leftOut.columns];
  const joins = await openJoins(part.joins ?? [], columns, fields, context);
  const source = { files, rule: fileRule, each: null, columns, leftOut, joins };
  const [categoryColumn] = fields.reader('category_id')?.columns ?? [];
  const noteMerged = mergedNames(fields.reader('category_id')?.rule);
  const read = new Map<string, Read>();
  const aside = new SetAside(context.isQuarantine, context);
  const asideLines = new Map<string, object>();
  const odd = new OddFacts(productExtras, context);
  const doubts = new ProductDoubts(fields, columns, fileRule, context);
  /** Codes of rows with other faults. An inventory may still use them. */
  const named = new Set<string>();
  let isComplete = faults.added === before;
  for await (const { row, table } of faults.added > before ? [] : partRows(source, context)) {
    doubts.see(row, table);
    const own = aside.faultsOfRow();
    const ownBefore = own.added;
    const onFault = faults.in(table, row);
    const values = fields.readAll(row, table, own.in(table, row), (field) => odd.in(field, { table, row }));
    const line =
      values &&
      checkedLine<ProductLine>(schemas.productLine, values, { row, table }, fields, { faults: own, odd, profile });
    if (line?.size_of === 'container' && line.size_ml && !line.pack_count)
      own.in(table, row)(
        fields.placeOf('pack_count'),
        'a count of containers, because the size is that of one',
        'nothing',
      );
    if (!line || own.added > ownBefore) {
      const sku = fields.read('sku', row, table, () => {});
      const isReadable = typeof sku === 'string' && isCode('sku', profile, sku);
      if (isReadable) named.add(sku);
      else isComplete = false;
      const isNamed = isReadable && !read.has(sku) && !asideLines.has(sku);
      const fault = aside.take(own, isNamed);
      if (fault !== null)
        asideLines.set(String(sku), { ...fields.readFaulty(row, table, fault), fault: fault.fault, pack_count: fault });
      continue;
    }
    if (asideLines.has(line.sku))
      onFault(fields.placeOf('sku'), 'one row for each sku', `'${line.sku}', which another row has too`);
    // Left out if null, so that snapshots without it keep their bytes and ids.
    if (line.size_of === null) delete line.size_of;
    const first = read.get(line.sku);
    const chosen = first && leftOut.choose(JSON.stringify(first.line) === JSON.stringify(line));
    if (first && chosen === null) {
      const where = `${table.unit} ${first.row}${first.file === table.file ? '' : ` of ${first.file}`}`;
      const expected = 'one row for each sku, or "repeated" in the recipe';
      onFault(fields.placeOf('sku'), expected, `'${line.sku}', which ${where} has too`);
    }
    if (first && chosen !== 'last') continue;
    const category = categoryColumn === undefined ? null : collapsed(codeText(cellAt(row, table, categoryColumn)));
    const merged = line.category_id === null || category === null ? null : noteMerged(line.category_id, category);
    if (merged !== null) context.notices.in(table, row)(categoryColumn ?? null, merged, `'${category}'`);
    read.set(line.sku, { line, category, file: table.file, row: row.number });
  }
  aside.settle(file, read.size + asideLines.size);
  odd.settle(file, read.size + asideLines.size);
  refuseFractions(fields, [...read.values()], context);
  doubts.end();
  writer.line(file);
  const categories = new Map<string, string | null>();
  const categoryPlaces = new Map<string, FilePlace>();
  for (const { line, category, ...here } of read.values()) {
    writer.line(file, line);
    if (line.category_id === null || categories.has(line.category_id)) continue;
    categories.set(line.category_id, category);
    categoryPlaces.set(line.category_id, here);
  }
  for (const line of asideLines.values()) writer.line(file, line);
  return {
    count: read.size,
    setAside: aside.count,
    /** Whether every code was readable, so that no sku of a row is missing here. */
    isComplete,
    skus: new Set([...read.keys(), ...asideLines.keys(), ...named]),
    /** The categories by id, with the names that ids were made from. */
    categories,
    categoryPlaces,
    leftOut,
  };
}

/**
 * Compares a name with the first one that got the same category id. The function returns the expected name if they
 * differ in more than case, spaces and punctuation, and null otherwise. Lookups and replacements may turn names into
 * one category on purpose.
 */
function mergedNames(rule: Rule | undefined): (id: string, name: string) => string | null {
  const first = new Map<string, string>();
  if (rule?.as !== 'category' || rule.lookup !== undefined || rule.replace !== undefined) return () => null;
  const letters = (name: string) =>
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu)
      ?.join(' ');
  return (id, name) => {
    const before = first.get(id) ?? name;
    first.set(id, before);
    return letters(before) === letters(name) ? null : `a name that does not make ${id}, as '${before}' does`;
  };
}

/** Alcohol contents that never exceed 1 are probably fractions. A recipe with `times` has decided that. */
function refuseFractions(fields: PartFields, read: readonly Read[], { faults }: ImportContext): void {
  const rule = fields.reader('alcohol_by_volume')?.rule;
  const alcoholIn = ({ line }: Read) => (line as { alcohol_by_volume?: number | null }).alcohol_by_volume ?? 0;
  const first = read.find((one) => alcoholIn(one) > 0);
  if (rule === undefined || rule.times !== undefined || first === undefined) return;
  if (read.some((one) => alcoholIn(one) > 1)) return;
  const field = fields.placeOf('alcohol_by_volume');
  const expected = 'percent: "times": 100 in the recipe if 1 means pure alcohol, "times": 1 if the values are percent';
  const got = `${alcoholIn(first)}, and no value above 1`;
  faults.add({ file: first.file, unit: 'row', line: first.row, field, expected, got });
}
