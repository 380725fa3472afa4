/** How large a synthetic series is. */
export type SeriesSize = {
  /** Snapshots, one a day. */
  readonly days: number;
  readonly products: number;
  /** The number of products whose inventory is retrieved each day. */
  readonly asked: number;
  readonly stores: number;
  /** The number of stores whose inventory is retrieved. The first store has no code and is never among them. */
  readonly scope: number;
};

/** A size such as `40000@600`, or with the parts that are retrieved, `10700/2400@100/50`. */
export function parseSize(text: string, days: number): SeriesSize {
  const { products, asked, stores, scope } =
    /^(?<products>\d+)(\/(?<asked>\d+))?@(?<stores>\d+)(\/(?<scope>\d+))?$/.exec(text)?.groups ?? {};
  const size = {
    days,
    products: Number(products),
    asked: Number(asked ?? products),
    stores: Number(stores),
    scope: Number(scope ?? Number(stores) - 1),
  };
  const fitsStores = size.scope >= 1 && size.scope < size.stores;
  // A SKU has six digits.
  if (fitsStores && size.asked >= 1 && size.asked <= size.products && size.products >= 30 && size.products <= 330_000)
    return size;
  throw new Error(
    `--size: expected products and stores such as 40000@600, or 10700/2400@100/50 with the parts to retrieve, got ${text}`,
  );
}
