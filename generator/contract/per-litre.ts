/** Cents for a litre; null where the price or the size is not known, and of several containers, whose size is ambiguous. */
export function perLitre(price: number | null, milliliters: number | null, containers: number | null = 1) {
  if (price === null || milliliters === null || (containers ?? 1) !== 1) return null;
  return Math.round((price * 1000) / milliliters);
}
