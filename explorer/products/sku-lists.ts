/** The most products that the API compares at once. */
export const mostProducts = 25;

/** Whether two lists have the same SKUs, in any order. Neither has duplicates. */
export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((sku) => b.includes(sku));
}
