import { type ProductLine, productLine } from '../../publish/snapshot/format.ts';
import { collapsed, textOf } from '../tables/cell.ts';
import { PartFields } from '../values/part-fields.ts';
import { checkedLine, type ImportContext, type RoleFiles, recipeFault } from './context.ts';
import { LeftOut, partRows } from './part-rows.ts';
import { SkuRows } from './sku-rows.ts';

export type ImportedProducts = {
  readonly count: number;
  /** Whether all rows could be read, so that a sku that is not here is in none of them. */
  readonly isComplete: boolean;
  readonly skus: SkuRows;
  /** The categories of the products, with the names that ids were made of, if any. */
  readonly categories: ReadonlyMap<string, string | null>;
  /** Where the first product of each category is. */
  readonly categoryPlaces: ReadonlyMap<string, { readonly file: string; readonly row: number }>;
  readonly leftOut: LeftOut;
};

const file = 'products.ndjson';

/** Writes products.ndjson, in the order of the rows. */
export async function importProducts(
  context: ImportContext,
  { files, rule: fileRule }: RoleFiles,
): Promise<ImportedProducts> {
  const { recipe, faults, writer } = context;
  const part = recipe.products ?? { from: '', fields: {} };
  const before = faults.total;
  const fields = new PartFields('products', part.fields, context, [], recipeFault(context));
  const leftOut = new LeftOut(part.leave_out ?? []);
  const columns = [...fields.columns, ...leftOut.columns];
  const source = { files, rule: fileRule, each: null, columns, leftOut };
  const skus = new SkuRows();
  const categories = new Map<string, string | null>();
  const categoryPlaces = new Map<string, { file: string; row: number }>();
  const [categoryColumn] = fields.reader('category_id')?.columns ?? [];
  let count = 0;
  writer.line(file);
  const result = { skus, categories, categoryPlaces, leftOut };
  if (faults.total > before) return { ...result, count, isComplete: false };
  for await (const { row, table } of partRows(source, context)) {
    const place = (column: string | null) => ({ file: table.file, unit: table.unit, row: row.number, column });
    const values = fields.readAll(row, table, (column, expected, got) => faults.add(place(column), expected, got));
    const line = values && checkedLine<ProductLine>(productLine, values, { row, table }, fields, faults);
    if (!line) continue;
    const first = skus.add(line.sku, table, row.number);
    if (first !== null) {
      faults.add(place(fields.placeOf('sku')), 'one row for each sku', `'${line.sku}', which ${first} has too`);
      continue;
    }
    if (line.category_id !== null && !categories.has(line.category_id)) {
      const index = categoryColumn === undefined ? undefined : table.columns.indexOf(categoryColumn);
      categories.set(line.category_id, index === undefined ? null : collapsed(textOf(row.cells[index])));
      categoryPlaces.set(line.category_id, { file: table.file, row: row.number });
    }
    count += 1;
    writer.line(file, line);
  }
  return { ...result, count, isComplete: faults.total === before };
}
