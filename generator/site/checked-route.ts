import { addressTable } from '../contract/addresses.ts';
import type { Route } from '../contract/formats/site.ts';
import { compareInstants } from '../contract/instant.ts';
import { type PathKind, parsePath } from '../contract/paths.ts';
import { type FaultList, shown } from './fault.ts';
import type { SoundObject } from './object-ledger.ts';

/**
 * Checks a route without its bytes: its address must be one of the contract's, and its delivery must be that of the
 * address (contract.md 5). `publishedAt` is the time of the publication: no bytes can have changed after it.
 */
export function checkRoute(route: Route, publishedAt: string, faults: FaultList): void {
  const kind = parsePath(route.path)?.kind;
  if (kind === undefined || roleOf(kind) === 'computed') {
    faults.add('route_unknown', route.path, 'an address of the contract with a precomputed answer', 'none');
    return;
  }
  const { mediaType, encoding, cache } = addressTable[kind];
  const expectEqual = (what: string, expected: unknown, got: unknown) => {
    if (got !== expected) faults.add('route_delivery', route.path, `${what} ${shown(expected)}`, shown(got));
  };
  expectEqual('media type', mediaType, route.media_type);
  expectEqual('encoding', encoding, route.encoding);
  if (cache !== 'either') expectEqual('cache policy', cache, route.cache);
  if (compareInstants(route.last_modified, publishedAt) > 0) {
    faults.add('route_delivery', route.path, `last_modified not after ${publishedAt}`, route.last_modified);
  }
}

/** Checks the size and ETag of a route against its object. */
export function checkValidators(route: Route, object: SoundObject, faults: FaultList): void {
  if (route.size !== object.size) {
    faults.add('route_size', route.path, `size ${object.size}, as its object has`, String(route.size));
  }
  const etag = `"${object.md5}"`;
  if (route.etag !== etag) faults.add('route_etag', route.path, `ETag ${etag}, the MD5 of its bytes`, route.etag);
}

export function roleOf(kind: PathKind) {
  return addressTable[kind].role;
}

/** Whether the address is a page of a change list. Such a page may be past retention. */
export function isChangePage(kind: PathKind): boolean {
  const { role, cache } = addressTable[kind];
  return role === 'page' && cache === 'either';
}
