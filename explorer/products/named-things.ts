import { useMemo } from 'preact/hooks';
import type { Category } from '../../contract/schemas/category.ts';
import type { StoreSummary } from '../../contract/schemas/store.ts';
import { nameKey, nameLength, type Searchable, searchText, searchWords } from '../../contract/search-order.ts';
import { countNoun } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { hasStores } from '../site/site-profile.ts';
import { useCategories, useStores } from '../site/stores-and-categories.ts';
import type { ProductIndex } from './product-index.ts';
import { readersRanker, searchTexts } from './ranking.ts';

/** Something other than a product that a search finds by name. `note`: such as `98 products`. */
export type NamedThing = { readonly id: string; readonly name: string; readonly note: string; readonly href: string };
export type ThingKind = 'category' | 'brand' | 'store';

type Entry = NamedThing & Searchable;

/** The categories, brands and stores of the site, prepared for searching. */
export class NamedThings {
  readonly #entries: Readonly<Record<ThingKind, readonly Entry[]>>;

  constructor(index: ProductIndex, categories: readonly Category[], stores: readonly StoreSummary[]) {
    index.nameCategories(categories);
    const ofBrand = new Map<number | null, number>();
    for (const brand of index.document.columns.brand) ofBrand.set(brand, (ofBrand.get(brand) ?? 0) + 1);
    const { brands } = index.document;
    const brandTexts = searchTexts(brands.map(({ name }) => name));
    this.#entries = {
      // Lists start with the entries that have the most products.
      category: mostProductsFirst(categories.filter(({ total_product_count: count }) => count > 0).map(categoryEntry)),
      brand: mostProductsFirst(
        brands.map(({ slug, name }, brand) => ({
          count: ofBrand.get(brand) ?? 0,
          entry: {
            ...{ id: slug, name, href: hrefFor('brand', slug), ...searchable(name, brandTexts[brand] ?? '') },
            note: countNoun(ofBrand.get(brand) ?? 0, 'product'),
          },
        })),
      ),
      store: stores.map(storeEntry),
    };
  }

  /** Entries with every word of a query, best first. */
  find(kind: ThingKind, query: string): readonly NamedThing[] {
    const rankOf = readersRanker(query);
    return this.#entries[kind]
      .map((entry) => ({ entry, rank: rankOf(entry) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank || a.entry.length - b.entry.length)
      .map(({ entry }) => entry);
  }
}

/** Loads them once the index is there; null until then. */
export function useNamedThings(index: ProductIndex | null): NamedThings | null {
  const categories = useCategories(index !== null).value;
  const stores = useStores(index !== null && hasStores()).value;
  const isWhole = index !== null && categories !== null && (stores !== null || !hasStores());
  return useMemo(
    () => (isWhole ? new NamedThings(index, categories, stores ?? []) : null),
    [index, categories, stores],
  );
}

function categoryEntry({ id, name, total_product_count: count }: Category) {
  const entry = {
    ...{ id, name, href: hrefFor('browse', '', { category: id }), ...searchable(name) },
    note: countNoun(count, 'product'),
  };
  return { count, entry };
}

function storeEntry({ id, name, address, source_ids: { inventory_store_code: code } }: StoreSummary): Entry {
  const words = searchWords([name, address.line1, address.city, address.postal_code ?? '', code ?? '']);
  return { id, name, note: address.city, href: hrefFor('store', id), ...searchable(name, searchText(words)) };
}

/** `text`: the words that find it. */
function searchable(name: string, text = searchText(searchWords([name]))): Searchable {
  return { text, code: null, names: [nameKey([name])], length: nameLength([name]) };
}

function mostProductsFirst(counted: readonly { readonly count: number; readonly entry: Entry }[]): Entry[] {
  return counted.toSorted((a, b) => b.count - a.count).map(({ entry }) => entry);
}
