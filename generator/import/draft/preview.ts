import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { displayPrice } from '../../../contract/profile.ts';
import { nameFits } from '../../files/name-patterns.ts';
import { useTemporaryFolder } from '../../files/temporary-folder.ts';
import type { InventoryLine, ProductLine } from '../../snapshot/format.ts';
import { profileIn } from '../../snapshot/format.ts';
import { partRule, type Recipe } from '../recipe/recipe.ts';
import { openInput } from '../tables/packed-files.ts';
import { cellText, codeText, columnIndex, trimmed } from '../tables/table.ts';
import { openTable } from '../tables/tables.ts';
import { code } from '../values/conversions.ts';
import type { ColumnGuess } from './described-columns.ts';

type Named = readonly [title: string, text: string];

/** A product as it would be published, beside its source row. The source is empty if a file of another shape has it. */
export type PreviewedProduct = { readonly source: readonly Named[]; readonly result: readonly Named[] };

const shown = 5;

/** Chooses the cheapest and the dearest product, the largest and the smallest, and the one with the most facts. */
export async function previewedProducts(
  snapshot: string,
  recipe: Recipe,
  files: readonly string[],
): Promise<PreviewedProduct[]> {
  const products = linesOf<ProductLine>(join(snapshot, 'products.ndjson'));
  const chosen = chosenProducts(products);
  const stock = new Map(linesOf<InventoryLine>(join(snapshot, 'inventory.ndjson')).map((line) => [line.sku, line]));
  const { categories } = JSON.parse(readFileSync(join(snapshot, 'curation.json'), 'utf8'));
  const names = new Map<string, string>(
    categories.map(({ id, name }: { id: string; name: string }) => [id, name] as const),
  );
  const rows = await sourceRows(recipe, files, new Set(chosen.map(({ sku }) => sku)));
  return chosen.map((product) => ({
    source: rows.get(product.sku) ?? [],
    result: resultOf(product, stock.get(product.sku), names, recipe),
  }));
}

