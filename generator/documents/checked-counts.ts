import type { Product } from './product.ts';
import type { State } from './state.ts';

type Asked = Pick<Product, 'key' | 'scope'>;

/** Counts stores in scope that the last successful retrieval covered, or whose older observation still counts. */
export function checkedStoreCounter({ storesInScope, scopes, older }: State): (product: Asked) => number {
  const inScope = new Set(storesInScope.map(({ key }) => key));
  const sizes = new Map<number, number>();
  for (const [scope, covered] of scopes) sizes.set(scope, [...covered].filter((key) => inScope.has(key)).length);
  return ({ key, scope }) => {
    const covered = scope === null ? undefined : scopes.get(scope);
    const others = [...(older.get(key)?.keys() ?? [])].filter((store) => inScope.has(store) && !covered?.has(store));
    return (scope === null ? 0 : (sizes.get(scope) ?? 0)) + others.length;
  };
}

/** By store key, how many of these products were ever checked there. Stores without any such product have no entry. */
export function checkedProductCounts({ scopes, older }: State, products: readonly Asked[]): Map<number, number> {
  const counts = new Map<number, number>();
  const add = (store: number, products: number) => counts.set(store, (counts.get(store) ?? 0) + products);
  const byScope = Map.groupBy(products, ({ scope }) => scope);
  for (const [scope, { length }] of byScope)
    for (const store of scope === null ? [] : (scopes.get(scope) ?? [])) add(store, length);
  for (const { key, scope } of products) {
    const covered = scope === null ? undefined : scopes.get(scope);
    for (const store of older.get(key)?.keys() ?? []) if (!covered?.has(store)) add(store, 1);
  }
  return counts;
}
