import type { LoadView } from './shown-view.tsx';

/**
 * Every view by the first part of its address. Each is a separate file: reading all code at once takes a slow phone a
 * tenth of a second.
 */
export const views: Readonly<Record<string, LoadView>> = {
  api: async () => (await import('./views/api.tsx')).Api,
  brand: async () => (await import('./views/brand.tsx')).Brand,
  browse: async () => (await import('./views/browse.tsx')).Browse,
  changes: async () => (await import('./views/changes.tsx')).Changes,
  compare: async () => (await import('./views/compare.tsx')).Trip,
  data: async () => (await import('./views/data.tsx')).Data,
  family: async () => (await import('./views/family.tsx')).Family,
  home: async () => (await import('./views/home.tsx')).Home,
  prices: async () => (await import('./views/prices.tsx')).Prices,
  problem: async () => (await import('./views/problem.tsx')).Problem,
  problems: async () => (await import('./views/problems.tsx')).Problems,
  product: async () => (await import('./views/product.tsx')).Product,
  search: async () => (await import('./views/search.tsx')).Search,
  store: async () => (await import('./views/store.tsx')).Store,
  stores: async () => (await import('./views/stores.tsx')).Stores,
  watch: async () => (await import('./views/watch.tsx')).Watch,
};
