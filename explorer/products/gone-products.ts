import type { AbsentIndex } from '../../contract/schemas/browse.ts';
import {
  compareEqualRanks,
  nameLength,
  type Searchable,
  searchText,
  searchWords,
} from '../../contract/search-order.ts';
import { dateText, priceText } from '../parts/text.ts';
import { type Loaded, readOnce, useLoaded } from '../site/session.ts';
import { fullName, sizeText } from './product-index.ts';
import { readersRanker } from './ranking.ts';

/** A product that left the catalog, with what was last known of it. */
export type GoneProduct = Searchable & {
  readonly sku: string;
  readonly name: string;
  readonly size: string | null;
  readonly price: number | null;
  readonly lastListed: string;
};

/** The products that left the catalog. */
export class GoneProducts {
  readonly #products: readonly GoneProduct[];

  constructor({ columns }: AbsentIndex) {
    this.#products = columns.sku
      .map((sku, at): GoneProduct => {
        const [name, brand] = [columns.name[at] ?? '', columns.brand[at] ?? null];
        const names = [brand ?? '', name];
        return {
          ...{ sku, name: fullName({ brand, name }), price: columns.price_minor[at] ?? null },
          size: sizeText(columns.milliliters[at] ?? null, columns.container_count[at]),
          lastListed: columns.last_listed_at[at] ?? '',
          ...{ text: searchText(searchWords([...names, sku])), code: sku, names: [], length: nameLength(names) },
        };
      })
      .sort((a, b) => compareEqualRanks({ ...a, stores: null }, { ...b, stores: null }));
  }

  /** The products that a query finds, best first. */
  find(query: string): readonly GoneProduct[] {
    const rankOf = readersRanker(query);
    return this.#products
      .map((product) => ({ product, rank: rankOf(product) }))
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .map(({ product }) => product);
  }

  named(sku: string): GoneProduct | null {
    return this.#products.find((product) => product.sku === sku) ?? null;
  }
}

/** What a list says of a product that left, instead of its stores. */
export function goneFacts({ size, price, lastListed }: GoneProduct): string {
  const last = price === null ? [] : [`last price ${priceText(price)}`];
  return [size ?? 'size unknown', ...last, `left the catalog, last listed ${dateText(lastListed)}`].join(' · ');
}

const readGone = readOnce(async (site) => new GoneProducts(await site.absentProducts()));

/** The products that left the catalog, read when they are first wanted. */
export function useGoneProducts(isWanted: boolean): Loaded<GoneProducts> {
  return useLoaded(isWanted ? 'products that left' : null, readGone);
}
