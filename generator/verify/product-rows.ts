import type { RetainedPublication } from '../contract/documents/metadata.ts';
import type { ProductRecord } from '../contract/formats/export.ts';
import type { DailyRow } from '../contract/formats/parquet.ts';
import type { RecordCheck } from './exports.ts';
import type { RowCheck } from './table-rows.ts';

/**
 * Compares the records of products with two Parquet files: that of the products, and the part of `daily` of the same
 * publication, which has a row for each product in the order of their codes.
 */
export class ProductRows implements RecordCheck {
  readonly #publication: RetainedPublication;
  readonly #products: RowCheck | null;
  readonly #daily: RowCheck | null;
  readonly #rows: Partial<DailyRow>[] = [];

  constructor(publication: RetainedPublication, products: RowCheck | null, daily: RowCheck | null) {
    this.#publication = publication;
    this.#products = products;
    this.#daily = daily;
  }

  async take(records: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
    await this.#products?.take(records);
    if (this.#daily) for (const record of records) this.#rows.push(this.#dailyRowOf(record as ProductRecord));
  }

  stop(): void {
    this.#products?.stop();
    this.#daily?.stop();
  }

  async end(source: string): Promise<void> {
    await this.#products?.end(source);
    const byCode = this.#rows.sort((a, b) => ((a.agency_sku ?? '') < (b.agency_sku ?? '') ? -1 : 1));
    await this.#daily?.take(byCode);
    await this.#daily?.end(source);
  }

  /** What the record of a product says of its row. The reported inventory is the retrieval's own, which no export has. */
  #dailyRowOf(product: ProductRecord): Partial<DailyRow> {
    const { sequence, revision, published_at } = this.#publication;
    return {
      publication: sequence,
      publication_revision: revision,
      published_at,
      agency_sku: product.agency_sku,
      catalog_presence: product.catalog_presence,
      price_amount_minor: product.price_amount_minor,
      status_code: product.status_code,
      lifecycle: product.lifecycle,
      inventory_retrieved_at: product.inventory_retrieved_at,
    };
  }
}