function linesOf<Line>(file: string): Line[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function chosenProducts(products: readonly ProductLine[]): ProductLine[] {
  const by = (value: (product: ProductLine) => number | null) =>
    products.filter((product) => value(product) !== null).sort((a, b) => (value(a) ?? 0) - (value(b) ?? 0));
  const prices = by(({ price_minor }) => price_minor);
  const sizes = by(({ size_ml }) => size_ml);
  const filled = by((product) => Object.values(product).filter((value) => value !== null && value !== '').length);
  const wanted = [prices[0], prices.at(-1), sizes.at(-1), sizes[0], filled.at(-1), ...products.slice(0, shown)];
  const found = new Map(wanted.flatMap((product) => (product ? [[product.sku, product] as const] : [])));
  return [...found.values()].slice(0, shown);
}

function resultOf(
  product: ProductLine,
  stock: InventoryLine | undefined,
  categories: ReadonlyMap<string, string>,
  recipe: Recipe,
): Named[] {
  const { currency } = profileIn(recipe.snapshot);
  const number = (value: number) => String(Number(value.toFixed(2)));
  const { sku, name, size_ml, pack_count, price_minor, lifecycle, category_id, ...others } = product;
  const facts = others as Readonly<Record<string, unknown>>;
  const all: readonly (readonly [string, string | null])[] = [
    ['code', sku],
    ['name', name],
    ['size', size_ml === null ? null : sizeText(number(size_ml), product)],
    ['price', price_minor === null ? 'none' : displayPrice(price_minor, currency)],
    ['alcohol', typeof facts.alcohol_by_volume === 'number' ? `${number(facts.alcohol_by_volume)} % vol` : null],
    ...(['producer', 'country_of_origin', 'vintage', 'gtin'] as const).map(
      (fact) => [fact.replaceAll('_', ' '), facts[fact] == null ? null : String(facts[fact])] as const,
    ),
    ['category', category_id ? (categories.get(category_id) ?? category_id) : null],
    ['status', lifecycle],
    ['stock', stock === undefined ? null : stockText(stock)],
  ];
  return all.filter((row): row is Named => row[1] !== null);
}

/** The size of one container, or of everything sold together. */
function sizeText(milliliters: string, { size_of, pack_count }: ProductLine): string {
  if (pack_count === null || pack_count === 1) return `${milliliters} mL`;
  return size_of === 'package' ? `${milliliters} mL in ${pack_count} containers` : `${pack_count} × ${milliliters} mL`;
}

/** The stock of one store, or of the whole agency. */
function stockText({ rows: [first], quantity }: InventoryLine): string {
  if (typeof quantity === 'number') return `${quantity} in all`;
  return first === undefined ? 'no store reports any' : `${first[1]} at store ${first[0]}`;
}

async function sourceRows(
  recipe: Recipe,
  files: readonly string[],
  wanted: ReadonlySet<string>,
): Promise<Map<string, Named[]>> {
  const found = new Map<string, Named[]>();
  const products = partRule(recipe, 'products');
  const rule = products && recipe.files[products.from];
  const field = products?.fields.sku;
  const column = typeof field === 'object' ? field.column : field;
  const pad = typeof field === 'object' ? (field.pad ?? null) : null;
  if (rule === undefined || column === undefined) return found;
  return useTemporaryFolder(async (folder) => {
    for (const path of files) {
      for (const input of await openInput(path, folder, (name) => nameFits(rule.match, name))) {
        if (!nameFits(rule.match, input.name)) continue;
        const table = await openTable(input, rule, null, () => undefined).catch(() => null);
        for await (const { cells } of table?.rows ?? []) {
          const index = table?.hasHeader ? table.columns.indexOf(column) : columnIndex(column);
          const read = code(trimmed(codeText(cells[index ?? -1])), pad, null);
          const sku = 'value' in read ? String(read.value) : '';
          if (!wanted.has(sku) || found.has(sku)) continue;
          const names = table?.columns.names ?? [];
          found.set(
            sku,
            cells.map((cell, at) => [names[at] ?? '', cellText(cell)] as const).filter(([, text]) => text !== ''),
          );
          if (found.size === wanted.size) return found;
        }
      }
    }
    return found;
  });
}

/** The preview as a page, for people without a terminal. */
export function previewPage(
  title: string,
  products: readonly PreviewedProduct[],
  columns: readonly ColumnGuess[],
  notes: readonly string[],
): string {
  const list = (rows: readonly Named[]) =>
    `<dl>${rows.map(([name, text]) => `<dt>${escaped(name)}</dt><dd>${escaped(text)}</dd>`).join('')}</dl>`;
  const records = products.map(
    ({ source, result }) =>
      `<section><div><h3>in the file</h3>${list(source)}</div><div><h3>as it would be published</h3>${list(result)}</div></section>`,
  );
  const rows = columns.map(
    ({ file, column, example, field, why }) =>
      `<tr${field === null ? ' class="unused"' : ''}><td>${escaped(file)}</td><td>${escaped(column)}</td><td>${escaped(example)}</td><td>${escaped(field ?? 'not used')}</td><td>${escaped(why)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
section { display: flex; flex-wrap: wrap; gap: 1rem; border-top: 1px solid #bbb; }
section > div { flex: 1 1 20rem; min-width: 0; }
h3 { font-size: 0.9rem; color: #555; margin: 0.5rem 0; }
dl { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: 0 1rem; margin: 0 0 1rem; }
dt { color: #555; overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
td, th { text-align: left; border-bottom: 1px solid #ddd; padding: 0.2rem 0.5rem 0.2rem 0; vertical-align: top; overflow-wrap: break-word; }
@media (max-width: 40rem) { table { display: block; overflow-x: auto; } }
.unused { color: #767676; }
</style>
<h1>${escaped(title)}</h1>
<p>Left what the agency's files say, right what readers would see. Nothing is published yet.</p>
${records.join('\n')}
<h2>Columns</h2>
<table>
<tr><th>file</th><th>column</th><th>first value</th><th>field</th><th>why</th></tr>
${rows.join('\n')}
</table>
${notes.length === 0 ? '' : `<h2>Notes</h2>\n<ul>${notes.map((note) => `<li>${escaped(note)}</li>`).join('')}</ul>`}
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
