import type { PackageSize } from './schemas/catalog.ts';

/**
 * The millilitres in a whole package; null where they are not established: the size is unknown or unconfirmed, or it
 * may be that of one container of several. Every price per litre is of this volume.
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

/** The price per litre in minor units; null if the price or the volume is unknown. */
export function perLitre(price: number | null, milliliters: number | null): number | null {
  return price === null || milliliters === null ? null : Math.round((price * 1000) / milliliters);
}
