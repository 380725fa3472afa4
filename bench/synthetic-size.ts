/** How large a synthetic series is, and how fast it changes. */
export type SeriesSize = {
  readonly seed: number;
  /** One a day. */
  readonly publications: number;
  /** Products in the first catalog; each later one has a few more. */
  readonly products: number;
  /** Products whose inventory is retrieved. A round leaves out one in `leftOutOneIn`; every seventh round is full. */
  readonly askedProducts: number;
  readonly leftOutOneIn: number;
  readonly stores: number;
  /** The number of stores whose inventory is retrieved. */
  readonly scopeStores: number;
  readonly brands: number;
  readonly reviewedBrands: number;
  readonly families: number;
  readonly categories: number;
  /** The share of pairs of a retrieved product and a scope store that have a row. */
  readonly rowShare: number;
  /** Share of rows that change in a round: the least and the most. */
  readonly changeShare: readonly [number, number];
  readonly catalogDays: number;
  readonly directoryDays: number;
};

/** The whole range of a state agency, going by its price books and shelves: about 28,500 rows per round. */
const wholeAgency: SeriesSize = {
  seed: 20240101,
  publications: 12,
  products: 10_700,
  askedProducts: 2_400,
  leftOutOneIn: 33,
  stores: 100,
  scopeStores: 50,
  brands: 1_060,
  reviewedBrands: 700,
  families: 1_250,
  categories: 290,
  rowShare: 0.245,
  changeShare: [0.2, 0.3],
  catalogDays: 28,
  directoryDays: 7,
};

/**
 * `scale` multiplies products and stores, and `storeScale` multiplies stores again. `products` is the number of
 * products before that. The other sizes follow. `untouched` multiplies products, brands and families again, but not the
 * products that are requested.
 */
export function seriesSize(options: {
  publications?: number;
  scale?: number;
  storeScale?: number;
  products?: number;
  untouched?: number;
}): SeriesSize {
  const {
    publications = wholeAgency.publications,
    scale = 1,
    storeScale = 1,
    products = wholeAgency.products,
    untouched = 1,
  } = options;
  const asked = (products * scale) / wholeAgency.products;
  const share = asked * untouched;
  const of = (count: number, factor: number) => Math.max(2, Math.round(count * factor));
  return {
    ...wholeAgency,
    publications,
    products: of(wholeAgency.products, share),
    askedProducts: of(wholeAgency.askedProducts, asked),
    stores: of(wholeAgency.stores, scale * storeScale),
    scopeStores: of(wholeAgency.scopeStores, scale * storeScale),
    brands: of(wholeAgency.brands, share),
    reviewedBrands: of(wholeAgency.reviewedBrands, share),
    families: of(wholeAgency.families, share),
  };
}

/** A series with this many products, whose inventory is retrieved in all stores but the first, which has no code. */
export function wholeScope(size: SeriesSize, stores: number): SeriesSize {
  return { ...size, stores, scopeStores: stores - 1 };
}
