import { hash } from 'node:crypto';
import type { CachePolicy, Route, Variant } from '../contract/formats/site.ts';

/** Bytes as they are sent, with their SHA-256 and entity tag. */
export type Representation = {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Strong entity tag: the MD5 of the bytes, quoted (contract.md 5). */
  readonly etag: string;
};

export function representationOf(bytes: Uint8Array): Representation {
  return { bytes, sha256: hash('sha256', bytes), etag: `"${hash('md5', bytes)}"` };
}

/** How an address is served, beyond its bytes. */
export type Delivery = {
  readonly path: string;
  readonly mediaType: string;
  readonly encoding: Route['encoding'];
  readonly cache: CachePolicy;
  /**
   * Last-Modified of bytes whose publication is known whatever was built before. Null: it depends on the previous
   * build.
   */
  readonly since: string | null;
};

/** A route whose Last-Modified may still be missing, because it depends on the previous build. */
export type PendingRoute = Omit<Route, 'last_modified'> & { readonly last_modified: string | null };

export function pendingRoute(
  delivery: Delivery,
  { bytes, sha256, etag }: Representation,
  variants: readonly Variant[] = [],
): PendingRoute {
  return {
    path: delivery.path,
    sha256,
    size: bytes.length,
    etag,
    media_type: delivery.mediaType,
    encoding: delivery.encoding,
    cache: delivery.cache,
    last_modified: delivery.since && `${delivery.since.slice(0, 19)}Z`,
    ...(variants.length > 0 ? { variants: [...variants] } : {}),
  };
}
