import { type AddressKind, addressPaths } from './address-paths.ts';
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
import { parametersOf } from './parameters.ts';

export type { AddressKind };

/** `revalidate`: the bytes of the address may change. `immutable`: they never change. */
export type CachePolicy = 'revalidate' | 'immutable';

/** The order in which a deploy writes documents to a bucket: a document follows those that it links to. */
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

/** One kind of address. The service, its OpenAPI description and its hosts derive everything about it from this. */
type AddressRow = {
  readonly summary: string;
  /**
   * `computed`: the shim computes the answer, and there is no file. `file`: the answer is not JSON. `tool`: the answer
   * is JSON without an envelope.
   */
  readonly role: 'document' | 'list' | 'page' | 'tool' | 'computed' | 'file';
  /** The URL of an outside specification of the document's form. Our description does not repeat it. */
  readonly definedBy?: string;
  readonly content?: string;
  /** Default: JSON. */
  readonly mediaType?: string;
  /** A compressed file is sent as it is stored, and clients can ask for a range of it. */
  readonly encoding?: 'gzip';
  /** The file is not compressed, and clients can ask for a range of it. */
  readonly isRanged?: true;
  /**
   * A browser saves the answer under this name. It may have the parameters of the path in braces, and `{date}`, the UTC
   * date of the file's publication. Default: a browser shows the answer.
   */
  readonly savedAs?: string;
  /** Default: only pages and files are immutable. `either`: immutable, but an expired page is revalidated. */
  readonly cache?: CachePolicy | 'either';
  /**
   * The codings in which documents are also stored. This pays off only for documents with many readers. Brotli takes
   * three to seven times as long as gzip, for some five percent fewer bytes, so it is for what every visitor of the
   * explorer loads, and for what hardly ever changes.
   */
  readonly compressed?: readonly ('br' | 'gzip')[];
  /** Default: `lists`. */
  readonly stage?: (typeof deployStages)[number];
  /**
   * The address goes when its publication goes (contract.md 11), and does not stay for readers who began with it. This
   * is so for export files, which have a retention of their own, and for lookups by code, because only the current
   * publication says what a code means.
   */
  readonly expires?: true;
  /** A page for people, or a discovery file: outside the contract (contract.md 11), so OpenAPI does not have it. */
  readonly outsideContract?: true;
  /** Some sites lack the address. */
  readonly optional?: true;
  /** The value of the Link header, if it is not about `alternate`. */
  readonly link?: string;
  /** Another form of the same content, named in the Link header with rel=alternate. */
  readonly alternate?: { readonly file: string; readonly mediaType: string };
};

type Options = Omit<AddressRow, 'summary' | 'role'>;

function rowMaker<Role extends AddressRow['role']>(role: Role) {
  return <const More extends Options>(summary: string, more?: More) => ({ summary, role, ...(more as More) });
}

const document = rowMaker('document');
const list = rowMaker('list');
const page = rowMaker('page');
const tool = rowMaker('tool');
const computed = rowMaker('computed');

function file<const More extends Options>(summary: string, more: More) {
  return { summary, role: 'file', ...more } as const;
}

const compressed = { compressed: ['gzip'] } as const;
const densely = { compressed: ['br', 'gzip'] } as const;
const part = { stage: 'parts' } as const;
const byCode = { stage: 'entities', expires: true } as const;
const events = { stage: 'parts' } as const;
const sealed = { cache: 'either', stage: 'pages' } as const;
const ndjson = { mediaType: ndjsonMediaType, encoding: 'gzip', expires: true } as const;
/** These files stay for readers who began earlier, because the Iceberg tables of kept publications name them. */
const partOfTable = { mediaType: parquetMediaType, isRanged: true } as const;
const parquet = { ...partOfTable, expires: true } as const;
const csv = { mediaType: csvMediaType, encoding: 'gzip', expires: true } as const;
const avro = { mediaType: avroMediaType, isRanged: true, cache: 'revalidate', stage: 'manifests' } as const;
const text = { mediaType: textMediaType, expires: true } as const;

/** Each of these files has an address below the revision of its publication. The newest also has one below `latest`. */
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

/** The CSV file with one month of `daily`. */
const dailyMonth = {
  content:
    'A line of names, then a row for each publication and product, oldest publication first (RFC 4180), compressed with gzip',
  ...csv,
  cache: 'revalidate',
} as const;

