import type { ObjectReference, Pointer, Route } from '../contract/formats/site.ts';
import { checkoutFolder } from '../contract/paths.ts';
import { type Answer, completeCheckout, dateFiles, wholeTable } from './checkout.ts';
import type { SigningKey } from './keys.ts';
import { checkOutBeside, folderBeside, isLive, takePlace } from './live-checkout.ts';
import type { RouteChange, Routes, TableChanges } from './route-table.ts';
import { isPointerAt, moveTo } from './site-writer.ts';
import { takeSpare } from './spare-checkout.ts';
import type { Storage } from './storage.ts';

/** A publication whose answers are all objects, and whose route table is written. */
type Written = {
  readonly pointer: Pointer;
  readonly routes: Routes;
  /** What differs from the routes before; null where it is not known how the answers of those were made. */
  readonly update: TableChanges | null;
  /** The answers that were made, also those that gave way to the existing one of an immutable address. */
  readonly made: readonly Answer[];
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

  /** Begins with the spare checkout of a route table; null for none. */
  constructor(storage: Storage, revision: string, table: ObjectReference | null) {
    this.#storage = storage;
    this.#revision = revision;
    this.folder = checkoutFolder(revision);
    this.#absent = table && takeSpare(storage, table, revision);
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
