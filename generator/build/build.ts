import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { DataLicense } from '../contract/formats/data-package.ts';
import { signatureFile } from '../contract/paths.ts';
import { explainDatabase } from '../database/connection.ts';
import { openForReading } from '../database/database-file.ts';
import type { Publication } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { Catalog } from '../model/catalog.ts';
import { allChangesPaths } from '../resources/change-list.ts';
import { readPointer } from '../site/built-site.ts';
import { buildUnfinished, refuseForeignFolder, refuseMisplacedLinks, unfinishedText } from '../site/foreign-folder.ts';
import type { SigningKey } from '../site/keys.ts';
import { acquireLock, buildLock } from '../site/lock.ts';
import { Storage } from '../site/storage.ts';
import { writeBuildCache } from './build-cache.ts';
import { buildTargetOf, takenBack } from './build-target.ts';
import { DocumentWriter, type WriterOptions } from './document-writer.ts';
import { type ExplorerParts, writeExplorer } from './explorer.ts';
import { makeExportCompanions, siteFiles } from './export-files.ts';
import { historyParts } from './history-parts.ts';
import { type Job, weightOf } from './jobs.ts';
import { removePast } from './past-publications.ts';
import { planBuild } from './plan.ts';
import { pointerTo, supersededBy } from './pointer.ts';
import { PublicationCheckout } from './publication-checkout.ts';
import { makeFileLists, makeSmallDocuments, makeWholeChangeList } from './single-documents.ts';
import { readSiteBefore } from './site-before.ts';
import { TableComparison } from './table-update.ts';
import { otherCores, WorkerPool } from './worker-pool.ts';

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
  // A database that cannot be read leaves no folder behind.
  openForReading(options.database).close();
  const lock = acquireLock(`${out}/${buildLock}`);
  if (!lock) throw new Failure(`another build is at work in ${options.out}: wait until it ends`);
  try {
    const storage = new Storage(out);
    refuseMisplacedLinks(options.out, storage);
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
  const begin = (stage: string) => progress(stage, 0, 1);
  begin('reading the database');
  const pointerBefore = readPointer(storage);
  const { current, exported } = buildTargetOf(options.database, options.exports, pointerBefore);
  const siteBefore = readSiteBefore(storage, options);
  const { site: previous, walkable, routes: before, cache, cacheKey } = siteBefore;
  const mayHaveStrays = storage.exists(buildUnfinished) || (cache === null && storage.exists('objects'));
  storage.replace(buildUnfinished, unfinishedText);
  const checkout = new PublicationCheckout(storage, current.revision, siteBefore);
  const { explorer = null } = options;
  const writerOptions: WriterOptions = {
    database: options.database,
    out: options.out,
    baseUrl: options.baseUrl,
    license: options.dataLicense ?? null,
    sequence: current.sequence,
    checkout: checkout.isShown ? null : checkout.folder,
    isSpare: checkout.isSpare,
  };
  // A publication of many products is worth the start of worker threads. They load while this thread plans.
  const isNew = previous?.pointer.revision !== current.revision || cache === null;
  const isLarge = isNew && current.product_count >= worthThreads;
  const threads = options.threads ?? otherCores();
  let pool = isLarge || options.threads !== undefined ? new WorkerPool(writerOptions, threads) : null;
  const writer = new DocumentWriter(writerOptions, cache && before);
  try {
    const catalog = new Catalog(writer.state);
    begin('comparing with the previous build');
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

    begin('describing the exports');
    const parts = historyParts(segments, exported, finished, siteFiles(writer, before));
    const comparison = new TableComparison(before, current);
    // What was made until now is compared with the table before while another thread makes the tables over time.
    const compare = () => comparison.compare(writer.made.routes, plan.taken);
    const [joined] = await pool.run(writer, [{ kind: 'history_tables', ...parts }], compare);
    const historyRows = joined?.result.historyRows;
    if (!historyRows) throw new Error('no tables over time were made');
    const fileOf = siteFiles(writer, before);
    const companions = makeExportCompanions(writer, exported, before, fileOf);
    makeFileLists(writer, catalog, exported, segments, { fileOf, historyRows });

    begin('writing the route table');
    const made = writer.made.routes;
    const taken = { ...plan.taken, paths: new Set([...plan.taken.paths, ...writer.made.taken, ...companions]) };
    comparison.compare(made, taken);
    const superseded = supersededBy(current, walkable, options.keepAll);
    const update = comparison.update(taken, superseded);
    const { table, reference } = before.write(
      update.set.map(({ route }) => route),
      new Set(update.removed.map(({ path }) => path)),
    );
    const pointer = pointerTo(current, reference, exported, superseded);

    const obstacle = takenBack(options.database, current);
    if (obstacle) throw obstacle;
    checkout.show({ pointer, table, made, update: cache && update }, key, pointerBefore, begin);

    const { common, fingerprints } = plan;
    const summaries = Object.fromEntries(segments.map((one) => [allChangesPaths.segment(one.number), one]));
    const next = { key: cacheKey, table: reference.sha256, common, fingerprints, segments: summaries };
    if (!isDeepStrictEqual(cache, next)) writeBuildCache(storage, next);
    begin('deleting what is past retention');
    const deleted = options.keepAll ? 0 : removePast(storage, { previous, pointer, table, made, mayHaveStrays });
    if (!options.keepAll) storage.remove(buildUnfinished);

    const { written, bytes, addresses } = writer.made;
    const reused = table.size - addresses;
    return { publication: current, resources: table.size, written, reused, deleted, bytes };
  } catch (error) {
    throw explained(error, options.database, current);
  } finally {
    await pool?.dismiss();
    writer.close();
  }
}

/** The error of a build, or that the publication was taken back, which makes what a build reads contradict itself. */
function explained(error: unknown, database: string, current: Publication): unknown {
  try {
    return takenBack(database, current) ?? error;
  } catch {
    // The database cannot be read any more: the error of the build says more of that.
    return error;
  }
}
