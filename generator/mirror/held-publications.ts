import { documentedPublications, type ObjectReference, type Pointer, type Route } from '../contract/formats/site.ts';
import type { MirrorHolding } from '../contract/formats/site-records.ts';
import { Failure } from '../failure.ts';
import { SiteFiles } from '../site/checked-files.ts';
import { checkRoute } from '../site/checked-route.ts';
import { checkTable } from '../site/checked-table.ts';
import { FaultList } from '../site/fault.ts';
import { ObjectLedger } from '../site/object-ledger.ts';
import { selectRoutes } from '../site/route-selection.ts';

/**
 * A publication for a mirror to hold, with its route table checked. `held`: the routes that the mirror holds, of
 * `routeCount` in all.
 */
export type HeldPublication = {
  readonly revision: string;
  readonly root: ObjectReference;
  readonly held: readonly Route[];
  readonly routeCount: number;
};

type Named = Pick<Pointer, 'revision' | 'published_at' | 'routes'>;

/**
 * The publications that a mirror holds, the current one first. They are all kept publications, because readers under
 * way may still need the superseded ones. A partial mirror holds only the current one.
 */
export function publicationsOf(pointer: Pointer, only: readonly string[] | null): Named[] {
  return only === null ? documentedPublications(pointer) : [pointer];
}

/**
 * Reads the route tables in a folder and checks them against the contract, because file names are made of their
 * addresses. Throws a Failure that names the first fault, or when a pattern matches nothing.
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

/** The entry of the current publication, which is the first, in the mirror's record. */
export function holdingOfCurrent(
  [current]: readonly HeldPublication[],
  rest: Pick<MirrorHolding, 'pointer_sha256' | 'etag'>,
  only: readonly string[] | null,
): MirrorHolding {
  const { held = [], routeCount = 0 } = current ?? {};
  return { ...rest, only: only && [...only], routes: held.length, route_count: routeCount };
}
