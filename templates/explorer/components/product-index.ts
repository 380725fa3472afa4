import type { BrowseIndex, Category } from '../../../generator/contract/documents/catalog.ts';
import { perLitre, volumeOf } from '../../../generator/contract/per-litre.ts';
import { type Loaded, useLoaded } from '../app/session.ts';
import { queryWords, rankOf, ranks, searchText } from '../search/ranking.ts';
import { categoryPath } from './category-names.ts';
import { useLater } from './later.ts';
import { countText } from './text.ts';

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
  /** The words of each category and status, once they are named. */
  #about: { readonly categories: readonly string[]; readonly statuses: readonly string[] } | null = null;

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
    const end = Math.min(sku.length, this.#texts.length + count);
    for (let product = this.#texts.length; product < end; product += 1)
      this.#texts.push(searchText(`${this.brand(product)?.name ?? ''} ${name[product]} ${sku[product]}`));
    return end < sku.length;
  }

  /** All products, those that most stores report first. */
  get byStores(): Int32Array {
    const { reported_positive_store_count: stores, reported_quantity: quantities } = this.document.columns;
    if (this.#byStores === null) {
      const ranks = stores.map((count, product) => (count ?? -1) * 1e9 + (quantities[product] ?? -1));
      // What is not known is not sorted: that is most of a large catalog.
      const [known, unknown]: [number[], number[]] = [[], []];
      for (const [product, rank] of ranks.entries()) (rank < 0 ? unknown : known).push(product);
      known.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b);
      this.#byStores = Int32Array.from(known.concat(unknown));
    }
    return this.#byStores;
  }

  /**
   * The products that a query finds, best first: by their SKU or its beginning, then by whole words, then by beginnings of words, then
   * with words of their category or status too. Of the same rank, those in order come first.
   */
  find(query: string, order: Int32Array = this.byStores): number[] {
    const words = queryWords(query);
    const found: number[][] = Object.values(ranks).map(() => []);
    if (words.length > 0) for (const product of order) found[this.rank(product, words)]?.push(product);
    return found.slice(ranks.about).reverse().flat();
  }

  /** How well a product has the words of a query. */
  rank(product: number, words: readonly string[]): number {
    const [word = '', ...others] = words;
    if (others.length === 0 && /\d/.test(word)) {
      const sku = this.sku(product).toLowerCase();
      if (sku === word) return ranks.wholeCode;
      if (sku.startsWith(word)) return ranks.beginningOfCode;
    }
    const text = this.texts[product] ?? '';
    const rank = rankOf(text, words);
    if (rank !== ranks.none || this.#about === null) return rank;
    const { category, status } = this.document.columns;
    const about = `${text}${this.#about.categories[category[product] ?? -1] ?? ''}${this.#about.statuses[status[product] ?? -1] ?? ''}`;
    return rankOf(about, words) === ranks.none ? ranks.none : ranks.about;
  }

  /** Takes the names of the categories, so that a query finds products by them too. */
  nameCategories(categories: readonly Category[]): void {
    const { categories: ids, statuses } = this.document;
    this.#about ??= {
      categories: ids.map((id) => searchText(categoryPath(categories, id))),
      statuses: statuses.map(({ label }) => searchText(label)),
    };
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

/** Products whose words are prepared in one go: a slow phone takes about 10 milliseconds. */
const slice = 250;

/** Prepares what the first key of a search would wait for, while the page has nothing else to do. */
function prepareWhenIdle(index: ProductIndex): void {
  // Some browsers do not say when they are idle.
  const whenIdle = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 50));
  const step = () => {
    if (index.prepareTexts(slice)) whenIdle(step);
  };
  whenIdle(step);
}

let read: Promise<ProductIndex> | null = null;

/** The index of all products, which is read once, as soon as it is wanted. */
export function useProductIndex(isWanted = true): Loaded<ProductIndex> {
  return useLoaded(isWanted ? 'product index' : null, (site) => {
    read ??= site.browse().then((document) => {
      const index = new ProductIndex(document);
      prepareWhenIdle(index);
      return index;
    });
    read.catch(() => {
      read = null;
    });
    return read;
  });
}

/** Milliseconds before a list asks for what it adds to names. */
const pauseMs = 600;

/** The same for a list that only adds sizes and prices to its products: what the view itself asks for comes first. */
export function useLaterProductIndex(): ProductIndex | null {
  return useProductIndex(useLater(pauseMs)).value;
}
