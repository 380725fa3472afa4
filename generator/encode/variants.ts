import type { Variant } from '../contract/formats/site.ts';
import { brotliWhole, gzipWhole } from './compression.ts';
import { type Representation, representationOf } from './representation.ts';

/** A document compressed for whoever accepts it so. */
export type VariantRepresentation = Representation & Pick<Variant, 'encoding'>;

/** Below this an answer fits one packet, headers and all, and is as fast as it gets. Bytes. */
const leastSize = 1024;

/** What a variant may have of the document's size at most, to be worth an object of its own. */
const largestShare = 0.8;

/** A document's variants where they pay, smallest first; none where they do not. */
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
