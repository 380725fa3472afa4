import { documentedPublications, type ObjectReference, type Pointer, type Route } from '../contract/formats/site.ts';
import type { MirrorHolding } from '../contract/formats/site-records.ts';
import { Failure } from '../failure.ts';
import { SiteFiles } from '../site/checked-files.ts';
import { checkRoute } from '../site/checked-route.ts';
import { checkTable } from '../site/checked-table.ts';
import { FaultList } from '../site/fault.ts';
import { ObjectLedger } from '../site/object-ledger.ts';
import { selectRoutes } from '../site/route-selection.ts';

/** A publication that a mirror is to hold, its route table checked: `held` are the routes it holds of all. */
export type HeldPublication = {
  readonly revision: string;
  readonly root: ObjectReference;
  readonly held: readonly Route[];
  readonly routeCount: number;
};

type Named = Pick<Pointer, 'revision' | 'published_at' | 'routes'>;

/**
 * The publications that a mirror holds, the current one first: all whose documents the pointer names, as readers under way
 * may still ask for those before. A partial one has of the current one alone.
 */
export function publicationsOf(pointer: Pointer, only: readonly string[] | null): Named[] {
  return only === null ? documentedPublications(pointer) : [pointer];
}

/**
 * Reads the route tables that stand in a folder, and holds them against the contract: an address of its own is what a
 * file's name is made of. Throws a Failure that names the first thing that does not fit, or when a pattern matches nothing.
 */
export function heldPublications(
  directory: string,
  pointer: Pointer,
  only: readonly string[] | null,
): HeldPublication[] {
  const files = new SiteFiles(directory);
  const faults = new FaultList();
  const ledger = new ObjectLedger(files, faults);
  return publicationsOf(pointer, only).map(({ revision, published_at, routes: root }) => {
    const table = checkTable({ ledger, faults }, root, `revision ${revision}`);
    const routes = [...(table?.routes.values() ?? [])];
    for (const route of routes) checkRoute(route, published_at, faults);
    faults.refuseFirst();
    const held = only === null ? routes : selectRoutes(routes, only);
    if (held.length === 0) throw new Failure(`--only ${only?.join(' ')}: expected a route of the site, got none`);
    return { revision, root, held, routeCount: routes.length };
  });
}

/** The objects of answers and their variants, each once. */
export function objectsOf(publications: readonly HeldPublication[]): ObjectReference[] {
  const sizes = new Map<string, number>();
  for (const { held } of publications) {
    for (const { sha256, size, variants = [] } of held) {
      sizes.set(sha256, size);
      for (const variant of variants) sizes.set(variant.sha256, variant.size);
    }
  }
  return [...sizes].map(([sha256, size]) => ({ sha256, size }));
}

/** What the record says of the current publication, which is the first. */
export function holdingOfCurrent(
  [current]: readonly HeldPublication[],
  rest: Pick<MirrorHolding, 'pointer_sha256' | 'etag'>,
  only: readonly string[] | null,
): MirrorHolding {
  const { held = [], routeCount = 0 } = current ?? {};
  return { ...rest, only: only && [...only], routes: held.length, route_count: routeCount };
}
