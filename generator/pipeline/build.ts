import { resolve } from 'node:path';
import { epochSeconds } from '../contract/instant.ts';
import { checkoutFolder, prefix } from '../contract/paths.ts';
import type { Pointer, Route } from '../contract/site.ts';
import { openForReading } from '../database/connection.ts';
import { acquireLock } from '../database/exclusive-lock.ts';
import { latestPublication, type Publication, publicationsUpTo } from '../database/publications.ts';
import { Failure } from '../failure.ts';
import { Catalog } from '../model/catalog.ts';
import { FolderStorage } from '../store/folder-storage.ts';
import { baseAddress, type PreviousSite, readPreviousSite } from '../store/previous-site.ts';
import { readRouteTable, tableObjects, writeRouteTable } from '../store/route-table.ts';
import { completeCheckout, isPointerAt, moveTo, sweep } from '../store/site-writer.ts';
import type { Storage } from '../store/storage.ts';
import { carriedPages, datedRoutes, pointerTo, supersededBy } from './assemble.ts';
import { basisOf } from './basis.ts';
import { type BuildCache, readBuildCache, writeBuildCache } from './build-cache.ts';
import { Crew, otherCores } from './crew.ts';
import { makeSmallDocuments, makeWholeChangeList } from './in-thread.ts';
import { planBuild } from './plan.ts';
import { type Assignment, Workshop } from './workshop.ts';

export type BuildOptions = {
  readonly database: string;
  readonly out: string;
  /** Null: addresses in documents are absolute paths. */
  readonly baseUrl: string | null;
  /** `current`: only the current publication's exports, a preview. */
  readonly exports: 'retained' | 'current';
  /** Delete nothing. */
  readonly keepAll: boolean;
  /** Make every document anew and check every object that stands. */
  readonly full: boolean;
};

/** Starting a thread costs about as much as making this many documents. */
const worthThreads = 3_000;

export type Progress = (stage: string, done: number, of: number) => void;

/** What a build did. Bytes are those written. */
export type BuildSummary = {
  readonly publication: Publication;
  readonly resources: number;
  readonly written: number;
  readonly reused: number;
  readonly deleted: number;
  readonly bytes: number;
};

/**
 * Makes the site of the database's latest publication in a folder, or brings the one there up to it. Killed at any
 * moment it leaves the publication before whole. Throws a Failure when another build is at work there, when the site
 * is of another database, or when a document does not match its schema.
 */
export async function buildSite(options: BuildOptions, progress: Progress): Promise<BuildSummary> {
  const out = resolve(options.out);
  const lock = acquireLock(`${out}/build.lock`);
  if (!lock) throw new Failure(`another build is at work in ${options.out}: wait until it ends`);
  try {
    return await build({ ...options, out }, new FolderStorage(out), progress);
  } finally {
    lock.release();
  }
}

async function build(options: BuildOptions, storage: Storage, progress: Progress): Promise<BuildSummary> {
  const publications = publicationsIn(options.database);
  const current = publications[publications.length - 1] as Publication;
  const previous = readPreviousSite(storage);
  if (previous) refuseForeign(previous, publications, options.out);
  const basis = basisOf(options.baseUrl);
  const cache = options.full ? null : readBuildCache(storage, basis);
  const exported = exportedPublications(publications, options.exports);
  const assignment: Assignment = { ...options, sequence: current.sequence, revision: current.revision };
  const leftovers = storage.list(checkoutFolder(current.revision));
  // A large build from nothing is worth the other cores for sure: they load while this thread plans.
  const isLarge = cache === null && current.product_count >= worthThreads;
  let crew = isLarge ? new Crew(assignment, otherCores()) : null;
  const workshop = new Workshop(assignment);
  try {
    const usable = previous && baseAddress(storage, previous) === workshop.address(prefix).slice(0, -prefix.length);
    const standing = { routes: usable && !options.full ? previous.routes : new Map<string, Route>(), cache };
    const catalog = new Catalog(workshop.state);
    const plan = planBuild(workshop, catalog, exported, standing);

    makeSmallDocuments(workshop, catalog, exported);
    crew ??= new Crew(assignment, plan.weight >= worthThreads ? otherCores() : 0);
    const onDone = (done: number) => progress('making documents', done, plan.jobs.length);
    const finished = await crew.run(workshop, plan.jobs, onDone);
    const segments = makeWholeChangeList(workshop, plan.knownSegments, finished);

    progress('writing the route table', 0, 1);
    const before = usable ? previous.routes : new Map<string, Route>();
    const made = workshop.made.routes;
    const own = [...datedRoutes(made, before, current), ...plan.reused];
    const superseded = supersededBy(current, previous, options.keepAll);
    const { routes: pages, carried } = carriedPages(own, usable ? previous : null, superseded, cache);
    const routes = [...own, ...pages];
    const root = writeRouteTable(storage, routes);
    const pointer = pointerTo(current, root, exported, superseded);
    const next: BuildCache = { basis, fingerprints: plan.fingerprints, segments, carried };
    progress('checking out', 0, 1);
    const named = new Map(made.map(({ path, sha256 }) => [path, sha256]));
    completeCheckout(storage, current.revision, routes, named, leftovers);
    if (!isPointerAt(storage, pointer)) storage.flush();
    moveTo(storage, pointer);
    if (!cache || JSON.stringify(cache) !== JSON.stringify(next)) writeBuildCache(storage, next);
    progress('deleting what is past retention', 0, 1);
    const deleted = options.keepAll ? 0 : deleteUnnamed(storage, pointer, routes);

    const { written, bytes } = workshop.made;
    return { publication: current, resources: routes.length, written, reused: routes.length - written, deleted, bytes };
  } finally {
    await crew?.dismiss();
    workshop.close();
  }
}

/** Deletes the checkouts and objects that neither the current publication nor a kept one names. */
function deleteUnnamed(storage: Storage, pointer: Pointer, routes: readonly Route[]): number {
  const named = new Set(routes.map(({ sha256 }) => sha256));
  const revisions = new Set([pointer.revision]);
  for (const { revision, routes: root } of pointer.publications) {
    if (root === null) continue;
    revisions.add(revision);
    for (const sha256 of tableObjects(storage, root)) named.add(sha256);
    if (revision === pointer.revision) continue;
    for (const { sha256 } of readRouteTable(storage, root)) named.add(sha256);
  }
  return sweep(storage, revisions, named);
}

function publicationsIn(database: string): Publication[] {
  const connection = openForReading(database);
  try {
    const latest = latestPublication(connection);
    if (!latest) throw new Failure(`${database} holds no publication yet: publish a snapshot first`);
    return publicationsUpTo(connection, latest.sequence);
  } finally {
    connection.close();
  }
}

function refuseForeign({ pointer }: PreviousSite, publications: readonly Publication[], out: string): void {
  if (publications.some(({ revision }) => revision === pointer.revision)) return;
  throw new Failure(
    `${out} holds a site of another database: expected a revision of this one, got ${pointer.revision} (sequence ${pointer.sequence}); build into an empty folder`,
  );
}

/** The publications whose exports a site has, newest first: those not past publication_days, and the current one. */
function exportedPublications(publications: readonly Publication[], which: BuildOptions['exports']): Publication[] {
  const newestFirst = [...publications].reverse();
  const [current] = newestFirst;
  if (!current || which === 'current') return newestFirst.slice(0, 1);
  const bound = epochSeconds(current.published_at) - current.publication_days * 86_400;
  return newestFirst.filter((one) => one === current || epochSeconds(one.published_at) >= bound);
}