const asset = { ...densely, stage: 'pages', outsideContract: true } as const;
const newsFeed = {
  content: `An Atom feed (RFC 4287) with at most ${mostNews} entries, each an event in words: a price, a status, a first observation, whether the catalog has the product, and whether anything is reported of it`,
  mediaType: atomMediaType,
  cache: 'revalidate',
} as const;

/** The row of each kind of address in {@link addressPaths}. */
export const addresses = {
  service_index: document('Service index', { ...compressed, stage: 'index' }),
  products: list('Catalog products', compressed),
  products_page: page('A page of the catalog products', compressed),
  product: document('A product', { stage: 'entities' }),
  product_by_sku: document('A product by current or former SKU', byCode),
  former_skus: tool('Former SKUs that are ambiguous', compressed),
  browse: tool('Catalog products as columns', compressed),
  absent: tool('Products that left the catalog, as columns', compressed),
  product_availability: document('The stores that report a product, and the state of the others', part),
  product_series: tool("A product's price, status and reported inventory over time", part),
  product_feed: file('News of a product as an Atom feed, newest first', newsFeed),
  product_changes: list("A product's change events, newest first", events),
  product_changes_page: page('A sealed page of them', sealed),
  product_changes_segment: tool('Summaries of 100 sealed pages', sealed),
  product_changes_index: tool('Index of the sealed pages', part),
  families: list('Product families', compressed),
  families_page: page('A page of the product families', compressed),
  family: document('A product family and every current member', {
    stage: 'families',
  }),
  family_changes: list("Change events of a family's products", events),
  family_changes_page: page('A sealed page of them', sealed),
  family_changes_segment: tool('Summaries of 100 sealed pages', sealed),
  family_changes_index: tool('Index of the sealed pages', part),
  changes: list('Change events, newest first', {
    ...compressed,
  }),
  changes_page: page('A sealed page of them', sealed),
  changes_segment: tool('Summaries of 100 sealed pages', sealed),
  changes_index: tool('Index of the sealed pages', {
    ...compressed,
    optional: true,
  }),
  brands: list('Reviewed brands', compressed),
  brands_page: page('A page of the brands', compressed),
  brand_index: tool('Every listed brand with the names it answers to', compressed),
  brand: document('A brand with its families', {
    ...compressed,
    stage: 'brands',
  }),
  brand_by_slug: document('A brand by slug', { stage: 'brands' }),
  brand_feed: file("News of a brand's products as an Atom feed, newest first", newsFeed),
  stores: list('Stores', compressed),
  stores_page: page('A page of the stores', compressed),
  store: document('A store', { ...compressed, stage: 'entities' }),
  store_by_code: document('A store by inventory code', byCode),
  store_availability: document('Catalog products reported positive in a store', {
    ...compressed,
    stage: 'parts',
  }),
  categories: document('Categories', compressed),
  category_feed: file('News of the products of a category and those below it as an Atom feed, newest first', newsFeed),
  search: computed('Search products, families, brands and stores', {}),
  search_index: tool('Everything search can find', densely),
  comparison: computed('Compare reported availability near a place', {}),
  comparison_stores: tool('Stores that a comparison can choose from', compressed),
  metadata: document('Service, publication, counts and policies', compressed),
  publications: document('Retained publications, newest first', {
    ...compressed,
    alternate: { file: 'publications.atom', mediaType: atomMediaType },
  }),
  activity: tool('What the newest publications brought', compressed),
  publications_feed: file('Retained publications as an Atom feed, newest first', {
    content:
      'An Atom feed (RFC 4287) with an entry for each publication: its counts and warnings in words, its exports',
    mediaType: atomMediaType,
    cache: 'revalidate',
    ...compressed,
  }),
  exports: document('Export manifest', compressed),
  export: file('An export file', {
    ...publicationFiles.export,
    savedAs: '{resource}-{date}.ndjson',
  }),
  change_pieces: tool('The change history as files'),
  change_piece: file('A piece of the change history: 10,000 events, oldest first', {
    content: 'A record for each event and no header, compressed with gzip',
    savedAs: 'changes-{number}.ndjson',
    ...ndjson,
  }),
  export_parquet: file('A table of a publication as Parquet', {
    ...publicationFiles.table,
    savedAs: '{table}-{date}.parquet',
  }),
  change_piece_parquet: file('A piece of the change history as Parquet', {
    content: 'The records of the piece as columns',
    ...parquet,
    savedAs: 'changes-{number}.parquet',
  }),
  changes_parquet: file('All pieces of the change history in one Parquet file', {
    content: 'A row for each event that is in a piece: runs of rows, oldest first, each sorted by product',
    ...parquet,
    cache: 'revalidate',
    savedAs: 'changes.parquet',
  }),
  newest_changes_parquet: file('The change events that are in no piece yet, as Parquet', {
    content: 'A row for each event after the last piece, sorted by product',
    ...parquet,
    cache: 'revalidate',
    savedAs: 'changes-newest.parquet',
  }),
  daily_parquet: file(
    'Price, status and reported inventory of every product in every publication of the change history, as Parquet',
    {
      content: 'A row for each product and publication: runs of rows, oldest first, each sorted by product',
      ...parquet,
      cache: 'revalidate',
      savedAs: 'daily.parquet',
    },
  ),
  context_parquet: file('Products, stores, categories or requests over time, as Parquet', {
    content: 'A row for each span of publications in which something was so, or for what a publication asked',
    ...parquet,
    cache: 'revalidate',
    savedAs: '{context}.parquet',
  }),
  products_csv: file('The products of a publication for spreadsheets, as CSV', {
    ...publicationFiles.productsCsv,
    savedAs: 'products-{date}.csv',
  }),
  prices_csv: file('Every price of every product over time, as CSV', {
    content: 'A line of names, then a row for each price by SKU, oldest first (RFC 4180), compressed with gzip',
    ...csv,
    cache: 'revalidate',
    savedAs: 'prices.csv',
  }),
  daily_csv: file('Price, status and reported inventory of every product in the newest month, as CSV', {
    ...dailyMonth,
    savedAs: 'daily.csv',
  }),
  daily_month_csv: file(
    'Price, status and reported inventory of every product in every publication of a month, as CSV',
    { ...dailyMonth, savedAs: 'daily-{month}.csv' },
  ),
  export_checksums: file(
    'SHA-256 of the export files of a publication, as sha256sum -c reads it',
    publicationFiles.checksums,
  ),
  export_citation: file('How to cite the data of a publication', publicationFiles.citation),
  export_package: tool('The export files of a publication as a Data Package', { cache: 'immutable', expires: true }),
  tables_package: tool('The newest tables, and those over time, as a Data Package with keys', { optional: true }),
  latest_manifest: tool('The export manifest, at an address that every host has', compressed),
  croissant: tool('The tables as a dataset in Croissant, for catalogs', {
    ...compressed,
    definedBy: 'https://docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html',
    optional: true,
  }),
  dcat: tool('The tables as a catalog of DCAT-US, on sites with absolute URLs', {
    ...compressed,
    definedBy: 'https://resources.data.gov/resources/dcat-us/',
    optional: true,
  }),
  latest_export: file('An export file of the current publication', {
    ...publicationFiles.export,
    cache: 'revalidate',
    savedAs: '{resource}.ndjson',
  }),
  latest_parquet: file('A table of the current publication as Parquet', {
    ...publicationFiles.table,
    cache: 'revalidate',
    expires: true,
    savedAs: '{table}.parquet',
  }),
  latest_products_csv: file('The products of the current publication for spreadsheets, as CSV', {
    ...publicationFiles.productsCsv,
    cache: 'revalidate',
    savedAs: 'products.csv',
  }),
  latest_checksums: file('SHA-256 of the export files of the current publication, as sha256sum -c reads it', {
    ...publicationFiles.checksums,
    cache: 'revalidate',
  }),
  latest_citation: file('How to cite the data of the current publication', {
    ...publicationFiles.citation,
    cache: 'revalidate',
  }),
  latest_package: tool('The export files of the current publication as a Data Package'),
  publication_changes_parquet: file('The change events of a publication as Parquet, on a site with Iceberg tables', {
    content: 'A row for each event that the publication brought, sorted by product',
    ...partOfTable,
    savedAs: 'changes-{date}.parquet',
  }),
  iceberg_version: file('The number of the newest metadata file of an Iceberg table', {
    content: 'A number',
    mediaType: textMediaType,
    cache: 'revalidate',
    stage: 'index',
  }),
  iceberg_metadata: tool('The metadata of an Iceberg table at a publication', {
    definedBy: 'https://iceberg.apache.org/spec/',
    stage: 'tables',
  }),
  iceberg_manifest_list: file('The manifests of an Iceberg table at a publication', {
    content: 'A manifest list of Apache Iceberg, version 2, as Avro',
    ...avro,
  }),
  iceberg_manifest: file('The file that a publication added to an Iceberg table, with the bounds of its columns', {
    content: 'A manifest of Apache Iceberg, version 2, as Avro',
    ...avro,
  }),
  iceberg_deletions: file('The file that a publication replaced in an Iceberg table', {
    content: 'A manifest of Apache Iceberg, version 2, as Avro',
    ...avro,
  }),
  problem: document('What a problem means', {
    ...compressed,
    stage: 'pages',
  }),
  openapi: tool('This description', densely),
  explorer: file('A page for people', {
    content: 'The explorer, a page that shows the data of this site',
    mediaType: htmlMediaType,
    cache: 'revalidate',
    ...densely,
    stage: 'index',
    outsideContract: true,
  }),
  api_catalog: file("A catalog of the service's API (RFC 9727)", {
    content: 'A set of links (RFC 9264)',
    link: '</.well-known/api-catalog>; rel="api-catalog"',
    mediaType: apiCatalogMediaType,
    cache: 'revalidate',
    outsideContract: true,
  }),
  sitemap: file('The pages of the site, for search engines, on sites with absolute URLs', {
    content: 'A sitemap (sitemaps.org)',
    mediaType: xmlMediaType,
    cache: 'revalidate',
    outsideContract: true,
  }),
  explorer_script: file('A script of that page', {
    content: 'JavaScript',
    mediaType: scriptMediaType,
    ...asset,
  }),
  explorer_style: file('A style sheet of that page', {
    content: 'CSS',
    mediaType: styleMediaType,
    ...asset,
  }),
  explorer_worker: file('The worker of that page, with which it is there without a connection', {
    content: 'JavaScript',
    mediaType: scriptMediaType,
    cache: 'revalidate',
    ...densely,
    outsideContract: true,
  }),
  explorer_data: file('The manifest of that page, and the outline behind its maps', {
    content: 'A web app manifest, or rings of longitudes and latitudes as the operator gave them',
    mediaType: jsonMediaType,
    ...asset,
  }),
} satisfies Readonly<Record<AddressKind, AddressRow>>;

