import * as z from 'zod';
import { codeMeaning, minorUnit } from '../profile.ts';
import { categoryId, count, dateTime, minorAmount, sku, storeCode, uuid } from '../schemas/primitives.ts';
import { catalogPresence, lifecycle, normalizationState } from '../schemas/product.ts';
import { accessType, operationalState, presenceState } from '../schemas/store.ts';
import { columnMaker, inMajorUnit } from './table.ts';

/** The publications in which a row holds, and when they were published. */
const span = {
  first_publication: z.int().min(1),
  last_publication: z.int().min(1).nullable(),
  valid_from: dateTime,
  valid_to: dateTime.nullable(),
};

const spanColumn = columnMaker(z.object(span));

const spanColumns = {
  first_publication: spanColumn('first_publication', 'Number of the first publication in which the row holds'),
  last_publication: spanColumn('last_publication', 'Number of the last one; null: it holds in the newest'),
  valid_from: spanColumn('valid_from', 'When the first one was published'),
  valid_to: spanColumn('valid_to', 'When the publication after the last one was published; null: it holds'),
};

const productSpan = z.object({
  ...span,
  agency_sku: sku,
  product_id: uuid,
  name: z.string(),
  brand: z.string().nullable(),
  category_id: categoryId.nullable(),
  status_code: z.string(),
  status_label: z.string(),
  lifecycle,
  catalog_presence: catalogPresence,
  price_amount_minor: minorAmount.nullable(),
  package_display: z.string().nullable(),
  package_total_milliliters: count.nullable(),
  normalization_state: normalizationState,
});
export type ProductSpan = z.infer<typeof productSpan>;

const productColumn = columnMaker(productSpan);
const price = productColumn('price_amount_minor', 'Observed price; null: the catalog gave none', minorUnit);

export const productsOverTimeColumns = {
  agency_sku: productColumn(
    'agency_sku',
    codeMeaning('sku', "The product's code, leading zeros kept", "The product's code"),
  ),
  ...spanColumns,
  category_id: productColumn('category_id', 'Category the product was filed under'),
  price_amount: inMajorUnit(price),
  status_code: productColumn('status_code', 'Source status code'),
  status_label: productColumn('status_label', 'Source status label'),
  lifecycle: productColumn('lifecycle', 'Lifecycle the status stands for'),
  catalog_presence: productColumn('catalog_presence', 'Whether the catalog in force listed the product'),
  package_display: productColumn('package_display', 'Human-readable size'),
  package_total_milliliters: productColumn('package_total_milliliters', 'Volume of the whole package', 'mL'),
  normalization_state: productColumn('normalization_state', 'Whether that size is established'),
  name: productColumn('name', 'Display title without its resolved brand'),
  brand: productColumn('brand', 'Name of the reviewed brand'),
  product_id: productColumn('product_id', 'Product of the row'),
  price_amount_minor: price,
};

const storeSpan = z.object({
  ...span,
  store_id: uuid,
  inventory_store_code: storeCode.nullable(),
  name: z.string(),
  city: z.string(),
  postal_code: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  access_type: accessType,
  operational_state: operationalState,
  directory_presence_state: presenceState.nullable(),
});
export type StoreSpan = z.infer<typeof storeSpan>;

const storeColumn = columnMaker(storeSpan);

export const storesOverTimeColumns = {
  store_id: storeColumn('store_id', 'Store of the row'),
  inventory_store_code: storeColumn('inventory_store_code', 'Its code in the inventory source'),
  ...spanColumns,
  name: storeColumn('name', 'Store name'),
  city: storeColumn('city', 'City'),
  postal_code: storeColumn('postal_code', 'Postal code'),
  latitude: storeColumn('latitude', 'WGS84 latitude', 'degrees'),
  longitude: storeColumn('longitude', 'WGS84 longitude', 'degrees'),
  access_type: storeColumn('access_type', 'Who may buy there'),
  operational_state: storeColumn('operational_state', 'Whether the store is open'),
  directory_presence_state: storeColumn('directory_presence_state', 'Presence in the store directory'),
};

const categorySpan = z.object({
  ...span,
  category_id: categoryId,
  parent_id: categoryId.nullable(),
  name: z.string(),
  active: z.boolean(),
});
export type CategorySpan = z.infer<typeof categorySpan>;

const categoryColumn = columnMaker(categorySpan);

export const categoriesColumns = {
  category_id: categoryColumn('category_id', 'Category of the row'),
  ...spanColumns,
  parent_id: categoryColumn('parent_id', 'Category above it'),
  name: categoryColumn('name', 'Name'),
  active: categoryColumn('active', 'Whether it is in use'),
};

/**
 * How well one publication covered a store, for the products of a top category and those below it. A failed request
 * counts for every store that the publication's other requests covered.
 */
const coverageRow = z.object({
  publication: z.int().min(1),
  published_at: dateTime,
  store_id: uuid,
  top_category_id: categoryId.nullable(),
  listed: count,
  asked: count,
  answered: count,
  failed: count,
});
export type CoverageRow = z.infer<typeof coverageRow>;

const coverageColumn = columnMaker(coverageRow);

export const coverageColumns = {
  store_id: coverageColumn('store_id', 'Store that the publication asked about'),
  top_category_id: coverageColumn(
    'top_category_id',
    'Category without parent, with all below it; null: products without one',
  ),
  publication: coverageColumn('publication', 'Number of the publication, from 1'),
  published_at: coverageColumn('published_at', 'When it was published'),
  listed: coverageColumn('listed', 'Products that the catalog in force listed there', 'products'),
  asked: coverageColumn('asked', 'Products that were asked for, listed or not', 'products'),
  answered: coverageColumn('answered', 'How many of these retrievals succeeded', 'products'),
  failed: coverageColumn('failed', 'How many failed', 'products'),
};
