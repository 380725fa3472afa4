import type { PackageSize } from './documents/catalog.ts';

/** The millilitres of a whole package; null where its size is not known, and of several containers, whose size is ambiguous. */
export function volumeOf({
  milliliters,
  container_count: containers,
  total_milliliters: total,
}: Pick<PackageSize, 'milliliters' | 'container_count' | 'total_milliliters'>): number | null {
  return total ?? ((containers ?? 1) === 1 ? milliliters : null);
}

/** The price of a litre in minor units; null where the price or the size is not known. */
export function perLitre(price: number | null, milliliters: number | null): number | null {
  return price === null || milliliters === null ? null : Math.round((price * 1000) / milliliters);
}
