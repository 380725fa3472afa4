import { addresser, prefix } from '../contract/paths.ts';
import { baseAddress, type PreviousSite, readPreviousSite } from '../site/built-site.ts';
import { isBesideShown, takePlace } from '../site/live-checkout.ts';
import { RouteTable } from '../site/route-table.ts';
import type { Storage } from '../site/storage.ts';
import { type BuildCache, cacheKeyOf, readBuildCache } from './build-cache.ts';

/** What a build finds in the folder of a site. */
export type SiteBefore = {
  /** The site as it is; null for none, and for a build from scratch. */
  readonly site: PreviousSite | null;
  /** The same, if a walk that was begun there can go on in the next publication: its pages print the same addresses. */
  readonly walkable: PreviousSite | null;
  /** The routes of a site whose pages print the same addresses; none where they print others. */
  readonly routes: RouteTable;
  /** The build cache of the code that made the answers of these routes; null where it was other code, or nobody knows. */
  readonly cache: BuildCache | null;
  /** The key of the cache of this build. */
  readonly cacheKey: string;
};

/** Reads the site in a folder. Finishes a checkout at which a killed build was. `full`: a build from scratch. */
export function readSiteBefore(
  storage: Storage,
  { baseUrl, full }: { baseUrl: string | null; full: boolean },
): SiteBefore {
  const cacheKey = cacheKeyOf(baseUrl);
  const site = full ? null : readPreviousSite(storage);
  if (site === null) return { site, walkable: null, routes: RouteTable.empty(storage), cache: null, cacheKey };
  if (isBesideShown(storage, site.pointer.revision)) takePlace(storage, site.pointer.revision, site.routes);
  const { cache, hasCarried } = readBuildCache(storage, cacheKey);
  if (baseAddress(storage, site) !== addresser(baseUrl)(prefix).slice(0, -prefix.length))
    return { site, walkable: null, routes: RouteTable.empty(storage), cache: null, cacheKey };
  return {
    site,
    // Of the routes of an older version, nobody knows which ones were carried.
    walkable: hasCarried ? null : site,
    routes: site.routes,
    cache: cache?.table === site.pointer.routes.sha256 ? cache : null,
    cacheKey,
  };
}
