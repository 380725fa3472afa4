import { documentedPublications, type ObjectReference, type Pointer, type Route } from '../contract/formats/site.ts';
import { checkoutFolder } from '../contract/paths.ts';
import type { PendingRoute } from '../encode/representation.ts';
import type { PreviousSite } from '../site/built-site.ts';
import { completeCheckout, dateFiles, wholeTable } from '../site/checkout.ts';
import type { SigningKey } from '../site/keys.ts';
import { checkOutBeside, folderBeside, isLive, takePlace } from '../site/live-checkout.ts';
import {
  changesBetween,
  hashesOf,
  namedObjects,
  type RouteChange,
  type Routes,
  type RouteTable,
  readTable,
  type TableChanges,
} from '../site/route-table.ts';
import { isPointerAt, moveTo, sweep, sweepObjects } from '../site/site-writer.ts';
import { makeSpare, removeSpares, takeSpare } from '../site/spare-checkout.ts';
import type { Storage } from '../site/storage.ts';
import type { SiteBefore } from './build-target.ts';

/** A publication whose answers are all objects, and whose route table is written. */
type Written = {
  readonly pointer: Pointer;
  readonly routes: Routes;
  /** What differs from the routes before; null where it is not known how the answers of those were made. */
  readonly update: TableChanges | null;
  /** The answers that were made, also those that gave way to the existing one of an immutable address. */
  readonly made: readonly PendingRoute[];
};

/** The checkout of the publication that a build makes: what its folder has when the build begins, and how it is shown. */
export class PublicationCheckout {
  readonly folder: string;
  /** Whether plain servers show it already, as the publication is built again: then nothing in it changes under them. */
  readonly isShown: boolean;
  /** Paths whose files the spare checkout lacks that the folder was before; null where it was none. */
  readonly #absent: readonly string[] | null;
  /** Names of files that a killed build may have left. */
  readonly #leftovers: readonly string[];
  readonly #storage: Storage;
  readonly #revision: string;

  /** Begins with the spare checkout, if there is one and it is known how its answers were made. */
  constructor(storage: Storage, revision: string, { site, units }: SiteBefore) {
    this.#storage = storage;
    this.#revision = revision;
    this.folder = checkoutFolder(revision);
    this.#absent = site && units ? takeSpare(storage, site.pointer.routes, revision) : null;
    this.isShown = isLive(storage, revision);
    this.#leftovers = this.isSpare ? [] : storage.list(this.folder);
  }

  /** Whether the folder has the files of another publication, which nobody reads. */
  get isSpare(): boolean {
    return this.#absent !== null;
  }

  /** Completes the checkout, flushes everything to the disk, and switches readers to the publication. */
  show(
    written: Written,
    key: SigningKey | null,
    pointerBefore: Pointer | null,
    progress: (stage: string) => void,
  ): void {
    const { pointer, routes } = written;
    const [storage, revision] = [this.#storage, this.#revision];
    const isReplaced = this.isShown && pointer.routes.sha256 !== pointerBefore?.routes.sha256;
    progress('checking out');
    if (isReplaced) checkOutBeside(storage, revision, routes);
    else this.#complete(written);
    progress('flushing to the disk');
    if (!isPointerAt(storage, pointer)) storage.flush();
    moveTo(storage, pointer, key, isReplaced ? folderBeside(revision) : this.folder);
    if (!isReplaced) return;
    progress('checking out under the name of the publication');
    takePlace(storage, revision, routes);
  }

  /** Completes the checkout and dates its files: all of them unless it is known which ones differ. */
  #complete({ routes, update, made }: Written): void {
    const changes =
      update && this.#absent ? { ...update, set: withAbsent(update, this.#absent, routes) } : wholeTable(routes);
    const copied = completeCheckout(this.#storage, this.folder, changes, {
      leftovers: this.#leftovers,
      made: { answers: this.isShown ? [] : made, routes },
      isUnseen: this.isSpare,
    });
    dateFiles(this.#storage, this.folder, update ? undated(update, copied, routes) : routes.values());
  }
}

/** What an update sets, and the routes that it leaves as they are but whose files are absent. */
function withAbsent(update: TableChanges, absent: readonly string[], routes: Routes): RouteChange[] {
  const others = new Set(absent);
  const set = update.set.map(({ route, old }) => (others.delete(route.path) ? { route } : { route, old }));
  for (const path of others) {
    const route = routes.get(path);
    if (route) set.push({ route });
  }
  return set;
}

/** The routes whose files do not have their time yet: those with other bytes or another time, and those of copies. */
function* undated(update: TableChanges, copied: ReadonlySet<string>, routes: Routes): Iterable<Route> {
  for (const { route, old } of update.set) {
    if (old?.sha256 !== route.sha256 || old.last_modified !== route.last_modified) yield route;
  }
  for (const path of copied) {
    const route = routes.get(path);
    if (route) yield route;
  }
}

/** A build whose pointer has moved. */
type Finished = {
  readonly previous: PreviousSite | null;
  readonly pointer: Pointer;
  readonly table: RouteTable;
  /** The answers that were made, also those that gave way to the existing one of an immutable address. */
  readonly made: readonly Pick<Route, 'sha256' | 'variants'>[];
  /** Whether there may be objects that no publication of the previous site names: a killed build left them. */
  readonly mayHaveStrays: boolean;
};

/**
 * Deletes what the site does not keep any more, and makes the newest past checkout the spare one. Looks only at what the
 * past publications had and the current one has not, unless there may be strays. Returns the number of deleted objects.
 */
export function removePast(storage: Storage, build: Finished): number {
  const { previous, pointer, table } = build;
  const kept = documentedPublications(pointer);
  const keptRoots = new Set(kept.map(({ routes }) => routes.sha256));
  const revisions = new Set(kept.map(({ revision }) => revision));
  const tableOf = (root: ObjectReference) => {
    if (root.sha256 === pointer.routes.sha256) return table;
    return root.sha256 === previous?.pointer.routes.sha256 ? previous : readTable(storage, root);
  };
  const unnamed = new Set<string>();
  const add = (route: Pick<Route, 'sha256' | 'variants'>) => {
    for (const sha256 of hashesOf(route)) unnamed.add(sha256);
  };
  for (const route of build.made) add(route);
  let isSpareMade = false;
  for (const { revision, routes } of previous ? documentedPublications(previous.pointer) : []) {
    if (keptRoots.has(routes.sha256)) continue;
    const past = tableOf(routes);
    const changes = changesBetween(past.routes, table.routes);
    for (const { old } of changes.set) if (old) add(old);
    for (const route of changes.removed) add(route);
    for (const sha256 of past.objects) unnamed.add(sha256);
    if (isSpareMade || revisions.has(revision) || !storage.exists(checkoutFolder(revision))) continue;
    makeSpare(storage, revision, pointer.routes, changes);
    isSpareMade = true;
  }
  if (!isSpareMade) removeSpares(storage, pointer.routes);
  // One table after the other, as each takes memory.
  function* tables() {
    for (const { routes } of kept) yield tableOf(routes);
  }
  if (!build.mayHaveStrays) return sweepObjects(storage, revisions, unnamed, tables());
  const named = new Set<string>();
  for (const one of tables()) for (const sha256 of namedObjects(one)) named.add(sha256);
  return sweep(storage, revisions, named);
}
