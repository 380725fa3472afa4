import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Failure } from '../../generator/files/failure.ts';
import { type ImportSummary, importFiles } from '../../generator/import/import.ts';
import type { Recipe } from '../../generator/import/recipe/recipe.ts';
import { faultsOfFolder } from '../../generator/publish/checked-snapshot.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

export const times = { publishedAt: '2025-03-03T22:00:00Z', retrievedAt: '2025-03-03T18:00:00Z' };

/** What publishing would refuse in a folder. */
export const check = (folder: string) => faultsOfFolder(folder, null, false);

export type Fields = Readonly<Record<string, unknown>>;

/** A recipe of products in one CSV file, with rules that a test adds or replaces. A rule that is null is removed. */
export function productRecipe(fields: Fields = {}, others: Fields = {}, file: Fields = {}): Fields {
  const all: Fields = {
    sku: { column: 'Code', pad: 6 },
    source_name: 'Name',
    name: 'Name',
    price_source: { value: 'agency_workbook' },
    status_code: { value: 'G' },
    status_label: { value: 'General' },
    status_raw: { value: 'G' },
    lifecycle: { value: 'active' },
    ...fields,
  };
  return {
    ...recipeHead,
    files: { catalog: { match: 'catalog.*', type: 'csv', ...file } },
    products: { from: 'catalog', fields: Object.fromEntries(Object.entries(all).filter(([, rule]) => rule !== null)) },
    ...others,
  };
}

export const recipeHead: Fields = {
  format: 'inventory-recipe',
  format_version: 1,
  snapshot: {
    policy: { id: 'inventory-48h', max_age_seconds: 172800 },
    retention: { history_days: 365, publication_days: 30 },
    warnings: [],
  },
};

/** A recipe of an inventory in `stock.csv` with the columns Code, Store and Qty, whose stores are those of the rows. */
export function inventoryRecipe(inventory: Fields = {}, others: Fields = {}, file: Fields = {}): Fields {
  return {
    ...recipeHead,
    files: { stock: { match: 'stock*', type: 'csv', ...file } },
    inventory: {
      from: 'stock',
      fields: { sku: { column: 'Code', pad: 6 }, store: { column: 'Store', pad: 4 }, quantity: 'Qty' },
      scope: 'rows',
      ...inventory,
    },
    ...others,
  };
}

export type Imported = {
  readonly folder: string;
  /** What was written, or null if the import failed. */
  readonly summary: ImportSummary | null;
  /** Why the import failed, as a person reads it. */
  readonly lines: readonly string[];
  readonly part: (name: string) => Fields[];
};

/** Imports files that are written into a temporary folder. Checks that a failed import leaves nothing. */
export async function importOf(
  recipe: Fields | Recipe,
  files: Readonly<Record<string, string | Uint8Array>>,
  given: readonly string[] = Object.keys(files),
  others: { readonly quarantine?: boolean; readonly publishedAt?: string; readonly retrievedAt?: string } = {},
): Promise<Imported> {
  const folder = temporaryFolder();
  onTestFinished(() => removeFolder(folder));
  const out = join(folder, 'out', 'snapshot');
  mkdirSync(join(folder, 'out'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, 'recipe.json'), JSON.stringify(recipe));
  const paths = given.map((name) => name.replace(/^(\w+=)?/, (role) => role + join(folder, '/')));
  const options = {
    ...{ recipe: join(folder, 'recipe.json'), files: paths, out, ...times, ...others },
    check: others.quarantine ? null : check,
  };
  const part = (name: string) =>
    readFileSync(join(out, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  try {
    return { folder, summary: await importFiles(options, () => {}), lines: [], part };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (existsSync(out) || readdirSync(join(folder, 'out')).length > 0)
      throw new Error('a failed import left something');
    return { folder, summary: null, lines: error.lines.map((line) => line.replaceAll(`${folder}/`, '')), part };
  }
}
