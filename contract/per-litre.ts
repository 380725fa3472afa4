import type { PackageSize } from './documents/catalog.ts';

/**
 * The millilitres in a package; null if its size is unknown, or if it has several containers, because its size is then
 * ambiguous.
 */
export function packageMilliliters({
  milliliters,
  container_count: containers,
  total_milliliters: total,
}: Pick<PackageSize, 'milliliters' | 'container_count' | 'total_milliliters'>): number | null {
  return total ?? ((containers ?? 1) === 1 ? milliliters : null);
}

/** The price per litre in minor units; null if the price or the size is unknown. */
export function perLitre(price: number | null, milliliters: number | null): number | null {
  return price === null || milliliters === null ? null : Math.round((price * 1000) / milliliters);
}
