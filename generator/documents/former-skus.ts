import type { FormerSkuRow } from '../database/state-reader.ts';

/** A former code that is now a SKU names that product, so it is neither resolved nor ambiguous here. */
export function formerSkuIndex(rows: readonly FormerSkuRow[]) {
  const bySku = Map.groupBy(rows, ({ sku }) => sku);
  const others = rows.filter(({ is_current }) => is_current !== 1);
  const owners = Map.groupBy(others, ({ former_sku }) => former_sku);
  /** The former codes of the product with a SKU, ascending. */
  const of = (sku: string) => (bySku.get(sku) ?? []).map(({ former_sku }) => former_sku);
  return {
    of,
    /** Former codes that no other product had, and that no product has now. */
    resolvingTo: (sku: string) => of(sku).filter((code) => owners.get(code)?.length === 1),
    /** Codes that several products had, and that no product has now, ascending. */
    ambiguous: [...owners].flatMap(([code, { length }]) => (length > 1 ? [code] : [])).sort(),
  };
}
