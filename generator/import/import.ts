import { basename } from 'node:path';
import { cut } from '../../contract/schemas/checked-value.ts';
import { Failure } from '../files/failure.ts';
import { Faults } from '../files/faults.ts';
import { nameFits } from '../files/name-patterns.ts';
import { useTemporaryFolder } from '../files/temporary-folder.ts';
import { partSchemas, profileIn, type SnapshotHeader, snapshotHeader } from '../snapshot/format.ts';
import { zoneRules } from '../snapshot/time-zones.ts';
import { triedAdvice } from './advice.ts';
import type { ImportContext, ImportTimes, RoleFiles } from './parts/context.ts';
import { importInventory } from './parts/inventory.ts';
import type { ColumnUse } from './parts/part-rows.ts';
import { importProducts } from './parts/products.ts';
import { importCuration } from './parts/recipe-curation.ts';
import { importStores } from './parts/stores.ts';
import { provisionalRecipe } from './recipe/provisional.ts';
import { type Part, partRule, parts, type Recipe } from './recipe/recipe.ts';
import { faultyImport, parsedRecipe, readTriedRecipe } from './recipe/recipe-file.ts';
import { snapshotWriter } from './snapshot-writer.ts';
import { type InputFile, inputFile } from './tables/input.ts';
import { openInput } from './tables/packed-files.ts';
import { expectedTime } from './values/conversions.ts';
import { recipeLookups } from './values/field-reader.ts';
import { SlowPattern } from './values/patterns.ts';

type ImportOptions = ImportTimes & {
  readonly recipe: string;
  readonly files: readonly string[];
  readonly out: string;
  /** Whether rows with faults are set aside, up to 1 % of a part. */
  readonly quarantine?: boolean;
  /** Finds what publishing would refuse. Null if rows are set aside, because publishing decides about them. */
  readonly check: ((folder: string) => Promise<Faults>) | null;
};

/** Parts that the import does not have are null. */
export type ImportSummary = Awaited<ReturnType<typeof importFiles>>;

/** Reports the file that is being read, the bytes read so far, and its size. */
type OnProgress = (file: string, done: number, total: number) => void;

/** Makes a whole snapshot folder from files, or writes nothing and throws a FaultyInput with every fault. */
export function importFiles(options: ImportOptions, onProgress: OnProgress) {
  return useTemporaryFolder((unpacked) => importUnpacked(options, unpacked, onProgress));
}

/** `unpacked`: a folder that takes the content of compressed files. */
async function importUnpacked(options: ImportOptions, unpacked: string, onProgress: OnProgress) {
  const { recipe, decisions } = readTriedRecipe(options.recipe);
  const name = basename(options.recipe);
  const roles = await assignFiles(recipe, options.files, unpacked).catch((error: unknown) => {
    if (decisions.length === 0 || !(error instanceof Failure)) throw error;
    const got = { file: name, line: null, field: 'files', expected: 'the files of this delivery', got: error.message };
    throw faultyImport(name, new Faults([...decisions, got]));
  });
  const attempt = new Attempt(options, onProgress);
  const all = new Faults(decisions);
  const places: (readonly string[])[] = [];
  const missing = new Set<string>();
  // Rows are read again without the rules and columns that cannot work, so that all faults come at once.
  let tried = recipe;
  for (;;) {
    const before = places.length + missing.size;
    const outcome = await attempt.run(tried, roles, decisions.length === 0 && before === 0);
    if (outcome.summary !== null) return outcome.summary;
    for (const place of outcome.places) if (!places.some((one) => one.join() === place.join())) places.push(place);
    for (const column of outcome.missing) missing.add(column);
    const rest = parsedRecipe(provisionalRecipe(recipe, places, missing));
    const isLast = places.length + missing.size === before || rest === null;
    all.addNew(isLast ? outcome.faults : outcome.faults.of('files'));
    if (isLast) break;
    tried = rest;
  }
  const namesOf = (role: string) => roles.get(role)?.files.map((file) => file.name) ?? [];
  const advice = await triedAdvice(tried, all, namesOf, async (changed) => {
    const { faults } = await attempt.run(changed, roles, false);
    return faults.of('rows').total;
  });
  throw faultyImport(name, all, advice);
}

