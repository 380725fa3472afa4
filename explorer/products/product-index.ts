import type { BrowseIndex, Category } from '../../contract/documents/catalog.ts';
import { perLitre, volumeOf } from '../../contract/per-litre.ts';
import { readOnce } from '../app/read-once.ts';
import { type Loaded, useLoaded } from '../app/session.ts';
import { useLater } from '../components/use-later.ts';
import { makeRanker, queryWords, ranks, searchTexts } from '../search/ranking.ts';
import { countText } from '../text/text.ts';
import { categoryPath } from './category-path.ts';

/** The name of a product with its brand once: the service keeps the two apart, and some names begin with the brand. */
export function fullName({ brand, name }: { readonly brand: string | null; readonly name: string }): string {
  return brand === null || name.toLowerCase().startsWith(brand.toLowerCase()) ? name : `${brand} ${name}`;
}

/** `750 mL`, `1.75 L`, and `355 mL, 12 containers`, of which the volume may be that of one or of all. */
export function sizeText(milliliters: number | null, containers: number | null = 1): string | null {
  if (milliliters === null) return null;
  const volume = milliliters >= 1000 ? `${milliliters / 1000} L` : `${milliliters} mL`;
  return (containers ?? 1) > 1 ? `${volume}, ${countText(containers ?? 1)} containers` : volume;
}

/** The listed products. Each is its position in the columns of the document. What is not known is null. */
export class ProductIndex {
  readonly document: BrowseIndex;
  #positions: ReadonlyMap<string, number> | null = null;
  readonly #texts: string[] = [];
  #byStores: Int32Array | null = null;
  /** Null until they are named. */
  #categories: readonly Category[] | null = null;
  /** The words of each category and status, once a query looks for them. */
  #about: { readonly categories: readonly string[]; readonly statuses: readonly string[] } | null = null;
  /** Of the last query. */
  #ranked: { readonly query: string; readonly ranks: Uint8Array } | null = null;

  constructor(document: BrowseIndex) {
    this.document = document;
  }

  /** The product with a current SKU; -1 for none that is listed. */
  positionOf(sku: string): number {
    this.#positions ??= new Map(this.document.columns.sku.map((sku, product) => [sku, product]));
    return this.#positions.get(sku) ?? -1;
  }

  /** The words of the name and SKU of each product, for words to be found in. */
  get texts(): readonly string[] {
    this.prepareTexts(this.document.count);
    return this.#texts;
  }

  /** Prepares {@link texts} of so many more products. Whether there are others left. */
  prepareTexts(count: number): boolean {
    const { sku, name } = this.document.columns;
    const start = this.#texts.length;
    const end = Math.min(sku.length, start + count);
    const names = name.slice(start, end).map((name, at) => {
      const product = start + at;
      return `${this.brand(product)?.name ?? ''} ${name} ${sku[product]}`;
    });
    for (const text of searchTexts(names)) this.#texts.push(text);
    return end < sku.length;
  }

  /** All products, those that most stores report first. */
  get byStores(): Int32Array {
    const { reported_positive_store_count: stores, reported_quantity: quantities } = this.document.columns;
    if (this.#byStores === null) {
      // Ranks are sorted, not products: most products of a large catalog share one, as nothing is known of them.
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

  /**
   * The products that a query finds, best first: by their SKU or its beginning, then by whole words, then by beginnings of words, then
   * with words of their category or status too. Of the same rank, those in order come first.
   */
  find(query: string, order: Int32Array = this.byStores): number[] {
    const found: number[][] = Object.values(ranks).map(() => []);
    const known = this.ranksFor(query);
    for (const product of order) found[known[product] ?? ranks.none]?.push(product);
    return found.slice(ranks.about).reverse().flat();
  }

  /** How well each product has the words of a query. Filters and orders that follow ask for the same ones. */
  ranksFor(query: string): Uint8Array {
    if (this.#ranked?.query !== query) this.#ranked = { query, ranks: this.#rank(queryWords(query)) };
    return this.#ranked.ranks;
  }

  #rank(words: readonly string[]): Uint8Array {
    const { sku, category, status } = this.document.columns;
    const found = new Uint8Array(sku.length);
    if (words.length === 0) return found;
    const code = words.length === 1 && /\d/.test(words[0] ?? '') ? (words[0] ?? '') : null;
    const rankOf = makeRanker(words);
    const about = this.#aboutWords(words);
    const isAbout = (text: string, product: number) => {
      const isOf = ({ categories, statuses }: (typeof about)[number]) =>
        categories[category[product] ?? -1] || statuses[status[product] ?? -1];
      // The text alone lacks a word, so one at least must be there.
      return about.some(isOf) && about.every((word) => isOf(word) || text.includes(word.beginning));
    };
    for (const [product, text] of this.texts.entries()) {
      if (code !== null) found[product] = codeRank(sku[product] ?? '', code);
      found[product] ||= rankOf(text) || (isAbout(text, product) ? ranks.about : ranks.none);
    }
    return found;
  }

  /** Which categories and statuses have a word that begins as each of a query. They are few, and products are many. */
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

  /** Takes the names of the categories, so that a query finds products by them and by their status too. */
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
    return perLitre(this.price(product), this.#volume(product));
  }

  #volume(product: number): number | null {
    const { milliliters, container_count, total_milliliters } = this.document.columns;
    return volumeOf({
      milliliters: milliliters[product] ?? null,
      container_count: container_count[product] ?? null,
      total_milliliters: total_milliliters?.[product] ?? null,
    });
  }

  /** Whether not everyone may buy the product, whatever stores report of it. */
  isRestricted(product: number): boolean {
    return this.status(product)?.lifecycle === 'restricted';
  }

  stores(product: number): number | null {
    return this.document.columns.reported_positive_store_count[product] ?? null;
  }
}

function codeRank(sku: string, word: string): number {
  const code = sku.toLowerCase();
  if (!code.startsWith(word)) return ranks.none;
  return code.length === word.length ? ranks.wholeCode : ranks.beginningOfCode;
}

/** Products whose words are prepared in one go: a slow phone takes a few milliseconds. */
const slice = 1000;

/** Prepares what the first key of a search would wait for, while the page has nothing else to do. */
function prepareWhenIdle(index: ProductIndex): void {
  // Some browsers do not say when they are idle.
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

/** The index of all products. Nothing is read until it is wanted. */
export function useProductIndex(isWanted = true): Loaded<ProductIndex> {
  return useLoaded(isWanted ? 'product index' : null, readIndex);
}

/** Milliseconds before a list asks for what it adds to names. */
const pauseMs = 600;

/** The same for a list that only adds sizes and prices to its products: what the view itself asks for comes first. */
export function useLaterProductIndex(): ProductIndex | null {
  return useProductIndex(useLater(pauseMs)).value;
}
