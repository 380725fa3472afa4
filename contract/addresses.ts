import {
  apiCatalogMediaType,
  atomMediaType,
  avroMediaType,
  csvMediaType,
  htmlMediaType,
  jsonMediaType,
  ndjsonMediaType,
  parquetMediaType,
  scriptMediaType,
  styleMediaType,
  textMediaType,
  xmlMediaType,
} from './headers.ts';
import { mostNews } from './news-feed.ts';
import { type ParameterKind, type QueryParameter, query } from './parameters.ts';

/** `revalidate`: the bytes of the address may change. `immutable`: they never change. */
export type CachePolicy = 'revalidate' | 'immutable';

/** The order in which documents are put into a bucket: a document follows those that it links to. */
export const deployStages = [
  'pages',
  'parts',
  'entities',
  'families',
  'brands',
  'lists',
  'manifests',
  'tables',
  'index',
] as const;

/**
 * Declares one kind of address. The service, its OpenAPI description and its hosts derive everything about it from this
 * row.
 */
type AddressRow = {
  /** The path, with its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /**
   * `computed`: the shim computes the answer, and no file has it. `file`: not JSON. `tool`: JSON without an envelope.
   */
  readonly role: 'document' | 'list' | 'page' | 'tool' | 'computed' | 'file';
  /** The URL of the specification of a document whose form others define. Our description does not repeat it. */
  readonly definedBy?: string;
  /** Describes the content of a file. */
  readonly content?: string;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** A compressed file is sent as it is stored, and clients can ask for a range of it. */
  readonly encoding?: 'gzip';
  /** The file is not compressed, and clients can ask for a range of it. */
  readonly isRanged?: true;
  /**
   * The name under which a browser saves the answer. It may have the parameters of the path in braces, and `{date}`,
   * the UTC date of the file's publication. Default: a browser shows the answer.
   */
  readonly savedAs?: string;
  /**
   * Default: pages and files are immutable, everything else is revalidated. `either`: immutable, but an expired page is
   * revalidated.
   */
  readonly cache?: CachePolicy | 'either';
  /**
   * Whether documents are compressed when they are made, which pays for few documents with many readers. `dense`: with
   * more effort, for a large document that every visitor of the explorer loads. `light`: with less, for large documents
   * that change each day and have few readers.
   */
  readonly compressed?: true | 'dense' | 'light';
  /** Default: `lists`. */
  readonly stage?: (typeof deployStages)[number];
  /**
   * Whether the address ends with its publication (contract.md 11) instead of staying for readers who began with it.
   * Export files have a retention of their own. Only the current publication says what a code means.
   */
  readonly expires?: true;
  /**
   * The address is outside the versioned contract (contract.md 11), so OpenAPI does not describe it: a page for
   * people, or what leads machines to the service.
   */
  readonly outsideContract?: true;
  /** Not every site has the address. */
  readonly optional?: true;
  /** The value of the header field Link, if it is not that of `alternate`. */
  readonly link?: string;
  /** Another form of the same content, named in the header field Link with rel=alternate. */
  readonly alternate?: { readonly file: string; readonly mediaType: string };
  /** Default: it takes no parameters. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
};

type Options = Omit<AddressRow, 'path' | 'summary' | 'role'>;

function rowMaker<Role extends AddressRow['role']>(role: Role) {
  return <const Path extends string, const More extends Options>(path: Path, summary: string, more?: More) => ({
    path,
    summary,
    role,
    ...(more as More),
  });
}

const document = rowMaker('document');
const list = rowMaker('list');
const page = rowMaker('page');
const tool = rowMaker('tool');
const computed = rowMaker('computed');

function file<const Path extends string, const More extends Options>(path: Path, summary: string, more: More) {
  return { path, summary, role: 'file', ...more } as const;
}

const compressed = { compressed: true } as const;
const part = { stage: 'parts' } as const;
const byCode = { stage: 'entities', expires: true } as const;
const events = { stage: 'parts', query: query.events } as const;
const sealed = { cache: 'either', stage: 'pages' } as const;
const ndjson = { mediaType: ndjsonMediaType, encoding: 'gzip', expires: true } as const;
/** Iceberg tables of kept publications name the files of publications. */
const partOfTable = { mediaType: parquetMediaType, isRanged: true } as const;
const parquet = { ...partOfTable, expires: true } as const;
const csv = { mediaType: csvMediaType, encoding: 'gzip', expires: true } as const;
const avro = { mediaType: avroMediaType, isRanged: true, cache: 'revalidate', stage: 'manifests' } as const;
const text = { mediaType: textMediaType, expires: true } as const;

/** The files of a publication. Each has an address below its revision, and the newest one below `latest`. */
const publicationFiles = {
  export: { content: 'One header record, then data records, compressed with gzip', ...ndjson },
  table: { content: 'The records of an export file, or the rows of `daily`, as columns', ...partOfTable },
  productsCsv: {
    content: 'A line of names, then a row for each product by SKU (RFC 4180), compressed with gzip',
    ...csv,
  },
  checksums: {
    content:
      'A line for each file, and for what each compressed one unpacks to: its SHA-256 in hex, two blanks, its name',
    ...text,
  },
  citation: { content: 'A file of the Citation File Format 1.2.0, with what the operator states of the data', ...text },
} as const;

const asset = { compressed: true, stage: 'pages', outsideContract: true } as const;
const newsFeed = {
  content: `An Atom feed (RFC 4287) with at most ${mostNews} entries, each an event in words: a price, a status, a first observation, whether the catalog has the product, and whether anything is reported of it`,
  mediaType: atomMediaType,
  cache: 'revalidate',
} as const;

/** Every address of a site. `paths.ts` formats and parses paths with this table. */
export const addresses = {
  service_index: document('/v1', 'Service index', { compressed: true, stage: 'index' }),
  products: list('/v1/products', 'Catalog products', { compressed: true, query: query.page }),
  products_page: page('/v1/products/pages/{digest}.json', 'A page of the catalog products', compressed),
  product: document('/v1/products/{product_id}', 'A product', { stage: 'entities' }),
  product_by_sku: document('/v1/products/by-sku/{sku}', 'A product by current or former SKU', byCode),
  former_skus: tool('/v1/products/former-skus.json', 'Former SKUs that are ambiguous', compressed),
  browse: tool('/v1/products/browse.json', 'Catalog products as columns', { compressed: 'dense' }),
  absent: tool('/v1/products/absent.json', 'Products that left the catalog, as columns', compressed),
  product_availability: document(
    '/v1/products/{product_id}/availability',
    "A product's reported availability in every store",
    part,
  ),
  product_series: tool(
    '/v1/products/{product_id}/series.json',
    "A product's price, status and reported inventory over time",
    part,
  ),
  product_feed: file(
    '/v1/products/{product_id}/feed.atom',
    'News of a product as an Atom feed, newest first',
    newsFeed,
  ),
  product_changes: list('/v1/products/{product_id}/changes', "A product's change events, newest first", events),
  product_changes_page: page('/v1/products/{product_id}/changes/pages/{number}.json', 'A sealed page of them', sealed),
  product_changes_segment: tool(
    '/v1/products/{product_id}/changes/segments/{number}.json',
    'Summaries of 100 sealed pages',
    sealed,
  ),
  product_changes_index: tool('/v1/products/{product_id}/changes/pages.json', 'Index of the sealed pages', part),
  families: list('/v1/product-families', 'Product families', { compressed: true, query: query.page }),
  families_page: page('/v1/product-families/pages/{digest}.json', 'A page of the product families', compressed),
  family: document('/v1/product-families/{family_id}', 'A product family and every current member', {
    stage: 'families',
  }),
  family_changes: list('/v1/product-families/{family_id}/changes', "Change events of a family's products", events),
  family_changes_page: page(
    '/v1/product-families/{family_id}/changes/{digest}/pages/{number}.json',
    'A sealed page of them',
    sealed,
  ),
  family_changes_segment: tool(
    '/v1/product-families/{family_id}/changes/{digest}/segments/{number}.json',
    'Summaries of 100 sealed pages',
    sealed,
  ),
  family_changes_index: tool('/v1/product-families/{family_id}/changes/pages.json', 'Index of the sealed pages', part),
  changes: list('/v1/changes', 'Change events, newest first', {
    compressed: true,
    query: query.allChanges,
  }),
  changes_page: page('/v1/changes/pages/{number}.json', 'A sealed page of them', sealed),
  changes_segment: tool('/v1/changes/segments/{number}.json', 'Summaries of 100 sealed pages', sealed),
  changes_index: tool('/v1/changes/pages.json', 'Index of the sealed pages', {
    ...compressed,
    optional: true,
  }),
  brands: list('/v1/brands', 'Reviewed brands', { compressed: true, query: query.brandList }),
  brands_page: page('/v1/brands/pages/{digest}.json', 'A page of the brands', compressed),
  brand_index: tool('/v1/brands/index.json', 'Every listed brand with the names it answers to', compressed),
  brand: document('/v1/brands/{brand_id}', 'A brand with its families', {
    compressed: true,
    stage: 'brands',
  }),
  brand_by_slug: document('/v1/brands/by-slug/{slug}', 'A brand by slug', { stage: 'brands' }),
  brand_feed: file(
    '/v1/brands/{brand_id}/feed.atom',
    "News of a brand's products as an Atom feed, newest first",
    newsFeed,
  ),
  stores: list('/v1/stores', 'Stores', { compressed: true, query: query.page }),
  stores_page: page('/v1/stores/pages/{digest}.json', 'A page of the stores', compressed),
  store: document('/v1/stores/{store_id}', 'A store', { compressed: true, stage: 'entities' }),
  store_by_code: document('/v1/stores/by-code/{code}', 'A store by inventory code', byCode),
  store_availability: document('/v1/stores/{store_id}/availability', 'Catalog products reported positive in a store', {
    compressed: 'light',
    stage: 'parts',
  }),
  categories: document('/v1/categories', 'Categories', compressed),
  category_feed: file(
    '/v1/categories/{category_id}/feed.atom',
    'News of the products of a category and those below it as an Atom feed, newest first',
    newsFeed,
  ),
  search: computed('/v1/search', 'Search products, families, brands and stores', { query: query.search }),
  search_index: tool('/v1/search/index.json', 'Everything search can find', compressed),
  comparison: computed('/v1/availability/comparison', 'Compare reported availability near a place', {
    query: query.comparison,
  }),
  comparison_stores: tool('/v1/availability/stores.json', 'Stores that a comparison can choose from', compressed),
  metadata: document('/v1/metadata', 'Service, publication, counts and policies', compressed),
  publications: document('/v1/metadata/publications', 'Retained publications, newest first', {
    compressed: true,
    alternate: { file: 'publications.atom', mediaType: atomMediaType },
  }),
  activity: tool('/v1/metadata/activity.json', 'What the newest publications brought', compressed),
  publications_feed: file('/v1/metadata/publications.atom', 'Retained publications as an Atom feed, newest first', {
    content:
      'An Atom feed (RFC 4287) with an entry for each publication: its counts and warnings in words, its exports',
    mediaType: atomMediaType,
    cache: 'revalidate',
    compressed: true,
  }),
  exports: document('/v1/exports', 'Export manifest', compressed),
  export: file('/v1/exports/{revision}/{resource}.ndjson.gz', 'An export file', {
    ...publicationFiles.export,
    savedAs: '{resource}-{date}.ndjson',
  }),
  change_pieces: tool('/v1/exports/changes.json', 'The change history as files'),
  change_piece: file(
    '/v1/exports/changes/{number}.ndjson.gz',
    'A piece of the change history: 10,000 events, oldest first',
    {
      content: 'A record for each event and no header, compressed with gzip',
      savedAs: 'changes-{number}.ndjson',
      ...ndjson,
    },
  ),
  export_parquet: file('/v1/exports/{revision}/{table}.parquet', 'A table of a publication as Parquet', {
    ...publicationFiles.table,
    savedAs: '{table}-{date}.parquet',
  }),
  change_piece_parquet: file('/v1/exports/changes/{number}.parquet', 'A piece of the change history as Parquet', {
    content: 'The records of the piece as columns',
    ...parquet,
    savedAs: 'changes-{number}.parquet',
  }),
  changes_parquet: file('/v1/exports/changes.parquet', 'All pieces of the change history in one Parquet file', {
    content: 'A row for each event that is in a piece: runs of rows, oldest first, each sorted by product',
    ...parquet,
    cache: 'revalidate',
    savedAs: 'changes.parquet',
  }),
  newest_changes_parquet: file(
    '/v1/exports/changes/newest.parquet',
    'The change events that are in no piece yet, as Parquet',
    {
      content: 'A row for each event after the last piece, sorted by product',
      ...parquet,
      cache: 'revalidate',
      savedAs: 'changes-newest.parquet',
    },
  ),
  daily_parquet: file(
    '/v1/exports/daily.parquet',
    'Price, status and reported inventory of every product in every publication of the change history, as Parquet',
    {
      content: 'A row for each product and publication: runs of rows, oldest first, each sorted by product',
      ...parquet,
      cache: 'revalidate',
      savedAs: 'daily.parquet',
    },
  ),
  context_parquet: file(
    '/v1/exports/{context}.parquet',
    'Products, stores, categories or requests over time, as Parquet',
    {
      content: 'A row for each span of publications in which something was so, or for what a publication asked',
      ...parquet,
      cache: 'revalidate',
      savedAs: '{context}.parquet',
    },
  ),
  products_csv: file(
    '/v1/exports/{revision}/products.csv.gz',
    'The products of a publication for spreadsheets, as CSV',
    {
      ...publicationFiles.productsCsv,
      savedAs: 'products-{date}.csv',
    },
  ),
  prices_csv: file('/v1/exports/prices.csv.gz', 'Every price of every product over time, as CSV', {
    content: 'A line of names, then a row for each price by SKU, oldest first (RFC 4180), compressed with gzip',
    ...csv,
    cache: 'revalidate',
    savedAs: 'prices.csv',
  }),
  daily_csv: file(
    '/v1/exports/daily.csv.gz',
    'Price, status and reported inventory of every product in every publication of the change history, as CSV',
    {
      content:
        'A line of names, then a row for each publication and product, oldest publication first (RFC 4180), compressed with gzip',
      ...csv,
      cache: 'revalidate',
      savedAs: 'daily.csv',
    },
  ),
  export_checksums: file(
    '/v1/exports/{revision}/SHA256SUMS',
    'SHA-256 of the export files of a publication, as sha256sum -c reads it',
    publicationFiles.checksums,
  ),
  export_citation: file(
    '/v1/exports/{revision}/CITATION.cff',
    'How to cite the data of a publication',
    publicationFiles.citation,
  ),
  export_package: tool(
    '/v1/exports/{revision}/datapackage.json',
    'The export files of a publication as a Data Package',
    { cache: 'immutable', expires: true },
  ),
  tables_package: tool(
    '/v1/exports/datapackage.json',
    'The newest tables, and those over time, as a Data Package with keys',
  ),
  latest_manifest: tool(
    '/v1/exports/latest.json',
    'The export manifest, at an address that every host has',
    compressed,
  ),
  croissant: tool('/v1/exports/croissant.json', 'The tables as a dataset in Croissant, for catalogs', {
    ...compressed,
    definedBy: 'https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html',
  }),
  dcat: tool('/v1/exports/dcat.json', 'The tables as a catalog of DCAT-US, on sites with absolute URLs', {
    ...compressed,
    definedBy: 'https://resources.data.gov/resources/dcat-us/',
    optional: true,
  }),
  latest_export: file('/v1/exports/latest/{resource}.ndjson.gz', 'An export file of the current publication', {
    ...publicationFiles.export,
    cache: 'revalidate',
    savedAs: '{resource}.ndjson',
  }),
  latest_parquet: file('/v1/exports/latest/{table}.parquet', 'A table of the current publication as Parquet', {
    ...publicationFiles.table,
    cache: 'revalidate',
    expires: true,
    savedAs: '{table}.parquet',
  }),
  latest_products_csv: file(
    '/v1/exports/latest/products.csv.gz',
    'The products of the current publication for spreadsheets, as CSV',
    {
      ...publicationFiles.productsCsv,
      cache: 'revalidate',
      savedAs: 'products.csv',
    },
  ),
  latest_checksums: file(
    '/v1/exports/latest/SHA256SUMS',
    'SHA-256 of the export files of the current publication, as sha256sum -c reads it',
    {
      ...publicationFiles.checksums,
      cache: 'revalidate',
    },
  ),
  latest_citation: file('/v1/exports/latest/CITATION.cff', 'How to cite the data of the current publication', {
    ...publicationFiles.citation,
    cache: 'revalidate',
  }),
  latest_package: tool(
    '/v1/exports/latest/datapackage.json',
    'The export files of the current publication as a Data Package',
  ),
  publication_changes_parquet: file(
    '/v1/exports/{revision}/changes.parquet',
    'The change events of a publication as Parquet, on a site with Iceberg tables',
    {
      content: 'A row for each event that the publication brought, sorted by product',
      ...partOfTable,
      savedAs: 'changes-{date}.parquet',
    },
  ),
  iceberg_version: file(
    '/v1/iceberg/{iceberg_table}/metadata/version-hint.text',
    'The number of the newest metadata file of an Iceberg table',
    { content: 'A number', mediaType: textMediaType, cache: 'revalidate', stage: 'index' },
  ),
  iceberg_metadata: tool(
    '/v1/iceberg/{iceberg_table}/metadata/v{number}.metadata.json',
    'The metadata of an Iceberg table at a publication',
    { definedBy: 'https://iceberg.apache.org/spec/', stage: 'tables' },
  ),
  iceberg_manifest_list: file(
    '/v1/iceberg/{iceberg_table}/metadata/snap-{snapshot}-{digest}.avro',
    'The manifests of an Iceberg table at a publication',
    { content: 'A manifest list of Apache Iceberg, version 2, as Avro', ...avro },
  ),
  iceberg_manifest: file(
    '/v1/iceberg/{iceberg_table}/metadata/{snapshot}.avro',
    'The file that a publication added to an Iceberg table, with the bounds of its columns',
    { content: 'A manifest of Apache Iceberg, version 2, as Avro', ...avro },
  ),
  iceberg_deletions: file(
    '/v1/iceberg/{iceberg_table}/metadata/deleted-{snapshot}.avro',
    'The file that a publication replaced in an Iceberg table',
    { content: 'A manifest of Apache Iceberg, version 2, as Avro', ...avro },
  ),
  problem: document('/v1/problems/{problem}', 'What a problem means', {
    compressed: true,
    stage: 'pages',
  }),
  openapi: tool('/v1/openapi.json', 'This description', compressed),
  explorer: file('/', 'A page for people', {
    content: 'The explorer, a page that shows the data of this site',
    mediaType: htmlMediaType,
    cache: 'revalidate',
    compressed: true,
    stage: 'index',
    outsideContract: true,
  }),
  api_catalog: file('/.well-known/api-catalog', "A catalog of the service's API (RFC 9727)", {
    content: 'A set of links (RFC 9264)',
    link: '</.well-known/api-catalog>; rel="api-catalog"',
    mediaType: apiCatalogMediaType,
    cache: 'revalidate',
    outsideContract: true,
  }),
  sitemap: file('/sitemap.xml', 'The pages of the site, for search engines, on sites with absolute URLs', {
    content: 'A sitemap (sitemaps.org)',
    mediaType: xmlMediaType,
    cache: 'revalidate',
    outsideContract: true,
  }),
  explorer_script: file('/explorer/{asset}.js', 'A script of that page', {
    content: 'JavaScript',
    mediaType: scriptMediaType,
    ...asset,
  }),
  explorer_style: file('/explorer/{asset}.css', 'A style sheet of that page', {
    content: 'CSS',
    mediaType: styleMediaType,
    ...asset,
  }),
  explorer_worker: file('/sw.js', 'The worker of that page, with which it is there without a connection', {
    content: 'JavaScript',
    mediaType: scriptMediaType,
    cache: 'revalidate',
    compressed: true,
    outsideContract: true,
  }),
  explorer_data: file('/explorer/{asset}.json', 'The manifest of that page, and the outline behind its maps', {
    content: 'A web app manifest, or rings of longitudes and latitudes as the operator gave them',
    mediaType: jsonMediaType,
    ...asset,
  }),
} satisfies Readonly<Record<string, AddressRow>>;

export type AddressKind = keyof typeof addresses;

/** The rows with their defaults filled in. What a row leaves out is null. */
export const addressTable = Object.fromEntries(
  Object.entries(addresses).map(([kind, row]) => [kind, withDefaults(row)]),
) as Readonly<Record<AddressKind, Readonly<ReturnType<typeof withDefaults>>>>;

function withDefaults(row: AddressRow) {
  const { path, summary, role, compressed, alternate } = row;
  const isImmutable = role === 'page' || role === 'file';
  return {
    path,
    summary,
    role,
    content: row.content ?? null,
    definedBy: row.definedBy ?? null,
    mediaType: row.mediaType ?? jsonMediaType,
    encoding: row.encoding ?? null,
    /**
     * Whether clients can ask for a range of it. Such downloads support no condition but If-None-Match (contract.md 5).
     */
    isDownload: row.encoding !== undefined || row.isRanged === true,
    savedAs: row.savedAs ?? null,
    cache: row.cache ?? (isImmutable ? 'immutable' : 'revalidate'),
    /** The effort of compression; null: not compressed when made. */
    compression: compressed === true ? 'usual' : (compressed ?? null),
    stage: row.stage ?? 'lists',
    expires: row.expires ?? false,
    isOutsideContract: row.outsideContract ?? false,
    isOptional: row.optional ?? row.outsideContract ?? role === 'computed',
    /** The value of the header field Link (RFC 8288), relative to the address. */
    link: alternate ? `<${alternate.file}>; rel="alternate"; type="${alternate.mediaType}"` : (row.link ?? null),
    query: row.query ?? null,
  } as const;
}

/** Kinds of addresses that take parameters. */
export type QueryKind = {
  [Kind in AddressKind]: (typeof addresses)[Kind] extends { readonly query: object } ? Kind : never;
}[AddressKind];

type ParametersOf<Kind extends QueryKind> = (typeof addresses)[Kind]['query'];

type ValueOfKind<Kind extends ParameterKind> = Kind extends { readonly words: readonly (infer Word)[] }
  ? Word
  : Kind extends { readonly type: 'integer' | 'number' }
    ? number
    : string;

type ValueOf<Parameter extends QueryParameter> = Parameter extends { readonly list: number }
  ? readonly ValueOfKind<Parameter['is']>[]
  : ValueOfKind<Parameter['is']>;

/** The values of a query, as the kinds of its parameters type them. Absent parameters are left out. */
export type QueryOf<Kind extends QueryKind> = {
  readonly [Name in keyof ParametersOf<Kind>]?: ParametersOf<Kind>[Name] extends QueryParameter
    ? ValueOf<ParametersOf<Kind>[Name]>
    : never;
};
