import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DataLicense } from '../contract/formats/data-package.ts';
import { checkoutFolder, pathOf, signatureFile } from '../contract/paths.ts';
import { explainDatabase } from '../database/connection.ts';
import type { Publication } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { Catalog } from '../model/catalog.ts';
import { allChangesPaths } from '../resources/change-list.ts';
import type { Summary } from '../resources/page-index.ts';
import { readPointer } from '../site/built-site.ts';
import { type CheckoutState, completeCheckout, dateFiles, wholeTable } from '../site/checkout.ts';
import { refuseFollowedLink, refuseForeignFolder } from '../site/foreign-folder.ts';
import type { SigningKey } from '../site/keys.ts';
import { checkOutBeside, folderBeside, isLive, takePlace } from '../site/live-checkout.ts';
import { acquireLock } from '../site/lock.ts';
import type { RouteChange, RouteTable } from '../site/route-table.ts';
import { isPointerAt, moveTo } from '../site/site-writer.ts';
import { takeSpare } from '../site/spare-checkout.ts';
import { Storage } from '../site/storage.ts';
import { type BuildCache, writeBuildCache } from './build-cache.ts';
import { DocumentWriter, type WriterOptions } from './document-writer.ts';
import { type ExplorerParts, writeExplorer } from './explorer.ts';
import { type FileLookup, makeExportCompanions, siteFiles } from './export-files.ts';
import { type HistoryParts, type Job, weightOf } from './jobs.ts';
import { removePast } from './past-publications.ts';
import { planBuild } from './plan.ts';
import { makeFileLists, makeSmallDocuments, makeWholeChangeList } from './single-documents.ts';
import { readSiteBefore } from './site-before.ts';
import {
  buildTargetOf,
  leftPaths,
  madeChanges,
  pointerTo,
  supersededBy,
  type TableUpdate,
  tableUpdate,
} from './site-publications.ts';
import { type Finished, otherCores, WorkerPool } from './worker-pool.ts';

export type BuildOptions = {
  readonly database: string;
  readonly out: string;
  /** Null: addresses in documents are absolute paths. */
  readonly baseUrl: string | null;
  /** `current`: only the current publication's exports, for a preview. */
  readonly exports: 'retained' | 'current';
  /** The license of the data; absent or null for the one that the curation states. */
  readonly dataLicense?: DataLicense | null;
  /** Delete nothing. */
  readonly keepAll: boolean;
  /** The page for people; absent or null where the site has none. */
  readonly explorer?: ExplorerParts | null;
  /** Build from scratch: make every document anew, check every existing object, keep nothing of the previous site. */
  readonly full: boolean;
  /** Threads beside this one. Absent: one for each other core if the publication is large, otherwise none. */
  readonly threads?: number;
};

/**
 * Is in a site while a build works, and after one that deletes nothing. If a build finds it, one before was killed, failed or
 * kept all, and left files behind.
 */
const unfinishedFile = 'build.unfinished';

/** Starting a thread costs about as much as making this many documents. */
const worthThreads = 3_000;

export type Progress = (stage: string, done: number, of: number) => void;

/**
 * What a build did. `written` counts objects, of answers and their variants, and `bytes` their bytes. `reused` counts the
 * addresses whose answers the site had already.
 */
export type BuildSummary = {
  readonly publication: Publication;
  readonly resources: number;
  readonly written: number;
  readonly reused: number;
  readonly deleted: number;
  readonly bytes: number;
};

/**
 * Makes the site of the database's latest publication in a folder, or updates the site there. A build that is killed at
 * any moment leaves the previous publication whole. Throws a Failure when the folder holds something else than a site,
 * when another build runs in it, when the site is of another database, when it is signed and there is no private key to
 * sign the new pointer with, or when a document does not match its schema.
 */
export async function buildSite(
  options: BuildOptions,
  progress: Progress,
  key: SigningKey | null = null,
): Promise<BuildSummary> {
  const out = resolve(options.out);
  refuseForeignFolder(options.out);
  const lock = acquireLock(`${out}/build.lock`);
  if (!lock) throw new Failure(`another build is at work in ${options.out}: wait until it ends`);
  try {
    refuseFollowedLink(options.out);
    const storage = new Storage(out);
    if (key === null && storage.read(signatureFile) !== null) {
      throw new Failure(
        `${options.out} is signed: expected a key to sign with (--sign), got none; without ${signatureFile} it is not signed any more`,
      );
    }
    return await explainDatabase(options.database, () => build({ ...options, out }, storage, progress, key));
  } finally {
    lock.release();
  }
}

