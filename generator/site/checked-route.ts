import { fileResource, isFileKind } from '../contract/file-resource.ts';
import type { CachePolicy, Route } from '../contract/formats/site.ts';
import { jsonMediaType } from '../contract/headers.ts';
import { compareInstants } from '../contract/instant.ts';
import { type PathKind, parsePath } from '../contract/paths.ts';
import { resources } from '../contract/resources.ts';
import { type FaultList, shown } from './fault.ts';
import type { SoundObject } from './object-ledger.ts';

/**
 * Checks what can be said of a route without its bytes: that its address is one of the contract's, and how it is
 * delivered (contract.md 5). `publishedAt` is the publication's: no bytes can have changed after it.
 */
export function checkRoute(route: Route, publishedAt: string, faults: FaultList): void {
  const kind = parsePath(route.path)?.kind;
  if (kind === undefined || roleOf(kind) === 'computed') {
    faults.add('route_unknown', route.path, 'an address of the contract with a precomputed answer', 'none');
    return;
  }
  const file = isFileKind(kind) ? fileResource(kind) : { mediaType: jsonMediaType, encoding: null };
  const expectEqual = (what: string, expected: unknown, got: unknown) => {
    if (got !== expected) faults.add('route_delivery', route.path, `${what} ${shown(expected)}`, shown(got));
  };
  expectEqual('media type', file.mediaType, route.media_type);
  expectEqual('encoding', file.encoding, route.encoding);
  const cache = cachePolicyOf(kind);
  if (cache !== null) expectEqual('cache policy', cache, route.cache);
  if (compareInstants(route.last_modified, publishedAt) > 0) {
    faults.add('route_delivery', route.path, `last_modified not after ${publishedAt}`, route.last_modified);
  }
}

/** Size and entity tag against the object's bytes. */
export function checkValidators(route: Route, object: SoundObject, faults: FaultList): void {
  if (route.size !== object.size) {
    faults.add('route_size', route.path, `size ${object.size}, as its object has`, String(route.size));
  }
  const etag = `"${object.md5}"`;
  if (route.etag !== etag) faults.add('route_etag', route.path, `ETag ${etag}, the MD5 of its bytes`, route.etag);
}

/** What a kind of address always has; null where it depends on the document: an expired page stays changeable. */
function cachePolicyOf(kind: PathKind): CachePolicy | null {
  if (isFileKind(kind) || kind === 'export_package') return 'immutable';
  if (isChangePage(kind) || kind.endsWith('_segment')) return null;
  return roleOf(kind) === 'page' ? 'immutable' : 'revalidate';
}

export function roleOf(kind: PathKind): (typeof resources)[keyof typeof resources]['role'] | 'file' {
  return isFileKind(kind) ? 'file' : resources[kind].role;
}

export function isChangePage(kind: PathKind): boolean {
  return kind === 'changes_page' || kind === 'product_changes_page' || kind === 'family_changes_page';
}
