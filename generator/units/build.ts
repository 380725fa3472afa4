import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { checkoutFolder } from '../../contract/paths.ts';
import type { DataLicense } from '../../contract/schemas/data-package.ts';
import { explainDatabase } from '../database/connection.ts';
import { openSound } from '../database/database-file.ts';
import type { Publication } from '../database/publications.ts';
import { type State, storeRegions } from '../documents/state.ts';
import { Failure } from '../files/failure.ts';
import { acquireLock, buildLock } from '../files/file-lock.ts';
import { documentKey } from '../files/package-files.ts';
import { readPointer } from '../site/built-site.ts';
import { buildUnfinished, refuseForeignFolder, refuseMisplacedLinks, unfinishedText } from '../site/foreign-folder.ts';
import { moveTo, showPublication } from '../site/publication-checkout.ts';
import { changesBetween, emptyTable, readTableRoot, writeTable } from '../site/route-table.ts';
import { Storage } from '../site/storage.ts';
import type { Signing } from '../trust/signature-file.ts';
import { readBuildTarget, readSiteBefore, routesShown, unpublishedFailure } from './build-target.ts';
import { type Choices, DocumentWriter, type WriterOptions } from './document-writer.ts';
import type { Explorer, LazyExplorer, Whereabouts } from './explorer.ts';
import { keptBefore, pointerTo, removePast, routesBefore, withCarried } from './kept-publications.ts';
import { type Contents, digest, stageNames } from './kind.ts';
import { isBuilt, writeLedger } from './ledger.ts';
import { refuseEarlyClock, refuseOtherKey } from './signing-rules.ts';
import { type Progress, unitRun } from './unit-run.ts';
import { WorkerPool } from './worker-pool.ts';

export type BuildOptions = {
  readonly database: string;
  readonly out: string;
  /** The URL that addresses in documents begin with; null for absolute paths. */
  readonly baseUrl: string | null;
  /** `current` makes only the exports of the current publication, for a preview. */
  readonly exports: 'retained' | 'current';
  /** The license of the data; absent or null for the license that the curation states. */
  readonly dataLicense?: DataLicense | null;
  /** Choices that only some units know, by the name of the option. */
  readonly choices?: Choices;
  /** Whether to delete nothing. */
  readonly keepAll: boolean;
  /** The explorer, or how to make it; absent or null for a site without one. */
  readonly explorer?: Explorer | LazyExplorer | null;
  /** Whether feeds link to the explorer. By default they do when the site has one. */
  readonly hasExplorer?: boolean;
  /**
   * Whether to build from scratch: to make every document, check every existing object, and keep nothing of the
   * previous site.
   */
  readonly full: boolean;
  /** Threads beside this one. The default is one for each other core if the publication is large, otherwise none. */
  readonly threads?: number;
};

/**
 * Makes the site of the database's latest publication, with these contents, in a folder, or updates the site there. A
 * build that is killed at any moment leaves the previous publication whole. Throws a Failure when the folder holds
 * anything but a site, when another build is running in it, when the site was built from another database, when the
 * site is signed and there is no key or readers would refuse it, when a signature would expire too early, or when a
 * document does not match its schema.
 *
 * Resolves to what it did: `changed` is false if nothing was new, so that it looked at nothing but the ledger.
 * `written` counts the new objects, variants included, and `bytes` their size; `reused` counts the addresses whose
 * answers the site already had. `lacking`: kinds of links that the disk does not have, so that there are copies.
 */
export async function buildContents(
  contents: Contents,
  options: BuildOptions,
  progress: Progress,
  signing: Signing | null = null,
) {
  const out = resolve(options.out);
  refuseForeignFolder(options.out);
  // This comes first, so that no folder is left behind if the database cannot be read. The database's seal is checked
  // here, once for the whole build.
  openSound(options.database).close();
  const lock = acquireLock(`${out}/${buildLock}`);
  if (!lock) throw new Failure('busy', `another build is running in ${options.out}: wait until it ends`);
  try {
    const storage = new Storage(out);
    refuseMisplacedLinks(options.out, storage);
    refuseOtherKey(storage, options.out, signing);
    return await explainDatabase(options.database, () =>
      build(contents, { ...options, out }, storage, progress, signing),
    );
  } finally {
    lock.release();
  }
}

