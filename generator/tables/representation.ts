import { hash } from 'node:crypto';
import type { Route, Variant } from '../../contract/schemas/site-files.ts';
import { brotliWhole, gzipWhole } from './compression.ts';

/** Bytes as they are sent, with their SHA-256 and entity tag. */
export type Representation = {
  readonly bytes: Uint8Array;
  readonly sha256: string;
  /** Strong entity tag: the MD5 of the bytes, quoted (contract.md 5). */
  readonly etag: string;
};

/** `sha256`: the hash of the bytes, if it is known. */
export function representBytes(bytes: Uint8Array, sha256 = hash('sha256', bytes)): Representation {
  return { bytes, sha256, etag: `"${hash('md5', bytes)}"` };
}

/** A route whose Last-Modified may still be missing, because it depends on the previous build. */
export type PendingRoute = Omit<Route, 'last_modified'> & { readonly last_modified: string | null };

/**
 * Dates the route of a new answer. If the bytes are the same as before, Last-Modified stays. Otherwise it is the
 * route's own, or `now`, the second of this publication. But an immutable address keeps its object, even if the new
 * bytes differ. `isNowShared`: whether the publication before was published in the same second.
 */
export function datedRoute(route: PendingRoute, before: Route | undefined, now: string, isNowShared: boolean): Route {
  const isSame = before?.sha256 === route.sha256;
  if (!isSame && before?.cache === 'immutable' && route.cache === 'immutable') return ownRoute(before);
  const last_modified = isSame ? before.last_modified : (route.last_modified ?? now);
  const isShared = isSame
    ? before.is_date_shared
    : route.cache !== 'immutable' &&
      (before?.last_modified === last_modified || (isNowShared && last_modified === now));
  return { ...route, last_modified, ...(isShared && { is_date_shared: true as const }) };
}

function ownRoute({ last_sequence: _, ...route }: Route): Route {
  return route;
}

/** A document compressed for clients that accept the coding. */
export type VariantRepresentation = Representation & Pick<Variant, 'encoding'>;

/**
 * Answers with fewer bytes have no variants: a smaller answer fits into one packet with its headers, so compression
 * does not make it faster.
 */
const leastSize = 1024;

/** A variant is worth an object of its own if it has at most this share of the document's size. */
const largestShare = 0.8;

const encoders = { br: brotliWhole, gzip: gzipWhole } as const;

/** The variants of a document in these codings that are worth storing, smallest first. */
export function makeVariants(document: Uint8Array, codings: readonly Variant['encoding'][]): VariantRepresentation[] {
  if (document.length < leastSize) return [];
  return codings
    .map((encoding) => ({ encoding, ...representBytes(encoders[encoding](document)) }))
    .filter(({ bytes }) => bytes.length <= document.length * largestShare)
    .sort((a, b) => a.bytes.length - b.bytes.length);
}
