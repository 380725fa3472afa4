import { basename } from 'node:path';
import { openSnapshot } from '../publish/snapshot/folder.ts';
import { Faults, ImportError } from './faults.ts';
import type { ImportContext, ImportTimes, RoleFiles } from './parts/context.ts';
import { importCuration } from './parts/curation.ts';
import { importHeader, timesOf } from './parts/header.ts';
import { importInventory } from './parts/inventory.ts';
import type { ColumnUse, LeftOut } from './parts/part-rows.ts';
import { importProducts } from './parts/products.ts';
import { importStores } from './parts/stores.ts';
import type { Part } from './recipe/recipe.ts';
import { readRecipe } from './recipe/recipe-file.ts';
import { assignFiles } from './recipe/roles.ts';
import { SnapshotWriter } from './snapshot-writer.ts';
import type { InputFile } from './tables/input.ts';
import { Lookups } from './values/lookups.ts';

export type ImportOptions = ImportTimes & {
  readonly recipe: string;
  readonly files: readonly string[];
  readonly out: string;
};

/** What was written. Parts that the import does not have are null. */
export type ImportSummary = {
  readonly published_at: string;
  readonly products: number | null;
  readonly stores: number | null;
  readonly inventory: {
    readonly retrievals: number;
    readonly rows: number;
    readonly stores: number;
    /** Codes of stores in the scope of which no row is. */
    readonly stores_without_rows: readonly string[];
  } | null;
  readonly categories: number | null;
  /** Rows that the recipe leaves out, by part and reason. */
  readonly left_out: readonly { readonly part: Part; readonly reason: string; readonly rows: number }[];
  /** Columns that the recipe does not name, by file. */
  readonly unused_columns: readonly { readonly file: string; readonly columns: readonly string[] }[];
  /** What may be wrong with rows, though it was imported, a line for each kind. */
  readonly doubts: readonly string[];
  /** Entries of lookups that no row had. */
  readonly unused_lookups: readonly { readonly lookup: string; readonly entries: readonly string[] }[];
};

/** Called with the file that is read, the bytes read so far, and all bytes of it. */
export type OnProgress = (file: string, done: number, total: number) => void;

/**
 * Makes a snapshot folder from files as a recipe says. It writes the whole folder, or nothing and throws an ImportError
 * with every fault.
 */
export async function importFiles(options: ImportOptions, onProgress: OnProgress): Promise<ImportSummary> {
  const recipe = readRecipe(options.recipe);
  const roles = assignFiles(recipe, options.files);
  const writer = SnapshotWriter.create(options.out);
  try {
    const uses: ColumnUse[] = [];
    const context: ImportContext = {
      recipe,
      recipeName: basename(options.recipe),
      roles,
      lookups: new Lookups(recipe),
      faults: new Faults(),
      doubts: new Faults(),
      writer,
      options,
      publishedAt: options.publishedAt ?? recipe.snapshot.published_at ?? null,
      onUse: (use) => uses.push(use),
      onBytes: (file) => progressOf(file, onProgress),
    };
    const written = await importParts(context, options.recipe);
    if (context.faults.total > 0 || written === null) throw new ImportError(context.recipeName, context.faults);
    writer.finish();
    // The folder is read once as `publish` reads it, so that nothing is given out that could not be published.
    await openSnapshot(writer.temporary);
    writer.commit();
    const unused = context.lookups.all.map(({ name, unused: entries }) => ({ lookup: name, entries }));
    return {
      ...written,
      doubts: context.doubts.lines,
      unused_columns: unusedColumns(uses),
      unused_lookups: unused.filter(({ entries }) => entries.length > 0),
    };
  } catch (error) {
    writer.discard();
    throw error;
  }
}

type Written = Omit<ImportSummary, 'doubts' | 'unused_columns' | 'unused_lookups'>;

async function importParts(context: ImportContext, recipePath: string): Promise<Written | null> {
  const { recipe } = context;
  const [catalogFiles, directoryFiles, inventoryFiles] = (['products', 'stores', 'inventory'] as const).map((part) =>
    filesOf(context, part),
  );
  const catalog = catalogFiles ? timesOf(context, 'catalog') : null;
  const directory = directoryFiles ? timesOf(context, 'directory') : null;
  const products = catalogFiles ? await importProducts(context, catalogFiles) : null;
  const stores =
    directoryFiles && directory ? await importStores(context, directoryFiles, directory.retrieved_at) : null;
  const inventory =
    recipe.inventory && inventoryFiles
      ? await importInventory(context, recipe.inventory, inventoryFiles, { products, stores })
      : null;
  const curation = importCuration(context, recipePath, products);
  const header = importHeader(context, catalog, directory);
  if (header === null) return null;
  const leftOut = (part: Part, rows: LeftOut | undefined) =>
    [...(rows?.counts ?? [])].map(([reason, count]) => ({ part, reason, rows: count }));
  return {
    published_at: header.published_at,
    products: products?.count ?? null,
    stores: stores?.count ?? null,
    inventory: inventory && {
      retrievals: inventory.retrievals,
      rows: inventory.rows,
      stores: inventory.stores,
      stores_without_rows: inventory.storesWithoutRows,
    },
    categories: curation?.categories.length ?? null,
    left_out: [
      ...leftOut('products', products?.leftOut),
      ...leftOut('stores', stores?.leftOut),
      ...leftOut('inventory', inventory?.leftOut),
    ],
  };
}

/** The files of a part, or null if the recipe has no such part or its file is optional and was not given. */
function filesOf({ recipe, roles, faults, recipeName }: ImportContext, part: Part): RoleFiles | null {
  const rule = recipe[part];
  if (rule === undefined) return null;
  const role = roles.get(rule.from);
  if (role !== undefined) return role.files.length === 0 ? null : role;
  const place = { file: recipeName, unit: 'row' as const, row: null, column: `${part}.from` };
  faults.add(place, `one of ${[...roles.keys()].join(', ')}`, `'${rule.from}'`);
  return null;
}

function progressOf({ name, size }: InputFile, onProgress: OnProgress): (count: number) => void {
  let done = 0;
  return (count) => {
    done += count;
    onProgress(name, done, size);
  };
}

/** The columns of each file that no part uses. */
function unusedColumns(uses: readonly ColumnUse[]): ImportSummary['unused_columns'] {
  const files = [...new Set(uses.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = uses.filter((use) => use.file === file);
    const names = [...new Set(own.flatMap(({ names: all }) => all))];
    const columns = names.filter((name) => !own.some(({ used }) => used.has(name)));
    return columns.length === 0 ? [] : [{ file, columns }];
  });
}