async function build(
  contents: Contents,
  options: BuildOptions,
  storage: Storage,
  progress: Progress,
  signing: Signing | null,
) {
  const begin = (stage: string) => progress(stage, 0, 1);
  begin('reading the database');
  const pointerBefore = readPointer(storage);
  const { current, exported } = readBuildTarget(options.database, options.exports, pointerBefore);
  refuseEarlyClock(storage, current, signing);
  const key = documentKey(options.baseUrl);
  const settings = settingsDigest(options, exported);
  const shown = !options.full && pointerBefore?.revision === current.revision ? pointerBefore : null;
  if (shown && isBuilt(storage, shown, settings, key)) {
    moveTo(storage, shown, signing, checkoutFolder(current.revision));
    const resources = readTableRoot(storage, shown.routes).route_count;
    const counts = { resources, written: 0, reused: resources, deleted: 0, bytes: 0 };
    return { publication: current, changed: false, ...counts, lacking: storage.lacking };
  }
  const { site: previous, routes: before, units: previousUnits } = readSiteBefore(storage, options, key);
  const writerOptions: WriterOptions = {
    database: options.database,
    out: options.out,
    baseUrl: options.baseUrl,
    license: options.dataLicense ?? null,
    choices: options.choices ?? {},
    hasExplorer: hasExplorer(options),
    sequence: current.sequence,
  };
  // Starting a thread costs as much as making 3,000 documents. The threads load while this one plans.
  const isNew = previous?.pointer.revision !== current.revision || !previousUnits?.isOfThisCode;
  const isLarge = isNew && current.product_count >= 3_000;
  const pool = new WorkerPool(
    writerOptions,
    contents,
    options.threads ?? (isLarge ? Math.min(availableParallelism(), 8) - 1 : 0),
    current.product_count,
  );
  const writer = new DocumentWriter(writerOptions);
  try {
    const given = options.explorer ?? null;
    const explorer = given && 'make' in given ? await given.make(agencyWhereabouts(writer.state)) : given;
    storage.replace(buildUnfinished, unfinishedText);
    const isFromScratch = before.size === 0 && pointerBefore?.revision === current.revision;
    const sent = isFromScratch ? routesShown(storage, pointerBefore) : emptyTable.routes;
    const run = unitRun(writer, pool, { contents, before, previousUnits, sent, exported, explorer });
    for (const stage of stageNames) await run.makeStage(stage, progress);

    begin('writing the route table');
    // A reader in the middle of a list whose pages print other addresses cannot continue here.
    const earlier = keptBefore(current, before.size > 0 ? previous : null, options.keepAll);
    const routes = withCarried(run.routes, routesBefore(storage, current, { previous, before }, earlier), earlier);
    const { table, reference } = writeTable(storage, routes);
    const pointer = pointerTo(current, reference, exported, earlier);

    const obstacle = unpublishedFailure(options.database, current);
    if (obstacle) throw obstacle;
    const update = previousUnits?.isOfThisCode ? changesBetween(before, routes) : null;
    showPublication(storage, { pointer, routes, before: pointerBefore, update }, signing, begin);

    writeLedger(storage, { key, settings, table: reference.sha256, units: run.units });
    begin('deleting what is past retention');
    const deleted = options.keepAll ? 0 : removePast(storage, pointer, table, previous);
    if (options.keepAll) storage.flush();
    else storage.removeMark(buildUnfinished);

    const { written, bytes, addresses } = run.totals;
    return {
      publication: current,
      changed: true,
      resources: routes.size,
      written,
      reused: routes.size - addresses,
      deleted,
      bytes,
      lacking: storage.lacking,
    };
  } catch (error) {
    throw explained(error, options.database, current);
  } finally {
    await pool.dismiss();
    writer.close();
  }
}

/** A hash of what a site depends on besides the publication, the code and the base URL. */
function settingsDigest(options: BuildOptions, exported: readonly Publication[]): string {
  const { dataLicense = null, choices = {}, explorer = null } = options;
  const page = explorer && ('digest' in explorer ? explorer.digest : [explorer.worker, explorer.files]);
  return digest([exported.map(({ revision }) => revision), dataLicense, choices, page, hasExplorer(options)]);
}

function hasExplorer({ hasExplorer, explorer = null }: BuildOptions): boolean {
  return hasExplorer ?? explorer !== null;
}

function agencyWhereabouts(state: State): Whereabouts {
  const { country } = state.profile;
  return { country, regions: storeRegions(state) };
}

/** The error of a build, or the failure that explains it: if `unpublish` ran meanwhile, reads were inconsistent. */
function explained(error: unknown, database: string, current: Publication): unknown {
  try {
    return unpublishedFailure(database, current) ?? error;
  } catch {
    // The database is unreadable now, and the error of the build says more about that.
    return error;
  }
}