/** The outcome of a run. `places` and `missing`: rules and columns that did not work. */
type Outcome = {
  readonly summary: Awaited<ReturnType<Attempt['commit']>> | null;
  readonly faults: Faults;
  readonly places: readonly (readonly string[])[];
  readonly missing: ReadonlySet<string>;
};

class Attempt {
  readonly #options: ImportOptions;
  readonly #onProgress: OnProgress;

  constructor(options: ImportOptions, onProgress: OnProgress) {
    this.#options = options;
    this.#onProgress = onProgress;
  }

  /** `isKept`: whether a snapshot without faults is written. */
  async run(recipe: Recipe, roles: ReadonlyMap<string, RoleFiles>, isKept: boolean): Promise<Outcome> {
    const options = this.#options;
    const profile = profileIn(recipe.snapshot);
    const writer = snapshotWriter(options.out);
    const uses: ColumnUse[] = [];
    const faults = new Faults([], { isOrdered: true });
    const places: string[][] = [];
    const missing = new Set<string>();
    const recipeName = basename(options.recipe);
    const context: ImportContext = {
      recipe,
      profile,
      schemas: partSchemas(profile),
      recipeName,
      roles: new Map([...roles].map(([role, { rule, files }]) => [role, { rule: recipe.files[role] ?? rule, files }])),
      lookups: recipeLookups(recipe),
      nameCodes: new Map(),
      faults,
      recipeFault: (field, expected, got) => {
        places.push(field.split('.'));
        faults.add({ file: recipeName, line: null, field, expected, got: cut(got) });
      },
      onMissing: (column) => missing.add(column),
      notices: new Faults([], { isOrdered: true }),
      writer,
      options,
      isQuarantine: options.quarantine ?? false,
      publishedAt: options.publishedAt ?? recipe.snapshot.published_at ?? null,
      onUse: (use) => uses.push(use),
      onBytes: (file) => byteCounter(file, this.#onProgress),
    };
    try {
      const written = await importParts(context, options.recipe).catch((error: unknown) => {
        if (error instanceof SlowPattern && faults.total > 0) return null;
        throw error;
      });
      const isWhole = faults.total === 0 && written !== null && isKept;
      const summary = isWhole ? await this.commit(context, written, uses) : null;
      if (summary === null) writer.discard();
      return { summary, faults, places, missing };
    } catch (error) {
      writer.discard();
      throw error;
    }
  }

  /** Keeps a snapshot, unless publishing would refuse it. */
  async commit({ writer, faults, notices, lookups }: ImportContext, written: WrittenParts, uses: readonly ColumnUse[]) {
    const { check } = this.#options;
    writer.finish();
    if (check !== null) faults.addAll(await check(writer.temporary));
    if (faults.total > 0) return null;
    writer.commit();
    const unused = lookups.all.map(({ name, unused: left }) => ({ lookup: name, entries: left() }));
    return {
      ...written,
      /** Possible mistakes in imported rows, a line for each kind. */
      notices: notices.lines,
      unused_columns: unusedColumns(uses),
      unused_lookups: unused.filter(({ entries }) => entries.length > 0),
    };
  }
}

type WrittenParts = NonNullable<Awaited<ReturnType<typeof importParts>>>;

async function importParts(context: ImportContext, recipePath: string) {
  const { recipe } = context;
  const [catalogFiles, directoryFiles, inventoryFiles] = (['products', 'stores', 'inventory'] as const).map((part) =>
    partFiles(context, part),
  );
  const catalog = catalogFiles || recipe.products === 'none' ? retrievalTimes(context, 'catalog') : null;
  const directory = directoryFiles ? retrievalTimes(context, 'directory') : null;
  // An empty file means a catalog without products.
  if (recipe.products === 'none') context.writer.line('products.ndjson');
  const rule = partRule(recipe, 'products');
  const products = rule && catalogFiles ? await importProducts(context, rule, catalogFiles) : null;
  const stores =
    recipe.stores && directoryFiles && directory
      ? await importStores(context, recipe.stores, directoryFiles, directory.retrieved_at)
      : null;
  const inventory =
    recipe.inventory && inventoryFiles
      ? await importInventory(context, recipe.inventory, inventoryFiles, { products, stores })
      : null;
  const curation = importCuration(context, recipePath, products);
  const header = importHeader(context, catalog, directory);
  if (header === null) return null;
  return {
    published_at: header.published_at,
    products: products?.count ?? (recipe.products === 'none' ? 0 : null),
    stores: stores?.count ?? null,
    inventory: inventory && {
      retrievals: inventory.retrievals,
      rows: inventory.rows,
      stores: inventory.stores,
      stores_without_rows: inventory.storesWithoutRows,
    },
    categories: curation?.categories.length ?? null,
    /** Faulty rows that the snapshot keeps for `publish --quarantine` to set aside, by part. */
    set_aside: Object.entries({ products, stores, inventory }).flatMap(([part, imported]) =>
      imported && imported.setAside > 0 ? [{ part, rows: imported.setAside }] : [],
    ),
    /** Rows left out by the recipe and repeated rows, by part and reason. */
    left_out: Object.entries({ products, stores, inventory }).flatMap(([part, imported]) =>
      [...(imported?.leftOut.counts ?? [])].map(([reason, rows]) => ({ part, reason, rows })),
    ),
  };
}

/** The files of a part. Null if the recipe has no such part, or if its file is optional and missing. */
function partFiles({ recipe, roles, recipeFault }: ImportContext, part: Part): RoleFiles | null {
  const rule = partRule(recipe, part);
  if (rule === undefined) return null;
  const role = roles.get(rule.from);
  if (role !== undefined) return role.files.length === 0 ? null : role;
  recipeFault(`${part}.from`, `one of ${[...roles.keys()].join(', ')}`, `'${rule.from}'`);
  return null;
}

function byteCounter({ name, size }: InputFile, onProgress: OnProgress): (count: number) => void {
  let done = 0;
  return (count) => {
    done += count;
    onProgress(name, done, size);
  };
}

function unusedColumns(uses: readonly ColumnUse[]) {
  return [...Map.groupBy(uses, ({ file }) => file)].flatMap(([file, ofFile]) => {
    const names = [...new Set(ofFile.flatMap(({ names: all }) => all))];
    const columns = names.filter((name) => !ofFile.some(({ used }) => used.has(name)));
    return columns.length === 0 ? [] : [{ file, columns }];
  });
}

type Times = SnapshotHeader['catalog'];

/** When the catalog or the directory was retrieved. It is a fault if neither the recipe nor the command line says. */
function retrievalTimes(context: ImportContext, part: 'catalog' | 'directory'): NonNullable<Times> {
  const { recipe, options } = context;
  const { [part]: times, retrieved_at: all } = recipe.snapshot;
  const retrieved = options.retrievedAt ?? times?.retrieved_at ?? all;
  if (retrieved === undefined)
    context.recipeFault(`snapshot.${part}.retrieved_at`, 'a date-time, or --retrieved-at', 'none');
  // Nothing is written without a time. Rows are read anyway, to report their faults.
  return { source_updated_at: times?.source_updated_at ?? null, retrieved_at: retrieved ?? '2000-01-01T00:00:00Z' };
}

/** `catalog` and `directory` are null for parts that the import does not have. */
function importHeader(context: ImportContext, catalog: Times, directory: Times): SnapshotHeader | null {
  const { recipe, options, publishedAt, writer, faults, recipeFault: fault } = context;
  const { policy, retention, warnings, profile } = recipe.snapshot;
  if (publishedAt === null) fault('snapshot.published_at', 'a date-time, or --published-at', 'none');
  const check = (place: string, time: string | null | undefined) => {
    const expected = time ? expectedTime(time, publishedAt) : null;
    if (expected !== null) fault(`snapshot.${place}`, expected, time ?? '');
  };
  check('published_at', publishedAt);
  check('retrieved_at', options.retrievedAt ?? recipe.snapshot.retrieved_at);
  for (const [part, times] of Object.entries({ catalog, directory }))
    for (const [field, time] of Object.entries(times ?? {})) check(`${part}.${field}`, time);
  if (faults.total > 0) return null;
  const header = snapshotHeader.parse({
    format: 'inventory-snapshot',
    format_version: 1,
    published_at: publishedAt,
    catalog,
    directory,
    policy,
    retention,
    warnings,
    ...(profile ? { profile } : {}),
  });
  writer.document('snapshot.json', header);
  // Kept out of the header, because the content decides ids. New rules change ids only if they change a time.
  if (usesZone(recipe)) writer.document('import.json', { time_zone_rules: zoneRules });
  return header;
}

/** Whether times in the recipe's files depend on time zone rules. */
function usesZone(recipe: Recipe): boolean {
  const rules = parts.flatMap((part) => Object.values(partRule(recipe, part)?.fields ?? {}));
  return rules.some(
    (rule) => typeof rule === 'object' && (rule.zone !== undefined || rule.format?.includes('z') === true),
  );
}

/**
 * Assigns files to roles by the recipe's patterns. `role=FILE` sets the role of a file that no pattern fits. A file can
 * have several roles, such as a workbook with several sheets. Optional roles may have no file.
 */
async function assignFiles(
  { files: rules }: Recipe,
  paths: readonly string[],
  unpacked: string,
): Promise<ReadonlyMap<string, RoleFiles>> {
  const roles = new Map(Object.entries(rules).map(([role, rule]) => [role, { rule, files: [] as InputFile[] }]));
  const listed = (some: Iterable<[string, RoleFiles]>) =>
    Array.from(some, ([role, { rule }]) => `${role} (${[rule.match].flat().join(' or ')})`).join(', ');
  const refuse = (reason: string): never => {
    throw new Failure('import_faults', reason);
  };
  const seen = new Map<string, string>();
  for (const argument of paths) {
    const [named, path] = splitRole(argument, roles);
    const { identity } = inputFile(path);
    const before = seen.get(identity);
    if (before !== undefined) refuse(`${path}: expected each file once, got it as ${before} too`);
    seen.set(identity, path);
    const fitting = (name: string) =>
      [...roles].filter(([role, { rule }]) => (named === null ? nameFits(rule.match, name) : role === named));
    for (const file of await openInput(path, unpacked, (name) => fitting(name).length > 0)) {
      const fits = [...fitting(file.name), ...fitting(basename(path))];
      if (fits.length === 0)
        refuse(
          `${path}: expected a file of the recipe: ${listed(roles)}, got another name; ROLE=FILE says which it is`,
        );
      for (const { files } of new Set(fits.map(([, role]) => role))) files.push(file);
    }
  }
  const missing = [...roles].filter(([, { rule, files }]) => files.length === 0 && rule.optional !== true);
  if (missing.length > 0)
    refuse(`expected a file for ${listed(missing)}, got none; "optional" in the recipe allows that`);
  for (const [role, { rule, files }] of roles) {
    const [first, second] = files;
    if (first !== undefined && second !== undefined && rule.several !== true)
      refuse(
        `expected one file for ${role}, got ${first.path} and ${second.path}; "several" in the recipe allows that`,
      );
  }
  return roles;
}

function splitRole(argument: string, roles: ReadonlyMap<string, unknown>): [role: string | null, path: string] {
  const at = argument.indexOf('=');
  const role = argument.slice(0, at);
  return at > 0 && roles.has(role) ? [role, argument.slice(at + 1)] : [null, argument];
}
