import { usualProfile } from '../../contract/profile.ts';
import { type ProductLine, partSchemas } from '../../publish/snapshot/format.ts';
import { collapsed, textOf } from '../tables/table.ts';
import { cellAt } from '../values/field-reader.ts';
import { PartFields } from '../values/part-fields.ts';
import { checkedLine, type ImportContext, type RoleFiles, recipeFault } from './context.ts';
import { LeftOut, partRows } from './part-rows.ts';

const { productLine } = partSchemas(usualProfile);

type FilePlace = { readonly file: string; readonly row: number };

export type ImportedProducts = {
  readonly count: number;
  /** Whether all rows could be read, so that a sku that is not here is in none of them. */
  readonly isComplete: boolean;
  /** Where each sku stands. */
  readonly skus: ReadonlyMap<string, FilePlace>;
  /** The categories of the products, with the names that ids were made of, if any. */
  readonly categories: ReadonlyMap<string, string | null>;
  /** Where the first product of each category is. */
  readonly categoryPlaces: ReadonlyMap<string, FilePlace>;
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
  const skus = new Map<string, FilePlace>();
  const categories = new Map<string, string | null>();
  const categoryPlaces = new Map<string, FilePlace>();
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
    const here = { file: table.file, row: row.number };
    const first = skus.get(line.sku);
    if (first !== undefined) {
      const where = `${table.unit} ${first.row}${first.file === table.file ? '' : ` of ${first.file}`}`;
      faults.add(place(fields.placeOf('sku')), 'one row for each sku', `'${line.sku}', which ${where} has too`);
      continue;
    }
    skus.set(line.sku, here);
    if (line.category_id !== null && !categories.has(line.category_id)) {
      const name = categoryColumn === undefined ? null : collapsed(textOf(cellAt(row, table, categoryColumn)));
      categories.set(line.category_id, name);
      categoryPlaces.set(line.category_id, here);
    }
    count += 1;
    writer.line(file, line);
  }
  return { ...result, count, isComplete: faults.total === before };
}
