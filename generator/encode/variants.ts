import type { Variant } from '../contract/formats/site.ts';
import type { PathKind } from '../contract/paths.ts';
import { brotliWhole, gzipWhole } from './compression.ts';
import { type Representation, representationOf } from './representation.ts';

/** A document compressed for whoever accepts it so. */
export type VariantRepresentation = Representation & Pick<Variant, 'encoding'>;

/**
 * Addresses that everyone asks for, and of which there are few. A product's documents are tens of thousands, each asked
 * for by few; sealed pages are as many as there is history, and read once.
 */
const compressedKinds: ReadonlySet<PathKind> = new Set<PathKind>([
  'service_index',
  'metadata',
  'publications',
  'exports',
  'problem',
  'openapi',
  'products',
  'products_page',
  'former_skus',
  'families',
  'families_page',
  'brands',
  'brands_page',
  'brand_index',
  'brand',
  'stores',
  'stores_page',
  'store',
  'store_availability',
  'categories',
  'search_index',
  'comparison_stores',
  'changes',
  'changes_index',
]);

/** Below this an answer fits one packet, headers and all, and is as fast as it gets. Bytes. */
const leastSize = 1024;

/** What a variant may have of the document's size at most, to be worth an object of its own. */
const largestShare = 0.8;

/** Whether documents of this kind are compressed when they are made. */
export function isCompressed(kind: PathKind): boolean {
  return compressedKinds.has(kind);
}

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
