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
import { changePieces } from './formats/change-pieces.ts';
import { comparisonProduct, comparisonStores } from './formats/comparison-input.ts';
import { dataPackage } from './formats/data-package.ts';
import { exportManifestDocument } from './formats/export.ts';
import { pageIndex, pageSegment } from './formats/page-index.ts';
import type { CachePolicy } from './formats/site.ts';
import { jsonMediaType, ndjsonMediaType, textMediaType } from './headers.ts';
import { type QueryParameter, query } from './parameters.ts';
import { problemDescription } from './problem.ts';

/** The order in which documents go into a bucket: what leads to something comes after it. */
export const deployStages = ['pages', 'parts', 'entities', 'families', 'brands', 'lists', 'index'] as const;

/** What one kind of address is. All that the service, its description and its hosts say of it follows from this row. */
type AddressRow = {
  /** With its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** `computed`: answered by the shim, from no file of its own. `file`: no JSON document. `tool`: without an envelope. */
  readonly role: 'document' | 'list' | 'page' | 'tool' | 'computed' | 'file';
  /** What every JSON answer is checked against before it is written; only a file has none. */
  readonly schema?: z.ZodType;
  /** What is in a file, in words. */
  readonly content?: string;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** A file that is compressed is sent as it is, and in parts to whoever asks for a range of it. */
  readonly encoding?: 'gzip';
  /** Default: pages and files are immutable, all else is revalidated. `either`: an expired page is revalidated too. */
  readonly cache?: CachePolicy | 'either';
  /** Whether documents are compressed when they are made: where everyone asks, and there are few of them. */
  readonly compressed?: true;
  /** Default: `lists`. */
  readonly stage?: (typeof deployStages)[number];
  /**
   * Whether it leaves at once with its publication (contract.md 11). Files of exports have a retention of their own; what a
   * code means is for the current publication alone to say.
   */
  readonly leaves?: true;
  /** Default: it takes no parameters. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
};

const productDocument = documentOf(productDetail);
const brandDocument = documentOf(brandDetail);
const storeDocument = documentOf(storeDetail);
const products = listOf(productRow);
const families = listOf(familyRow);
const brands = listOf(brand);
const stores = listOf(storeSummary);

/** Every address of a site. Paths are formatted and parsed by this table too. */
export const addresses = {
  service_index: {
    path: '/v1',
    summary: 'Service index',
    role: 'document',
    schema: documentOf(serviceIndex),
    compressed: true,
    stage: 'index',
  },
  products: {
    path: '/v1/products',
    summary: 'Catalog products',
    role: 'list',
    schema: products,
    compressed: true,
    query: query.page,
  },
  products_page: {
    path: '/v1/products/pages/{digest}.json',
    summary: 'A page of the catalog products',
    role: 'page',
    schema: products,
    compressed: true,
  },
  product: {
    path: '/v1/products/{product_id}',
    summary: 'A product',
    role: 'document',
    schema: productDocument,
    stage: 'entities',
  },
  product_by_sku: {
    path: '/v1/products/by-sku/{sku}',
    summary: 'A product by current or former SKU',
    role: 'document',
    schema: productDocument,
    stage: 'entities',
    leaves: true,
  },
  former_skus: {
    path: '/v1/products/former-skus.json',
    summary: 'Former SKUs that are ambiguous',
    role: 'tool',
    schema: formerSkuIndex,
    compressed: true,
  },
  product_availability: {
    path: '/v1/products/{product_id}/availability',
    summary: "A product's reported availability in every store",
    role: 'document',
    schema: documentOf(productAvailability),
    stage: 'parts',
  },
  product_changes: {
    path: '/v1/products/{product_id}/changes',
    summary: "A product's change events, newest first",
    role: 'list',
    schema: changeList,
    stage: 'parts',
    query: query.events,
  },
  product_changes_page: {
    path: '/v1/products/{product_id}/changes/pages/{number}.json',
    summary: 'A sealed page of them',
    role: 'page',
    schema: z.union([changeList, expiredPage]),
    cache: 'either',
    stage: 'pages',
  },
  product_changes_segment: {
    path: '/v1/products/{product_id}/changes/segments/{number}.json',
    summary: 'Summaries of 100 sealed pages',
    role: 'tool',
    schema: pageSegment,
    cache: 'either',
    stage: 'pages',
  },
  product_changes_index: {
    path: '/v1/products/{product_id}/changes/pages.json',
    summary: 'Index of the sealed pages',
    role: 'tool',
    schema: pageIndex,
    stage: 'parts',
  },
  families: {
    path: '/v1/product-families',
    summary: 'Product families',
    role: 'list',
    schema: families,
    compressed: true,
    query: query.page,
  },
  families_page: {
    path: '/v1/product-families/pages/{digest}.json',
    summary: 'A page of the product families',
    role: 'page',
    schema: families,
    compressed: true,
  },
  family: {
    path: '/v1/product-families/{family_id}',
    summary: 'A product family and every current member',
    role: 'document',
    schema: familyDocument,
    stage: 'families',
  },
  family_changes: {
    path: '/v1/product-families/{family_id}/changes',
    summary: "Change events of a family's products",
    role: 'list',
    schema: familyChangeList,
    stage: 'parts',
    query: query.events,
  },
  family_changes_page: {
    path: '/v1/product-families/{family_id}/changes/{digest}/pages/{number}.json',
    summary: 'A sealed page of them',
    role: 'page',
    schema: z.union([familyChangeList, expiredPage]),
    cache: 'either',
    stage: 'pages',
  },
  family_changes_segment: {
    path: '/v1/product-families/{family_id}/changes/{digest}/segments/{number}.json',
    summary: 'Summaries of 100 sealed pages',
    role: 'tool',
    schema: pageSegment,
    cache: 'either',
    stage: 'pages',
  },
  family_changes_index: {
    path: '/v1/product-families/{family_id}/changes/pages.json',
    summary: 'Index of the sealed pages',
    role: 'tool',
    schema: pageIndex,
    stage: 'parts',
  },
  changes: {
    path: '/v1/changes',
    summary: 'Change events, newest first',
    role: 'list',
    schema: changeList,
    compressed: true,
    query: query.eventsOfAProduct,
  },
  changes_page: {
    path: '/v1/changes/pages/{number}.json',
    summary: 'A sealed page of them',
    role: 'page',
    schema: z.union([changeList, expiredPage]),
    cache: 'either',
    stage: 'pages',
  },
  changes_segment: {
    path: '/v1/changes/segments/{number}.json',
    summary: 'Summaries of 100 sealed pages',
    role: 'tool',
    schema: pageSegment,
    cache: 'either',
    stage: 'pages',
  },
  changes_index: {
    path: '/v1/changes/pages.json',
    summary: 'Index of the sealed pages',
    role: 'tool',
    schema: pageIndex,
    compressed: true,
  },
  brands: {
    path: '/v1/brands',
    summary: 'Reviewed brands',
    role: 'list',
    schema: brands,
    compressed: true,
    query: query.brandList,
  },
  brands_page: {
    path: '/v1/brands/pages/{digest}.json',
    summary: 'A page of the brands',
    role: 'page',
    schema: brands,
    compressed: true,
  },
  brand_index: {
    path: '/v1/brands/index.json',
    summary: 'Every listed brand with the names it answers to',
    role: 'tool',
    schema: brandIndex,
    compressed: true,
  },
  brand: {
    path: '/v1/brands/{brand_id}',
    summary: 'A brand with its families',
    role: 'document',
    schema: brandDocument,
    compressed: true,
    stage: 'brands',
  },
  brand_by_slug: {
    path: '/v1/brands/by-slug/{slug}',
    summary: 'A brand by slug',
    role: 'document',
    schema: brandDocument,
    stage: 'brands',
  },
  stores: { path: '/v1/stores', summary: 'Stores', role: 'list', schema: stores, compressed: true, query: query.page },
  stores_page: {
    path: '/v1/stores/pages/{digest}.json',
    summary: 'A page of the stores',
    role: 'page',
    schema: stores,
    compressed: true,
  },
  store: {
    path: '/v1/stores/{store_id}',
    summary: 'A store',
    role: 'document',
    schema: storeDocument,
    compressed: true,
    stage: 'entities',
  },
  store_by_code: {
    path: '/v1/stores/by-code/{code}',
    summary: 'A store by inventory code',
    role: 'document',
    schema: storeDocument,
    stage: 'entities',
    leaves: true,
  },
  store_availability: {
    path: '/v1/stores/{store_id}/availability',
    summary: 'Catalog products reported positive in a store',
    role: 'document',
    schema: documentOf(storeStock),
    compressed: true,
    stage: 'parts',
  },
  categories: {
    path: '/v1/categories',
    summary: 'Categories',
    role: 'document',
    schema: categoryDocument,
    compressed: true,
  },
  search: {
    path: '/v1/search',
    summary: 'Search products, families, brands and stores',
    role: 'computed',
    schema: searchResult,
    query: query.search,
  },
  search_index: {
    path: '/v1/search/index.json',
    summary: 'Everything search can find',
    role: 'tool',
    schema: searchIndex,
    compressed: true,
  },
  comparison: {
    path: '/v1/availability/comparison',
    summary: 'Compare reported availability near a place',
    role: 'computed',
    schema: comparison,
    query: query.comparison,
  },
  comparison_stores: {
    path: '/v1/availability/stores.json',
    summary: 'Stores that a comparison can choose from',
    role: 'tool',
    schema: comparisonStores,
    compressed: true,
  },
  comparison_product: {
    path: '/v1/availability/products/{product_id}.json',
    summary: 'What a comparison needs of a product',
    role: 'tool',
    schema: comparisonProduct,
    stage: 'parts',
  },
  comparison_product_by_sku: {
    path: '/v1/availability/products/by-sku/{sku}.json',
    summary: 'The same by current or former SKU',
    role: 'tool',
    schema: comparisonProduct,
    stage: 'parts',
    leaves: true,
  },
  metadata: {
    path: '/v1/metadata',
    summary: 'Service, publication, counts and policies',
    role: 'document',
    schema: documentOf(metadata),
    compressed: true,
  },
  publications: {
    path: '/v1/metadata/publications',
    summary: 'Retained publications, newest first',
    role: 'document',
    schema: documentOf(z.array(retainedPublication)),
    compressed: true,
  },
  exports: {
    path: '/v1/exports',
    summary: 'Export manifest',
    role: 'document',
    schema: exportManifestDocument,
    compressed: true,
  },
  export: {
    path: '/v1/exports/{revision}/{resource}.ndjson.gz',
    summary: 'An export file',
    role: 'file',
    content: 'One header record, then data records, compressed with gzip',
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    leaves: true,
  },
  change_pieces: {
    path: '/v1/exports/changes.json',
    summary: 'The change history as files',
    role: 'tool',
    schema: changePieces,
  },
  change_piece: {
    path: '/v1/exports/changes/{number}.ndjson.gz',
    summary: 'A piece of the change history: 10,000 events, oldest first',
    role: 'file',
    content: 'A record for each event and no header, compressed with gzip',
    mediaType: ndjsonMediaType,
    encoding: 'gzip',
    leaves: true,
  },
  export_checksums: {
    path: '/v1/exports/{revision}/SHA256SUMS',
    summary: 'SHA-256 of the export files of a publication, as sha256sum -c reads it',
    role: 'file',
    content: 'A line for each file: its SHA-256 in hex, two blanks, its name',
    mediaType: textMediaType,
    leaves: true,
  },
  export_package: {
    path: '/v1/exports/{revision}/datapackage.json',
    summary: 'The export files of a publication as a Data Package',
    role: 'tool',
    schema: dataPackage,
    cache: 'immutable',
    leaves: true,
  },
  problem: {
    path: '/v1/problems/{problem}',
    summary: 'What a problem means',
    role: 'document',
    schema: documentOf(problemDescription),
    compressed: true,
    stage: 'pages',
  },
  openapi: {
    path: '/v1/openapi.json',
    summary: 'This description',
    role: 'tool',
    schema: z.looseObject({
      openapi: z.literal('3.1.0'),
      info: z.looseObject({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.unknown()),
    }),
    compressed: true,
  },
} as const satisfies Readonly<Record<string, AddressRow>>;

export type AddressKind = keyof typeof addresses;

/** A row with its defaults filled in. `schema` and `content`: null where there is none. */
export type Address = {
  readonly path: string;
  readonly summary: string;
  readonly role: AddressRow['role'];
  readonly schema: z.ZodType | null;
  readonly content: string | null;
  readonly mediaType: string;
  readonly encoding: 'gzip' | null;
  readonly cache: CachePolicy | 'either';
  readonly isCompressed: boolean;
  readonly stage: (typeof deployStages)[number];
  readonly leaves: boolean;
  readonly query: Readonly<Record<string, QueryParameter>> | null;
};

export const addressTable = Object.fromEntries(
  Object.entries(addresses).map(([kind, row]) => [kind, withDefaults(row)]),
) as Readonly<Record<AddressKind, Address>>;

function withDefaults(row: AddressRow): Address {
  const { path, summary, role } = row;
  const isImmutable = role === 'page' || role === 'file';
  return {
    path,
    summary,
    role,
    schema: row.schema ?? null,
    content: row.content ?? null,
    mediaType: row.mediaType ?? jsonMediaType,
    encoding: row.encoding ?? null,
    cache: row.cache ?? (isImmutable ? 'immutable' : 'revalidate'),
    isCompressed: row.compressed ?? false,
    stage: row.stage ?? 'lists',
    leaves: row.leaves ?? false,
    query: row.query ?? null,
  };
}

/** Kinds of addresses that take parameters. */
export type QueryKind = {
  [Kind in AddressKind]: (typeof addresses)[Kind] extends { readonly query: object } ? Kind : never;
}[AddressKind];

type ParametersOf<Kind extends QueryKind> = (typeof addresses)[Kind]['query'];

type ValueOf<Parameter extends QueryParameter> = Parameter extends { readonly list: number }
  ? readonly z.infer<Parameter['schema']>[]
  : z.infer<Parameter['schema']>;

/** The values of a query, each as its schema gives it; absent ones are left out. */
export type QueryOf<Kind extends QueryKind> = {
  readonly [Name in keyof ParametersOf<Kind>]?: ParametersOf<Kind>[Name] extends QueryParameter
    ? ValueOf<ParametersOf<Kind>[Name]>
    : never;
};

/** Whether an address answers to entity tags alone and has ranges, contract.md 5. */
export function isDownload(kind: AddressKind): boolean {
  return addressTable[kind].encoding !== null;
}
