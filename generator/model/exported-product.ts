import type { AvailabilitySummary } from '../contract/documents/observation.ts';
import type { PackageSize } from '../contract/documents/product.ts';
import { columnsIn, type ExportedProductRow } from '../database/exported-products.ts';
import { packageSizeOf } from '../database/product-state.ts';
import type { Summarized } from './availability.ts';
import { isListed, observedIn, type Product, priceOf, statusOf } from './product.ts';
import type { State } from './state.ts';

/** Every product of a state as its export needs it, by id. They are read one by one. */
export function exportedProducts({ reader }: State): Iterable<ExportedProductRow> {
  return reader.exportedProducts();
}

/** The last attempt to retrieve a product's inventory, and the last success. */
export function retrievalsOf(row: ExportedProductRow): Summarized {
  const { product, attempted_at, attempt_status, retrieved_at, scope } = row;
  const status = attempt_status as NonNullable<AvailabilitySummary['last_refresh_attempt']>['status'];
  return {
    key: product,
    attempt: attempted_at === null ? null : { attempted_at, status },
    success: retrieved_at === null || scope === null ? null : { retrievedAt: retrieved_at, scope },
  };
}

/** What a row's `brand` stands for. */
export function brandIn(text: string): Pick<Product, 'brand' | 'brandId'> {
  const { brand_name, brand_id } = columnsIn('brand', text);
  return { brand: brand_name, brandId: brand_id };
}

/** What a row's `package` stands for. */
export function packageSizeIn(text: string): PackageSize {
  return packageSizeOf(columnsIn('package', text));
}

/** What a row's `price` stands for. */
export function priceIn({ publication, publicationAt }: State, text: string): Product['price'] {
  const row = columnsIn('price', text);
  return priceOf(row, observedIn(row, publication, publicationAt));
}

/** What a row's `status` stands for. */
export function statusIn(text: string): Pick<Product, 'status' | 'isListed'> {
  const row = columnsIn('status', text);
  return { status: statusOf(row), isListed: isListed(row) };
}