async function build(
  options: BuildOptions,
  storage: Storage,
  progress: Progress,
  key: SigningKey | null,
): Promise<BuildSummary> {
  progress('reading the database', 0, 1);
  const pointerBefore = readPointer(storage);
  const { current, exported } = buildTargetOf(options.database, options.exports, pointerBefore);
  const { site: previous, walkable, routes: before, cache, cacheKey } = readSiteBefore(storage, options);
  const license = options.dataLicense ?? null;
  const { database, out, baseUrl, explorer = null } = options;
  const hasLeftovers = storage.exists(unfinishedFile);
  const isEmpty = !storage.exists('objects');
  storage.replace(unfinishedFile, new Uint8Array());
  const { sequence, revision } = current;
  const checkout = checkoutFolder(revision);
  const absent = previous && cache ? takeSpare(storage, previous.pointer.routes, revision) : null;
  const isSpare = absent !== null;
  const isShown = isLive(storage, revision);
  const leftovers = isSpare ? [] : storage.list(checkout);
  const writerOptions: WriterOptions = {
    database,
    out,
    baseUrl,
    license,
    sequence,
    checkout: isShown ? null : checkout,
    isSpare,
  };
  // A publication of many products is worth the start of worker threads. They load while this thread plans.
  const isNew = previous?.pointer.revision !== current.revision || cache === null;
  const isLarge = isNew && current.product_count >= worthThreads;
  const threads = options.threads ?? otherCores();
  let pool = isLarge || options.threads !== undefined ? new WorkerPool(writerOptions, threads) : null;
  const writer = new DocumentWriter(writerOptions, cache && before);
  try {
    const catalog = new Catalog(writer.state);
    progress('comparing with the previous build', 0, 1);
    const plan = planBuild(writer, catalog, exported, {
      routes: before,
      cache,
      sequence: (cache && previous?.pointer.sequence) ?? null,
    });

    const weight = plan.jobs.reduce((sum, job) => sum + weightOf(job), 0);
    pool ??= new WorkerPool(writerOptions, weight >= worthThreads ? threads : 0);
    let done = 0;
    progress('making documents', done, weight);
    const onDone = (job: Job) => {
      done += weightOf(job);
      progress('making documents', done, weight);
    };
    const makeOwn = () => {
      makeSmallDocuments(writer, catalog, exported);
      if (explorer) writeExplorer(writer, explorer);
    };
    const finished = await pool.run(writer, plan.jobs, makeOwn, { isLast: false, onDone });
    const segments = makeWholeChangeList(writer, plan.knownSegments, finished);

    progress('describing the exports', 0, 1);
    const parts = historyParts(segments, exported, finished, siteFiles(writer, before));
    // What was made until now is compared with the table before while another thread makes the tables over time.
    let changes: RouteChange[] = [];
    let left: ReturnType<typeof leftPaths> = [];
    const compare = () => {
      changes = madeChanges(before, writer.made.routes, current);
      left = leftPaths(before.paths(), changes, plan.taken);
    };
    const [joined] = await pool.run(writer, [{ kind: 'history_tables', ...parts }], compare);
    const historyRows = joined?.result.historyRows;
    if (!historyRows) throw new Error('no tables over time were made');
    const fileOf = siteFiles(writer, before);
    const companions = makeExportCompanions(writer, exported, before, fileOf);
    makeFileLists(writer, catalog, exported, segments, { fileOf, historyRows });

    progress('writing the route table', 0, 1);
    const made = writer.made.routes;
    const taken = { ...plan.taken, paths: new Set([...plan.taken.paths, ...writer.made.taken, ...companions]) };
    const superseded = supersededBy(current, walkable, options.keepAll);
    changes.push(...madeChanges(before, made.slice(changes.length), current));
    const update = tableUpdate(before, changes, leftPaths(left, changes, taken), taken, superseded);
    const { table, reference } = before.write(
      update.set.map(({ route }) => route),
      new Set(update.removed.map(({ path }) => path)),
    );
    const pointer = pointerTo(current, reference, exported, superseded);

    progress('checking out', 0, 1);
    const isReplaced = isShown && reference.sha256 !== pointerBefore?.routes.sha256;
    if (isReplaced) checkOutBeside(storage, revision, table);
    else {
      const state = { leftovers, made: { answers: isShown ? [] : made, table } };
      checkOut(storage, checkout, table, state, cache ? { update, absent } : null);
    }
    progress('flushing to the disk', 0, 1);
    if (!isPointerAt(storage, pointer)) storage.flush();
    moveTo(storage, pointer, key, isReplaced ? folderBeside(revision) : checkout);
    if (isReplaced) {
      progress('checking out under the name of the publication', 0, 1);
      takePlace(storage, revision, table);
    }

    const { common, fingerprints } = plan;
    const summaries = Object.fromEntries(segments.map((one) => [allChangesPaths.segment(one.number), one]));
    const next: BuildCache = { key: cacheKey, table: reference.sha256, common, fingerprints, segments: summaries };
    if (!isDeepStrictEqual(cache, next)) writeBuildCache(storage, next);
    progress('deleting what is past retention', 0, 1);
    const mayHaveStrays = hasLeftovers || (cache === null && !isEmpty);
    const deleted = options.keepAll ? 0 : removePast(storage, { previous, pointer, table, made, mayHaveStrays });
    if (!options.keepAll) storage.remove(unfinishedFile);

    const { written, bytes, addresses } = writer.made;
    const reused = table.size - addresses;
    return { publication: current, resources: table.size, written, reused, deleted, bytes };
  } finally {
    await pool?.dismiss();
    writer.close();
  }
}

