import type { ProductRow } from '../../../generator/contract/documents/product.ts';

/** The name of a product with its brand, which the service keeps apart from it. */
export function fullName({ brand, name }: Pick<ProductRow, 'brand' | 'name'>): string {
  return brand === null || name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`;
}

/**
 * Cents for a litre of a product; null where its price or size is not known. `containers`: how many the package has, where that is
 * known. The size of several is ambiguous, so they have none.
 */
export function perLitre(
  price: { readonly amount_minor: number } | null,
  milliliters: number | null,
  containers: number | null = 1,
): number | null {
  if (price === null || milliliters === null || (containers ?? 1) !== 1) return null;
  return Math.round((price.amount_minor * 1000) / milliliters);
}
