import * as z from 'zod';
import { brand, brandDetail, brandIndex } from './documents/brand.ts';
import { categoryDocument } from './documents/category.ts';
import { changeList, expiredPage, familyChangeList } from './documents/change.ts';
import { comparison } from './documents/comparison.ts';
import { documentOf, listOf } from './documents/envelope.ts';
import { familyDocument, familyRow } from './documents/family.ts';
import { metadata, retainedPublication, serviceIndex } from './documents/metadata.ts';
import { formerSkuIndex, productAvailability, productDetail, productRow } from './documents/product.ts';
import { searchIndex, searchResult } from './documents/search.ts';
import { storeDetail, storeStock, storeSummary } from './documents/store.ts';
import type { FileKind } from './file-resource.ts';
import { changePieces } from './formats/change-pieces.ts';
import { comparisonProduct, comparisonStores } from './formats/comparison-input.ts';
import { dataPackage } from './formats/data-package.ts';
import { exportManifestDocument } from './formats/export.ts';
import { pageIndex, pageSegment } from './formats/page-index.ts';
import type { PathKind } from './paths.ts';
import { problemDescription } from './problem.ts';

/** What a kind of address answers with. `computed`: by the shim, at no precomputed address. */
export type ResourceDescription = {
  readonly schema: z.ZodType;
  readonly summary: string;
  readonly role: 'document' | 'list' | 'page' | 'tool' | 'computed';
};

const productDocument = documentOf(productDetail);
const brandDocument = documentOf(brandDetail);
const storeDocument = documentOf(storeDetail);
const products = listOf(productRow);
const families = listOf(familyRow);
const brands = listOf(brand);
const stores = listOf(storeSummary);

/** Every JSON resource of the service with the schema that its documents are checked against before they are written. */
export const resources: Readonly<Record<Exclude<PathKind, FileKind>, ResourceDescription>> = {
  service_index: { schema: documentOf(serviceIndex), summary: 'Service index', role: 'document' },
  products: { schema: products, summary: 'Catalog products', role: 'list' },
  products_page: { schema: products, summary: 'A page of the catalog products', role: 'page' },
  product: { schema: productDocument, summary: 'A product', role: 'document' },
  product_by_sku: { schema: productDocument, summary: 'A product by current or former SKU', role: 'document' },
  former_skus: { schema: formerSkuIndex, summary: 'Former SKUs that are ambiguous', role: 'tool' },
  product_availability: {
    schema: documentOf(productAvailability),
    summary: "A product's reported availability in every store",
    role: 'document',
  },
  product_changes: { schema: changeList, summary: "A product's change events, newest first", role: 'list' },
  product_changes_page: { schema: z.union([changeList, expiredPage]), summary: 'A sealed page of them', role: 'page' },
  product_changes_segment: { schema: pageSegment, summary: 'Summaries of 100 sealed pages', role: 'tool' },
  product_changes_index: { schema: pageIndex, summary: 'Index of the sealed pages', role: 'tool' },
  families: { schema: families, summary: 'Product families', role: 'list' },
  families_page: { schema: families, summary: 'A page of the product families', role: 'page' },
  family: { schema: familyDocument, summary: 'A product family and every current member', role: 'document' },
  family_changes: { schema: familyChangeList, summary: "Change events of a family's products", role: 'list' },
  family_changes_page: {
    schema: z.union([familyChangeList, expiredPage]),
    summary: 'A sealed page of them',
    role: 'page',
  },
  family_changes_segment: { schema: pageSegment, summary: 'Summaries of 100 sealed pages', role: 'tool' },
  family_changes_index: { schema: pageIndex, summary: 'Index of the sealed pages', role: 'tool' },
  changes: { schema: changeList, summary: 'Change events, newest first', role: 'list' },
  changes_page: { schema: z.union([changeList, expiredPage]), summary: 'A sealed page of them', role: 'page' },
  changes_segment: { schema: pageSegment, summary: 'Summaries of 100 sealed pages', role: 'tool' },
  changes_index: { schema: pageIndex, summary: 'Index of the sealed pages', role: 'tool' },
  brands: { schema: brands, summary: 'Reviewed brands', role: 'list' },
  brands_page: { schema: brands, summary: 'A page of the brands', role: 'page' },
  brand_index: { schema: brandIndex, summary: 'Every listed brand with the names it answers to', role: 'tool' },
  brand: { schema: brandDocument, summary: 'A brand with its families', role: 'document' },
  brand_by_slug: { schema: brandDocument, summary: 'A brand by slug', role: 'document' },
  stores: { schema: stores, summary: 'Stores', role: 'list' },
  stores_page: { schema: stores, summary: 'A page of the stores', role: 'page' },
  store: { schema: storeDocument, summary: 'A store', role: 'document' },
  store_by_code: { schema: storeDocument, summary: 'A store by inventory code', role: 'document' },
  store_availability: {
    schema: documentOf(storeStock),
    summary: 'Catalog products reported positive in a store',
    role: 'document',
  },
  categories: { schema: categoryDocument, summary: 'Categories', role: 'document' },
  search: { schema: searchResult, summary: 'Search products, families, brands and stores', role: 'computed' },
  search_index: { schema: searchIndex, summary: 'Everything search can find', role: 'tool' },
  comparison: { schema: comparison, summary: 'Compare reported availability near a place', role: 'computed' },
  comparison_stores: { schema: comparisonStores, summary: 'Stores that a comparison can choose from', role: 'tool' },
  comparison_product: { schema: comparisonProduct, summary: 'What a comparison needs of a product', role: 'tool' },
  comparison_product_by_sku: { schema: comparisonProduct, summary: 'The same by current or former SKU', role: 'tool' },
  metadata: { schema: documentOf(metadata), summary: 'Service, publication, counts and policies', role: 'document' },
  publications: {
    schema: documentOf(z.array(retainedPublication)),
    summary: 'Retained publications, newest first',
    role: 'document',
  },
  exports: { schema: exportManifestDocument, summary: 'Export manifest', role: 'document' },
  change_pieces: { schema: changePieces, summary: 'The change history as files', role: 'tool' },
  export_package: { schema: dataPackage, summary: 'The export files of a publication as a Data Package', role: 'tool' },
  problem: { schema: documentOf(problemDescription), summary: 'What a problem means', role: 'document' },
  openapi: {
    schema: z.looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.unknown()),
    }),
    summary: 'This description',
    role: 'tool',
  },
};
