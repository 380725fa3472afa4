import type { Variant } from '../contract/formats/site.ts';
import { brotliWhole, gzipWhole } from './compression.ts';
import { type Representation, representationOf } from './representation.ts';

/** A document compressed for clients that accept the coding. */
export type VariantRepresentation = Representation & Pick<Variant, 'encoding'>;

/** In bytes. A smaller answer fits into one packet with its headers, so compression does not make it faster. */
const leastSize = 1024;

/** A variant is worth an object of its own if it has at most this share of the document's size. */
const largestShare = 0.8;

/** The variants of a document that are worth it, smallest first. */
export function variantsOf(document: Uint8Array): VariantRepresentation[] {
  if (document.length < leastSize) return [];
  const variants: VariantRepresentation[] = [
    { encoding: 'br', ...representationOf(brotliWhole(document)) },
    { encoding: 'gzip', ...representationOf(gzipWhole(document)) },
  ];
  return variants
    .filter(({ bytes }) => bytes.length <= document.length * largestShare)
    .sort((a, b) => a.bytes.length - b.bytes.length);
}
