import * as z from 'zod';
import type { AddressKind } from '../addresses.ts';
import { brand, brandDetail, brandIndex } from './brand.ts';
import { absentIndex, browseIndex } from './browse.ts';
import { categoryDocument } from './category.ts';
import { changeList, expiredPage, familyChangeList } from './change.ts';
import { changePieces } from './change-pieces.ts';
import { croissant } from './croissant.ts';
import { dataPackage } from './data-package.ts';
import { dcatCatalog } from './dcat.ts';
import { familyDocument, familyRow } from './family.ts';
import { icebergMetadata } from './iceberg.ts';
import { activity, exportManifestDocument, metadata, retainedPublication, serviceIndex } from './metadata.ts';
import { pageIndex, pageSegment } from './pages.ts';
import { documentSchema, listSchema } from './primitives.ts';
import { problemDescription } from './problem.ts';
import { formerSkuIndex, productAvailability, productDetail, productRow, productSeries } from './product.ts';
import { searchIndex, searchResult } from './search.ts';
import { comparison, comparisonStores, storeDetail, storeStock, storeSummary } from './store.ts';
import { tablesPackage } from './tables-package.ts';

const productDocument = documentSchema(productDetail);
const brandDocument = documentSchema(brandDetail);
const storeDocument = documentSchema(storeDetail);
const products = listSchema(productRow);
const families = listSchema(familyRow);
const brands = listSchema(brand);
const stores = listSchema(storeSummary);
const sealedChanges = z.union([changeList, expiredPage]);

/** Every document is checked against its schema before it is written. */
export const documents = {
  service_index: documentSchema(serviceIndex),
  products: products,
  products_page: products,
  product: productDocument,
  product_by_sku: productDocument,
  former_skus: formerSkuIndex,
  browse: browseIndex,
  absent: absentIndex,
  product_availability: documentSchema(productAvailability),
  product_series: productSeries,
  product_changes: changeList,
  product_changes_page: sealedChanges,
  product_changes_segment: pageSegment,
  product_changes_index: pageIndex,
  families: families,
  families_page: families,
  family: familyDocument,
  family_changes: familyChangeList,
  family_changes_page: z.union([familyChangeList, expiredPage]),
  family_changes_segment: pageSegment,
  family_changes_index: pageIndex,
  changes: changeList,
  changes_page: sealedChanges,
  changes_segment: pageSegment,
  changes_index: pageIndex,
  brands: brands,
  brands_page: brands,
  brand_index: brandIndex,
  brand: brandDocument,
  brand_by_slug: brandDocument,
  stores: stores,
  stores_page: stores,
  store: storeDocument,
  store_by_code: storeDocument,
  store_availability: documentSchema(storeStock),
  categories: categoryDocument,
  search: searchResult,
  search_index: searchIndex,
  comparison: comparison,
  comparison_stores: comparisonStores,
  metadata: documentSchema(metadata),
  publications: documentSchema(z.array(retainedPublication)),
  activity: activity,
  exports: exportManifestDocument,
  change_pieces: changePieces,
  export_package: dataPackage,
  tables_package: tablesPackage,
  latest_manifest: exportManifestDocument,
  croissant: croissant,
  dcat: dcatCatalog,
  latest_package: dataPackage,
  iceberg_metadata: icebergMetadata,
  problem: documentSchema(problemDescription),
  openapi: z.looseObject({
    openapi: z.literal('3.1.0'),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.unknown()),
  }),
} as const satisfies Partial<Readonly<Record<AddressKind, z.ZodType>>>;

/** The schema of an address's documents; null for a file, which is not JSON. */
export function schemaFor(kind: AddressKind): z.ZodType | null {
  return (documents as Partial<Readonly<Record<AddressKind, z.ZodType>>>)[kind] ?? null;
}
