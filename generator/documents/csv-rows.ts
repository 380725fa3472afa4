import type { CsvPrice, CsvProduct } from '../../contract/columns/csv-tables.ts';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import type { PriceRow } from '../database/series-reader.ts';
import { productsBySku, type State } from './state.ts';

export function csvProductMaker({ reader }: State): (detail: ProductDetail, reported: number | null) => CsvProduct {
  const names = new Map(reader.categories().map(({ id, name }) => [id, name]));
  return (detail, reported_quantity) => ({
    detail,
    categories: detail.category_ids.map((id) => names.get(id) ?? id),
    reported_quantity,
  });
}

/** The rows of prices, by SKU and oldest first. `steps`: by the product's key. */
export function* csvPrices(state: State, steps: ReadonlyMap<number, readonly PriceRow[]>): Generator<CsvPrice> {
  const retrievedAt = (publication: number) => state.publicationAt(publication).catalog_retrieved_at;
  for (const { key, sku, name, brand, package_size, catalog_presence } of productsBySku(state)) {
    const prices = steps.get(key) ?? [];
    for (const [index, { publication, price_minor }] of prices.entries()) {
      const next = prices[index + 1];
      yield {
        sku,
        name,
        brand,
        size: package_size.display,
        from: retrievedAt(publication),
        until: next ? retrievedAt(next.publication) : null,
        price_minor,
        catalog_presence,
      };
    }
  }
}
