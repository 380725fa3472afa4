import type { PackageSize } from './schemas/product.ts';

/**
 * The volume that a price per litre is computed from: the millilitres of a whole package. Null if the size is unknown
 * or unconfirmed, or if it may be the size of one container of several.
 */
export function establishedMilliliters({
  milliliters,
  container_count: containers,
  total_milliliters: total,
  normalization_state: state,
}: Pick<PackageSize, 'milliliters' | 'container_count' | 'total_milliliters' | 'normalization_state'>): number | null {
  if (state !== 'normalized') return null;
  return total ?? ((containers ?? 1) === 1 ? milliliters : null);
}

/** The price of a litre, in minor units; null if the price or the volume is unknown. */
export function perLitre(price: number | null, milliliters: number | null): number | null {
  return price === null || milliliters === null ? null : Math.round((price * 1000) / milliliters);
}