/** What the tables over time are made of, after all documents and exports are made. */
function historyParts(
  segments: readonly Summary[],
  exported: readonly Publication[],
  finished: readonly Finished[],
  fileOf: FileLookup,
): HistoryParts {
  const pieces = segments.map(({ number }) => number);
  const daily = new Map(
    finished.flatMap(({ result }) => (result.daily ?? []).map(({ sequence, bytes }) => [sequence, bytes])),
  );
  const paths = [
    ...pieces.map((number) => pathOf('change_piece_parquet', { number: String(number) })),
    ...exported.map(({ revision }) => pathOf('export_parquet', { revision, table: 'daily' })),
  ];
  return { pieces, exported, daily, files: new Map(paths.map((path) => [path, fileOf(path)])) };
}

/** What is known of a checkout before it is complete, of a site that this code built. */
type KnownCheckout = {
  /** What the table has otherwise than the one before. */
  readonly update: TableUpdate;
  /** The paths whose files a spare checkout lacks; null for a folder of which nothing is known. */
  readonly absent: readonly string[] | null;
};

/** Completes the checkout and dates its files: all of them unless it is known which ones differ. */
function checkOut(
  storage: Storage,
  folder: string,
  table: RouteTable,
  state: CheckoutState,
  known: KnownCheckout | null,
): void {
  const { update, absent = null } = known ?? {};
  const changes = update && absent ? { ...update, set: withAbsent(update, absent, table) } : wholeTable(table);
  const copied = completeCheckout(storage, folder, changes, { ...state, isUnseen: absent !== null });
  function* undated({ set }: TableUpdate) {
    for (const { route, old } of set) {
      if (old?.sha256 !== route.sha256 || old.last_modified !== route.last_modified) yield route;
    }
    for (const path of copied) {
      const route = table.get(path);
      if (route) yield route;
    }
  }
  dateFiles(storage, folder, update ? undated(update) : table.values());
}

/** What an update sets, and the routes that it leaves as they are but whose files are absent. */
function withAbsent(update: TableUpdate, absent: readonly string[], table: RouteTable): RouteChange[] {
  const others = new Set(absent);
  const set = update.set.map(({ route, old }) => (others.delete(route.path) ? { route } : { route, old }));
  for (const path of others) {
    const route = table.get(path);
    if (route) set.push({ route });
  }
  return set;
}
