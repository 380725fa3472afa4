import { documentedPublications, type ObjectReference, type Pointer, type Route } from '../contract/formats/site.ts';
import { checkoutFolder } from '../contract/paths.ts';
import type { PreviousSite } from '../site/built-site.ts';
import { RouteTable } from '../site/route-table.ts';
import { sweep, sweepObjects } from '../site/site-writer.ts';
import { makeSpare, removeSpares } from '../site/spare-checkout.ts';
import type { Storage } from '../site/storage.ts';

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
    return root.sha256 === previous?.pointer.routes.sha256 ? previous.routes : RouteTable.read(storage, root);
  };
  const unnamed = new Set<string>();
  const add = ({ sha256, variants = [] }: Pick<Route, 'sha256' | 'variants'>) => {
    unnamed.add(sha256);
    for (const variant of variants) unnamed.add(variant.sha256);
  };
  for (const route of build.made) add(route);
  let isSpareMade = false;
  for (const { revision, routes } of previous ? documentedPublications(previous.pointer) : []) {
    if (keptRoots.has(routes.sha256)) continue;
    const past = tableOf(routes);
    const changes = past.changesTo(table);
    for (const { old } of changes.set) if (old) add(old);
    for (const route of changes.removed) add(route);
    for (const { sha256 } of [routes, ...past.root.shards]) unnamed.add(sha256);
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
  for (const one of tables()) for (const sha256 of one.objects()) named.add(sha256);
  return sweep(storage, revisions, named);
}
