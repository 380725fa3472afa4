import { perLitre } from '../../contract/per-litre.ts';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import type { Category } from '../../contract/schemas/category.ts';
import { compareEqualRanks, nameLength, queryWords, ranks } from '../../contract/search-order.ts';
import { wordsOf } from '../../contract/text.ts';
import { useLater } from '../parts/later.tsx';
import { countText } from '../parts/text.ts';
import { type Loaded, readOnce, useLoaded } from '../site/session.ts';
import { categoryPath } from './categories.tsx';
import { readersRanker, searchTexts } from './ranking.ts';

/** The name of a product with its brand, once: documents keep the two apart, but some names begin with the brand. */
export function fullName({ brand, name }: { readonly brand: string | null; readonly name: string }): string {
  return brand === null || name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`;
}

/** `750 mL`, `1.75 L` or `355 mL, 12 containers`, where the volume may be that of one container or of all. */
export function sizeText(milliliters: number | null, containers: number | null = 1): string | null {
  if (milliliters === null) return null;
  const volume = milliliters >= 1000 ? `${milliliters / 1000} L` : `${milliliters} mL`;
  return (containers ?? 1) > 1 ? `${volume}, ${countText(containers ?? 1)} containers` : volume;
}

/** The listed products. A product is its position in the columns of the document. Null means not known. */
export class ProductIndex {
  readonly document: BrowseIndex;
  #positions: ReadonlyMap<string, number> | null = null;
  readonly #texts: string[] = [];
  readonly #lengths: number[] = [];
  #byStores: Int32Array | null = null;
  #bestFirst: Int32Array | null = null;
  /** Null until {@link nameCategories} is called. */
  #categories: readonly Category[] | null = null;
  /** The words of each category and status, computed for the first query that needs them. */
  #about: { readonly categories: readonly string[]; readonly statuses: readonly string[] } | null = null;
  /** The ranks for the last query. */
  #ranked: { readonly query: string; readonly ranks: Uint8Array } | null = null;

  constructor(document: BrowseIndex) {
    this.document = document;
  }

  /** The position of the product with this current SKU; -1 if none is listed. */
  positionOf(sku: string): number {
    this.#positions ??= new Map(this.document.columns.sku.map((sku, product) => [sku, product]));
    return this.#positions.get(sku) ?? -1;
  }

  /** The words of each product's name and SKU, for searching. */
  get texts(): readonly string[] {
    this.prepareTexts(this.document.count);
    return this.#texts;
  }

  /** How many words each product's name has. */
  get lengths(): readonly number[] {
    this.prepareTexts(this.document.count);
    return this.#lengths;
  }

  /** Prepares {@link texts} and {@link lengths} for `count` more products. Returns whether any are left. */
  prepareTexts(count: number): boolean {
    const { sku, name } = this.document.columns;
    const start = this.#texts.length;
    const end = Math.min(sku.length, start + count);
    const names = name
      .slice(start, end)
      .map((name, at) => [this.brand(start + at)?.name ?? '', name].filter(Boolean).join(' '));
    for (const [at, text] of searchTexts(names).entries()) {
      const [full, code] = [names[at] ?? '', sku[start + at] ?? ''];
      this.#lengths.push(/['’‘ʼ`´]/.test(full) ? nameLength([full]) : new Set(text.trim().split(' ')).size);
      this.#texts.push(`${text}${/^[a-z0-9]+$/.test(code) ? code : wordsOf(code).join(' ')} `);
    }
    return end < sku.length;
  }

  /** All products, those reported by the most stores first. */
  get byStores(): Int32Array {
    const { reported_positive_store_count: stores, reported_quantity: quantities } = this.document.columns;
    if (this.#byStores === null) {
      // Ranks are sorted instead of products: in a large catalog most products share one, because nothing is known
      // about them.
      const products = new Map<number, number[]>();
      for (const [product, count] of stores.entries()) {
        const rank = count === null ? -1 : count * 1e9 + (quantities[product] ?? -1);
        const others = products.get(rank);
        if (others === undefined) products.set(rank, [product]);
        else others.push(product);
      }
      const ranks = Float64Array.from(products.keys()).sort().reverse();
      this.#byStores = Int32Array.from([...ranks].flatMap((rank) => products.get(rank) ?? []));
    }
    return this.#byStores;
  }

  /** All products in the order of search results of equal rank. */
  get bestFirst(): Int32Array {
    const { reported_positive_store_count: stores } = this.document.columns;
    if (this.#bestFirst === null) {
      const all = this.lengths.map((length, product) => ({ product, length, stores: stores[product] ?? null }));
      this.#bestFirst = Int32Array.from(all.sort(compareEqualRanks).map(({ product }) => product));
    }
    return this.#bestFirst;
  }

  /**
   * The products that a query finds, best first. Products that only their category or status matches come last.
   * Products of equal rank keep the given order.
   */
  find(query: string, order: Int32Array = this.bestFirst): number[] {
    const found: number[][] = Object.values(ranks).map(() => []);
    const known = this.ranksFor(query);
    for (const product of order) found[known[product] ?? ranks.none]?.push(product);
    return found.slice(ranks.about).reverse().flat();
  }

  /**
   * The products that a query may mean: one, unless others match as well. If all of these have one name, they are sizes
   * of one product, and the size that the most stores report is meant. Otherwise the reader chooses.
   */
  meant(query: string): number[] {
    const found = this.find(query);
    const [best] = found;
    if (best === undefined) return [];
    const known = this.ranksFor(query);
    const equal = found.filter(
      (product) => known[product] === known[best] && this.lengths[product] === this.lengths[best],
    );
    const isOneName = equal.every((product) => this.name(product) === this.name(best));
    return isOneName ? equal.filter((product) => this.stores(product) === this.stores(best)) : equal;
  }

  /** How well each product matches a query. The last query is cached for the filters and orders that follow. */
  ranksFor(query: string): Uint8Array {
    if (this.#ranked?.query !== query) this.#ranked = { query, ranks: this.#rank(query) };
    return this.#ranked.ranks;
  }

  #rank(query: string): Uint8Array {
    const { sku, category, status } = this.document.columns;
    const words = queryWords(query);
    const found = new Uint8Array(sku.length);
    if (words.length === 0) return found;
    const rankOf = readersRanker(query);
    const about = this.#aboutWords(words);
    const isAbout = (text: string, product: number) => {
      const isOf = ({ categories, statuses }: (typeof about)[number]) =>
        categories[category[product] ?? -1] || statuses[status[product] ?? -1];
      // The product's own text lacks a word, so at least one must come from its category or status.
      return about.some(isOf) && about.every((word) => isOf(word) || text.includes(word.beginning));
    };
    for (const [product, text] of this.texts.entries()) {
      const searchable = { text, code: sku[product] ?? '', names: [], length: this.lengths[product] ?? 0 };
      found[product] = rankOf(searchable) || (isAbout(text, product) ? ranks.about : ranks.none);
    }
    return found;
  }

  /**
   * Which categories and statuses contain each word of a query. Categories and statuses are few, and products are many.
   */
  #aboutWords(words: readonly string[]) {
    const { categories: ids, statuses } = this.document;
    const known = this.#categories;
    this.#about ??= {
      categories: known === null ? [] : searchTexts(ids.map((id) => categoryPath(known, id))),
      statuses: known === null ? [] : searchTexts(statuses.map(({ label }) => label)),
    };
    const { categories, statuses: labels } = this.#about;
    return words.map((word) => {
      const beginning = ` ${word}`;
      const has = (text: string) => text.includes(beginning);
      return { beginning, categories: categories.map(has), statuses: labels.map(has) };
    });
  }

  /** Names the categories, so that queries also find products by category and status. */
  nameCategories(categories: readonly Category[]): void {
    if (this.#categories === categories) return;
    this.#categories = categories;
    this.#about = null;
    this.#ranked = null;
  }

  sku(product: number): string {
    return this.document.columns.sku[product] ?? '';
  }

  brand(product: number) {
    return this.document.brands[this.document.columns.brand[product] ?? -1] ?? null;
  }

  status(product: number) {
    return this.document.statuses[this.document.columns.status[product] ?? -1] ?? null;
  }

  name(product: number): string {
    const name = this.document.columns.name[product] ?? '';
    return fullName({ brand: this.brand(product)?.name ?? null, name });
  }

  size(product: number): string | null {
    const { milliliters, container_count } = this.document.columns;
    return sizeText(milliliters[product] ?? null, container_count[product]);
  }

  price(product: number): number | null {
    return this.document.columns.price_minor[product] ?? null;
  }

  litre(product: number): number | null {
    return perLitre(this.price(product), this.document.columns.total_milliliters[product] ?? null);
  }

  /** Whether not everyone may buy the product, whatever stores report. */
  isRestricted(product: number): boolean {
    return this.status(product)?.lifecycle === 'restricted';
  }

  /** How many stores report the product; null if it was never checked. */
  stores(product: number): number | null {
    return this.document.columns.reported_positive_store_count[product] ?? null;
  }

  /** In how many stores the product was checked; null if it never was. */
  checkedStores(product: number): number | null {
    return this.document.columns.checked_store_count[product] ?? null;
  }
}

/** Products prepared in one go, which takes a slow phone a few milliseconds. */
const slice = 1000;

/** Prepares the index while the browser is idle, so that the first key of a search does not wait for it. */
function prepareWhenIdle(index: ProductIndex): void {
  // Some browsers lack requestIdleCallback.
  const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 50));
  const step = () => {
    if (index.prepareTexts(slice)) whenIdle(step);
  };
  whenIdle(step);
}

const readIndex = readOnce(async (site) => {
  const index = new ProductIndex(await site.browse());
  prepareWhenIdle(index);
  return index;
});

/** The index of all products, read when it is first wanted. */
export function useProductIndex(isWanted = true): Loaded<ProductIndex> {
  return useLoaded(isWanted ? 'product index' : null, readIndex);
}

/** Milliseconds before a list loads details that only complement its names. */
const pauseMs = 600;

/** The index for lists that only add sizes and prices: the view's own requests come first. */
export function useLaterProductIndex(): ProductIndex | null {
  return useProductIndex(useLater(pauseMs)).value;
}
