import { usualProfile } from '../../contract/profile.ts';
import { type CurationProduct, type ProductLine, partSchemas } from '../../publish/snapshot/format.ts';
import type { ProductsRule } from '../recipe/recipe.ts';
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
  readonly skus: ReadonlySet<string>;
  /** The categories of the products, with the names that ids were made of, if any. */
  readonly categories: ReadonlyMap<string, string | null>;
  /** Where the first product of each category is. */
  readonly categoryPlaces: ReadonlyMap<string, FilePlace>;
  /** Packages by sku. Null if the recipe does not say of what sizes are. */
  readonly packages: ReadonlyMap<string, Package> | null;
  readonly leftOut: LeftOut;
};

type Package = NonNullable<CurationProduct['package']>;

const file = 'products.ndjson';

/** A product with the place and the category's name that its row has. */
type Read = {
  readonly line: ProductLine;
  readonly package: Package | null;
  readonly category: string | null;
} & FilePlace;

/** Writes products.ndjson, in the order of the rows. */
export async function importProducts(
  context: ImportContext,
  part: ProductsRule,
  { files, rule: fileRule }: RoleFiles,
): Promise<ImportedProducts> {
  const { faults, writer } = context;
  const before = faults.total;
  const fields = new PartFields('products', part.fields, fileRule, context, [], recipeFault(context));
  const leftOut = new LeftOut(part);
  const source = { files, rule: fileRule, each: null, columns: [...fields.columns, ...leftOut.columns], leftOut };
  const [categoryColumn] = fields.reader('category_id')?.columns ?? [];
  const read = new Map<string, Read>();
  for await (const { row, table } of faults.total > before ? [] : partRows(source, context)) {
    const place = (column: string | null) => ({ file: table.file, unit: table.unit, row: row.number, column });
    const values = fields.readAll(row, table, (column, expected, got) => faults.add(place(column), expected, got));
    const { size_ml: size, pack_count: count } = (values ?? {}) as { size_ml?: number; pack_count?: number };
    if (part.size_of === 'container' && size && !count) {
      const expected = 'a count of containers, because the size is that of one';
      faults.add(place(fields.placeOf('pack_count')), expected, 'nothing');
      continue;
    }
    const rounded = values && { ...values, size_ml: size == null ? null : Math.round(size) };
    const line = rounded && checkedLine<ProductLine>(productLine, rounded, { row, table }, fields, faults);
    if (!line) continue;
    const first = read.get(line.sku);
    const chosen = first && leftOut.chosenOf(JSON.stringify(first.line) === JSON.stringify(line));
    if (first && chosen === null) {
      const where = `${table.unit} ${first.row}${first.file === table.file ? '' : ` of ${first.file}`}`;
      const expected = 'one row for each sku, or "repeated" in the recipe';
      faults.add(place(fields.placeOf('sku')), expected, `'${line.sku}', which ${where} has too`);
    }
    if (first && chosen !== 'last') continue;
    const category = categoryColumn === undefined ? null : collapsed(textOf(cellAt(row, table, categoryColumn)));
    const sized = part.size_of === undefined ? null : packageOf(part.size_of, size || null, count || null);
    read.set(line.sku, { line, package: sized, category, file: table.file, row: row.number });
  }
  writer.line(file);
  const categories = new Map<string, string | null>();
  const categoryPlaces = new Map<string, FilePlace>();
  const packages = new Map<string, Package>();
  for (const { line, category, package: sized, ...here } of read.values()) {
    writer.line(file, line);
    if (sized !== null) packages.set(line.sku, sized);
    if (line.category_id === null || categories.has(line.category_id)) continue;
    categories.set(line.category_id, category);
    categoryPlaces.set(line.category_id, here);
  }
  return {
    count: read.size,
    isComplete: faults.total === before,
    skus: new Set(read.keys()),
    categories,
    categoryPlaces,
    packages: part.size_of === undefined ? null : packages,
    leftOut,
  };
}

/** The package of `count` containers. `size`: milliliters of one or of all. Both may be unknown. Null if it says nothing. */
function packageOf(of: 'container' | 'package', size: number | null, count: number | null): Package | null {
  if (size === null && (count ?? 1) === 1) return null;
  const total = size && (of === 'container' ? size * (count ?? 1) : size);
  const unit = total && count && total / count;
  // A container of 354.83 mL is what is left of rounding: the size of one is not established.
  const isWhole = unit !== null && Number.isInteger(unit * 2);
  const many = of === 'container' ? 'explicit_source_name_and_pack_count' : 'corroborated_source_name_and_total';
  const [interpretation, basis] =
    total === null
      ? (['ambiguous', 'pack_count_with_ambiguous_source_size'] as const)
      : (count ?? 1) > 1
        ? (['multi_container', many] as const)
        : ([count === null ? 'ambiguous' : 'single_container', 'normalized_source_size'] as const);
  const inAll = total === null ? '' : volumeText(total);
  const packed = isWhole ? `${count} x ${volumeText(unit)}` : [`${count} pack`, inAll].filter(Boolean).join(', ');
  return {
    container_count: count,
    unit_milliliters: isWhole ? Math.round(unit) : null,
    total_milliliters: total && Math.round(total),
    display: (count ?? 1) > 1 ? packed : inAll,
    interpretation,
    basis,
    normalization_state: total === null ? 'unconfirmed' : 'normalized',
  };
}

function volumeText(milliliters: number): string {
  return milliliters < 1000 ? `${milliliters} mL` : `${milliliters / 1000} L`;
}
