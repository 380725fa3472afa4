/** What a reader watches: products by SKU, brands by slug, and categories by id. */
export type WatchList = {
  readonly skus: readonly string[];
  readonly brands: readonly string[];
  readonly categories: readonly string[];
};
export type WatchKind = keyof WatchList;

/** The most entries of each kind: every product is a document to read. */
export const mostWatched = { skus: 50, brands: 20, categories: 20 } as const;
export const watchKinds = Object.keys(mostWatched) as WatchKind[];
export const nothingWatched: WatchList = { skus: [], brands: [], categories: [] };

export function formatList(list: WatchList): Record<WatchKind, string> {
  return { skus: list.skus.join(), brands: list.brands.join(), categories: list.categories.join() };
}

/** The list with an entry added or, if it was there, removed. A full list stays as it is. */
export function toggled(list: WatchList, kind: WatchKind, code: string): WatchList {
  const codes = list[kind];
  if (codes.includes(code)) return { ...list, [kind]: codes.filter((other) => other !== code) };
  return codes.length >= mostWatched[kind] ? list : { ...list, [kind]: [...codes, code] };
}

/** The entries of both lists, as far as there is room. */
export function joinedLists(list: WatchList, other: WatchList): WatchList {
  const of = (kind: WatchKind) => [...new Set([...list[kind], ...other[kind]])].slice(0, mostWatched[kind]);
  return { skus: of('skus'), brands: of('brands'), categories: of('categories') };
}

export function listSize(list: WatchList): number {
  return watchKinds.reduce((sum, kind) => sum + list[kind].length, 0);
}
