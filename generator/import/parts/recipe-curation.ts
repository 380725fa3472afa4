import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { explainIssues, shown, type ValueFault } from '../../../contract/schemas/checked-value.ts';
import { explainFile } from '../../files/failure.ts';
import type { Curation } from '../../snapshot/format.ts';
import { soundCuration, uncheckedCuration } from '../../snapshot/sound-curation.ts';
import type { Recipe } from '../recipe/recipe.ts';
import { readJson } from '../recipe/recipe-file.ts';
import type { ImportContext } from './context.ts';
import type { ImportedProducts } from './products.ts';

const file = 'curation.json';
const none = { brands: [], families: [], products: [], sku_history: [] };

/** Writes curation.json: from a file next to the recipe, or from `about` and the recipe's or products' categories. */
export function importCuration(
  context: ImportContext,
  recipePath: string,
  products: ImportedProducts | null,
): Curation | null {
  const { recipe, faults, writer, recipeName } = context;
  const { curation: rule } = recipe;
  if (rule === undefined) return null;
  // A day without a catalog brings no categories. Published ones stay.
  if ('categories' in rule && rule.categories === 'from_products' && products === null) return null;
  const isFile = 'file' in rule;
  const from = isFile ? fileWithin(dirname(recipePath), rule.file) : recipePath;
  if (from === null) {
    context.recipeFault('curation.file', 'a file in the folder of the recipe', shown(isFile && rule.file));
    return null;
  }
  const add = (fault: ValueFault) => faults.add({ file: isFile ? basename(from) : recipeName, line: null, ...fault });
  const value = isFile
    ? readJson(from)
    : { about: rule.about, categories: importedCategories(rule.categories, products), ...none };
  const unchecked = uncheckedCuration.safeParse(value);
  if (!unchecked.success) {
    explainIssues(unchecked.error.issues, value).forEach(add);
    return null;
  }
  const curation = soundCuration(unchecked.data, (_row, faults) => faults.forEach(add), add, context.schemas);
  refuseMissing(context, curation, products);
  const { about, ...lists } = curation;
  // Without `about`, the key is left out, so that such a curation keeps its content and hash.
  writer.document(file, about === null ? lists : curation);
  return curation;
}

/**
 * The path of a file in a folder. Null for a path that leads outside the folder, even through a link: someone else's
 * recipe must not read files there.
 */
function fileWithin(folder: string, name: string): string | null {
  if (name.includes('\0')) return null;
  const path = join(folder, name);
  const inside = relative(
    realpathSync(folder),
    explainFile(path, 'a file', () => realpathSync(path)),
  );
  return /^\.\.(?![^\\/])/.test(inside) || isAbsolute(inside) ? null : path;
}

type Categories = Extract<Recipe['curation'], { categories: unknown }>['categories'];

/** A name does not tell a category's parent, so these have none. */
function importedCategories(categories: Categories, products: ImportedProducts | null): Curation['categories'] {
  if (categories !== 'from_products')
    return categories.map(({ id, parent_id = null, name, active = true }) => ({ id, parent_id, name, active }));
  const found = [...(products?.categories ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
  return found.map(([id, name]) => ({ id, parent_id: null, name: name || id, active: true }));
}

/** Refuses products in categories that the curation lacks, as `publish` would. */
function refuseMissing({ faults }: ImportContext, curation: Curation, products: ImportedProducts | null): void {
  const ids = new Set(curation.categories.map(({ id }) => id));
  for (const [id, { file: name, row }] of products?.categoryPlaces ?? []) {
    if (ids.has(id)) continue;
    const expected = 'a category of the curation, or "categories": "from_products" in the recipe';
    faults.add({ file: name, unit: 'row', line: row, field: 'category_id', expected, got: `'${id}'` });
  }
}
