import type { View } from './router.ts';

/** Every view by the first part of its address. */
export const views: Readonly<Record<string, () => Promise<View>>> = {
  browse: async () => (await import('../views/browse.tsx')).Browse,
  home: async () => (await import('../views/home.tsx')).Home,
  stores: async () => (await import('../views/stores.tsx')).Stores,
};
