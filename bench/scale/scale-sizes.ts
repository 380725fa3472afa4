import { type SeriesSize, seriesSize, wholeScope } from '../synthetic-size.ts';

/** A size to measure: its name on the command line, and its series with a chosen number of products. */
export type Scale = {
  readonly name: string;
  readonly size: SeriesSize;
  /** The same stores and shares with a different number of products. */
  readonly withProducts: (products: number) => SeriesSize;
};

/** Two to start with, and one more day. */
const publications = 3;
/** A province's monopoly: every product of its price list, every shop in the scope. */
const lcbo = { products: 25_000, stores: 680 };

/** The share of all pairs of a product and a store that have a row, where every product is retrieved in every store. */
const filled = 0.2;

/**
 * Reads a list such as `4x1,lcbo/10,40000@600`: factors for the products and the stores of the synthetic series, or a
 * monopoly, or a part of its products in all of its stores, or products that are all retrieved in all stores.
 */
export function parseScales(list: string): Scale[] {
  return list.split(',').map((text) => {
    const name = text.trim();
    const [isLcbo, part = '1'] = /^lcbo(?:\/([1-9]\d*))?$/.exec(name) ?? [];
    if (isLcbo) {
      const share = Math.round(lcbo.products / Number(part));
      return scaleOf(name, share, (products) => wholeScope(seriesSize({ publications, products }), lcbo.stores));
    }
    const [, all, places] = /^([1-9]\d*)@([1-9]\d*)$/.exec(name) ?? [];
    if (all && places) return scaleOf(name, Number(all), (products) => everywhere(products, Number(places)));
    const [, product, store] = /^(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)$/.exec(name) ?? [];
    const [productScale, storeScale] = [Number(product), Number(store)];
    if (!(productScale > 0 && storeScale > 0)) {
      throw new Error(
        `--scale-of: expected lcbo, lcbo/10, factors above 0 of products and stores such as 4x1, or products and stores such as 40000@600, got ${text}`,
      );
    }
    const sizeOf = (products: number) => seriesSize({ publications, products, storeScale });
    return scaleOf(name, Math.round(seriesSize({}).products * productScale), sizeOf);
  });
}

function everywhere(products: number, stores: number): SeriesSize {
  const size = wholeScope(seriesSize({ publications, products }), stores);
  return { ...size, askedProducts: products, rowShare: filled };
}

function scaleOf(name: string, products: number, withProducts: Scale['withProducts']): Scale {
  return { name, size: withProducts(products), withProducts };
}
