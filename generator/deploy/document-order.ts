import { type PathKind, parsePath } from '../contract/paths.ts';

/** What leads to something comes after it: parts of products, stores and families, those themselves, then lists of them. */
const ranks = [
  [
    'product_changes_page',
    'family_changes_page',
    'changes_page',
    'product_changes_segment',
    'family_changes_segment',
    'changes_segment',
    'problem',
  ],
  [
    'product_changes',
    'product_changes_index',
    'product_availability',
    'comparison_product',
    'comparison_product_by_sku',
    'store_availability',
    'family_changes',
    'family_changes_index',
  ],
  ['product', 'product_by_sku', 'store', 'store_by_code'],
  ['family'],
  ['brand', 'brand_by_slug'],
] as const satisfies readonly (readonly PathKind[])[];

const rankOf = new Map<PathKind, number>(ranks.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)));

/** How many ranks there are: those above, lists and indexes of everything, and the service index, which leads to those. */
export const documentRanks = ranks.length + 2;

/** In which rank a document that changes goes up. */
export function documentRank(path: string): number {
  const kind = parsePath(path)?.kind;
  if (kind === 'service_index') return ranks.length + 1;
  return (kind && rankOf.get(kind)) ?? ranks.length;
}