/** The rows of {@link addresses} with their defaults; null where a row has no value and there is no default. */
export const addressTable = Object.fromEntries(
  Object.entries(addresses).map(([kind, row]) => [kind, withDefaults(kind as AddressKind, row)]),
) as Readonly<Record<AddressKind, Readonly<ReturnType<typeof withDefaults>>>>;

function withDefaults(kind: AddressKind, row: AddressRow) {
  const { summary, role, compressed, alternate } = row;
  const isImmutable = role === 'page' || role === 'file';
  return {
    path: addressPaths[kind] as string,
    summary,
    role,
    content: row.content ?? null,
    definedBy: row.definedBy ?? null,
    mediaType: row.mediaType ?? jsonMediaType,
    encoding: row.encoding ?? null,
    /** Clients can ask for ranges of downloads. Downloads support no condition but If-None-Match (contract.md 5). */
    isDownload: row.encoding !== undefined || row.isRanged === true,
    savedAs: row.savedAs ?? null,
    cache: row.cache ?? (isImmutable ? 'immutable' : 'revalidate'),
    /** The codings in which documents are also stored. */
    codings: compressed ?? [],
    stage: row.stage ?? 'lists',
    expires: row.expires ?? false,
    isOutsideContract: row.outsideContract ?? false,
    isOptional: row.optional ?? row.outsideContract ?? role === 'computed',
    /** The value of the Link header (RFC 8288), relative to the address. */
    link: alternate ? `<${alternate.file}>; rel="alternate"; type="${alternate.mediaType}"` : (row.link ?? null),
    query: parametersOf(kind),
  } as const;
}
