/** As many products as one comparison of the service takes. */
export const mostProducts = 25;

/** Whether two lists have the same SKUs, in any order. Neither has one twice. */
export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((sku) => b.includes(sku));
}
