import type { AddressKind, QueryOf } from '../generator/contract/addresses.ts';
import type {
  Brand,
  BrowseIndex,
  FamilyDocument,
  FamilyRow,
  ProductRow,
  ProductSeries,
  SearchResult,
} from '../generator/contract/documents/catalog.ts';
import type { ChangeEvent } from '../generator/contract/documents/change.ts';
import type { Activity, ExportManifestDocument } from '../generator/contract/documents/metadata.ts';
import type { Comparison, StoreSummary } from '../generator/contract/documents/store.ts';
import type { ChangePieces } from '../generator/contract/formats/change-pieces.ts';
import type { InventoryRecord, ProductRecord, StoreRecord } from '../generator/contract/formats/export.ts';
import type { ProblemCode } from '../generator/contract/problem.ts';
import { type ParametersOf, pathOf, type Query, targetOf } from './addresses.ts';
import type { Computed } from './computed.ts';
import type {
  BrandDocument,
  CategoriesDocument,
  ChangesMeta,
  FamilyChangesMeta,
  ListMeta,
  MetadataDocument,
  OpenApiDocument,
  ProblemDocument,
  ProductAvailabilityDocument,
  ProductDocument,
  PublicationsDocument,
  ServiceIndexDocument,
  StoreAvailabilityDocument,
  StoreDocument,
} from './documents.ts';
import { UnexpectedContentError } from './errors.ts';
import { exportRecords } from './export-records.ts';
import { listOf } from './lists.ts';
import type { RowList } from './row-list.ts';
import type { AskOptions } from './runtime.ts';
import type { Publication, SiteReader } from './site-reader.ts';

/** The parameters of a list, contract.md 3. `limit`: rows at most, of all pages together. */
type ListQuery<
  Kind extends 'products' | 'families' | 'brands' | 'stores' | 'changes' | 'product_changes' | 'family_changes',
> = Omit<QueryOf<Kind>, 'cursor'>;

/** The data records of each export, as docs/research.md explains them. */
type ExportedRecords = {
  readonly products: ProductRecord;
  readonly stores: StoreRecord;
  readonly inventory: InventoryRecord;
};

export type SearchQuestion = QueryOf<'search'> & { readonly q: string };
export type ComparisonQuestion = QueryOf<'comparison'> & { readonly lat: number; readonly lng: number };

/**
 * A site, as its host publishes it. Every function rejects with a ProblemError where the host refuses the question, a
 * ConnectionError where it cannot be reached, a PublicationChangedError where `pinned` does not hold any more, or the
 * reason of the signal that was aborted.
 */
export class Site {
  /** The URL of the site, without a slash at its end. */
  readonly url: string;
  /** The publication that the site had when it was opened. */
  readonly publication: Publication;
  /** What `metadata()` resolved with when the site was opened. With `proof`, nobody compared it with the pointer's hashes. */
  readonly opened: MetadataDocument;
  readonly #reader: SiteReader;
  readonly #computed: Computed;

  constructor(reader: SiteReader, computed: Computed, opened: MetadataDocument) {
    this.url = reader.addresses.root;
    this.publication = reader.publication;
    this.opened = opened;
    this.#reader = reader;
    this.#computed = computed;
  }

  metadata(options?: AskOptions): Promise<MetadataDocument> {
    return this.#document('metadata', {}, options);
  }

  categories(options?: AskOptions): Promise<CategoriesDocument> {
    return this.#document('categories', {}, options);
  }

  /** What the newest publications brought. A site that was built before this document came lacks it. */
  activity(options?: AskOptions): Promise<Activity> {
    return this.#document('activity', {}, options);
  }

  /** The listed products as columns. A site that was built before this document came lacks it. */
  browse(options?: AskOptions): Promise<BrowseIndex> {
    return this.#document('browse', {}, options);
  }

  publications(options?: AskOptions): Promise<PublicationsDocument> {
    return this.#document('publications', {}, options);
  }

  exports(options?: AskOptions): Promise<ExportManifestDocument> {
    return this.#document('exports', {}, options);
  }

  openapi(options?: AskOptions): Promise<OpenApiDocument> {
    return this.#document('openapi', {}, options);
  }

  serviceIndex(options?: AskOptions): Promise<ServiceIndexDocument> {
    return this.#document('service_index', {}, options);
  }

  problem(code: ProblemCode, options?: AskOptions): Promise<ProblemDocument> {
    return this.#document('problem', { problem: code }, options);
  }

  readonly product = {
    byId: (id: string, options?: AskOptions): Promise<ProductDocument> =>
      this.#document('product', { product_id: id }, options),
    /** By current SKU, or by a former one of this product alone. */
    bySku: (sku: string, options?: AskOptions): Promise<ProductDocument> =>
      this.#document('product_by_sku', { sku }, options),
    availability: (id: string, options?: AskOptions): Promise<ProductAvailabilityDocument> =>
      this.#document('product_availability', { product_id: id }, options),
    /** How its price, status, presence and reported inventory changed. */
    series: (id: string, options?: AskOptions): Promise<ProductSeries> =>
      this.#document('product_series', { product_id: id }, options),
  };

  readonly family = {
    byId: (id: string, options?: AskOptions): Promise<FamilyDocument> =>
      this.#document('family', { family_id: id }, options),
  };

  readonly brand = {
    byId: (id: string, options?: AskOptions): Promise<BrandDocument> =>
      this.#document('brand', { brand_id: id }, options),
    bySlug: (slug: string, options?: AskOptions): Promise<BrandDocument> =>
      this.#document('brand_by_slug', { slug }, options),
  };

  readonly store = {
    byId: (id: string, options?: AskOptions): Promise<StoreDocument> =>
      this.#document('store', { store_id: id }, options),
    byCode: (code: string, options?: AskOptions): Promise<StoreDocument> =>
      this.#document('store_by_code', { code }, options),
    availability: (id: string, options?: AskOptions): Promise<StoreAvailabilityDocument> =>
      this.#document('store_availability', { store_id: id }, options),
  };

  products(query: ListQuery<'products'> = {}, options: AskOptions = {}): RowList<ProductRow, ListMeta> {
    return listOf(this.#reader, this.#computed, { kind: 'products', query }, options);
  }

  families(query: ListQuery<'families'> = {}, options: AskOptions = {}): RowList<FamilyRow, ListMeta> {
    return listOf(this.#reader, this.#computed, { kind: 'families', query }, options);
  }

  brands(query: ListQuery<'brands'> = {}, options: AskOptions = {}): RowList<Brand, ListMeta> {
    return listOf(this.#reader, this.#computed, { kind: 'brands', query }, options);
  }

  stores(query: ListQuery<'stores'> = {}, options: AskOptions = {}): RowList<StoreSummary, ListMeta> {
    return listOf(this.#reader, this.#computed, { kind: 'stores', query }, options);
  }

  /** Change events, newest first. */
  changes(query: ListQuery<'changes'> = {}, options: AskOptions = {}): RowList<ChangeEvent, ChangesMeta> {
    return listOf(this.#reader, this.#computed, { kind: 'changes', query }, options);
  }

  productChanges(
    id: string,
    query: ListQuery<'product_changes'> = {},
    options: AskOptions = {},
  ): RowList<ChangeEvent, ChangesMeta> {
    return listOf(
      this.#reader,
      this.#computed,
      { kind: 'product_changes', parameters: { product_id: id }, query },
      options,
    );
  }

  familyChanges(
    id: string,
    query: ListQuery<'family_changes'> = {},
    options: AskOptions = {},
  ): RowList<ChangeEvent, FamilyChangesMeta> {
    return listOf(
      this.#reader,
      this.#computed,
      { kind: 'family_changes', parameters: { family_id: id }, query },
      options,
    );
  }

  /** The answer of the host; where the host does not compute, the same answer computed here. */
  search(question: SearchQuestion, options: AskOptions = {}): Promise<SearchResult> {
    return this.#computed.document('search', question, options) as Promise<SearchResult>;
  }

  /** The same for a comparison, contract.md 9. */
  compare(question: ComparisonQuestion, options: AskOptions = {}): Promise<Comparison> {
    return this.#computed.document('comparison', question, options) as Promise<Comparison>;
  }

  /** The change history as files, each of 10,000 events. */
  changePieces(options?: AskOptions): Promise<ChangePieces> {
    return this.#document('change_pieces', {}, options);
  }

  /**
   * The records of an export, while its file arrives: of the current publication by name, or of any export or change
   * piece by its entry in a document. Only NDJSON has records; of a Parquet file, give its URL to a library that reads it.
   */
  records<Resource extends keyof ExportedRecords>(
    file: Resource,
    options?: AskOptions,
  ): AsyncIterable<ExportedRecords[Resource]>;
  records(file: { readonly url: string }, options?: AskOptions): AsyncIterable<Readonly<Record<string, unknown>>>;
  async *records(
    file: keyof ExportedRecords | { readonly url: string },
    options: AskOptions = {},
  ): AsyncGenerator<never> {
    const { url } = typeof file === 'string' ? await this.#export(file, options) : file;
    yield* exportRecords(this.#reader, url, options) as AsyncIterable<never>;
  }

  /** Whether the host answers searches, comparisons and selections itself. Where it does not, this client computes them. */
  computes(options: AskOptions = {}): Promise<boolean> {
    return this.#computed.hostComputes(options);
  }

  /** The document at a link in another document, or at a path with `/v1`, such as the `path` of a hit. */
  at<Found = unknown>(link: string, options?: AskOptions): Promise<Found> {
    return this.#reader.read(link, options) as Promise<Found>;
  }

  /**
   * The URL at which this host has an address. Only a host that computes answers a query, a search or a comparison
   * there.
   */
  addressOf<Kind extends AddressKind>(
    kind: Kind,
    ...[parameters, query]: ParametersOf<Kind> extends undefined
      ? [parameters?: Readonly<Record<string, never>>, query?: Query]
      : [parameters: ParametersOf<Kind>, query?: Query]
  ): string {
    return this.#reader.addresses.urlOf(targetOf(pathOf(kind, parameters), query ?? {}));
  }

  async #export(resource: keyof ExportedRecords, options: AskOptions): Promise<{ readonly url: string }> {
    const { data } = await this.exports(options);
    const file = data?.files?.[resource];
    if (typeof file?.url === 'string') return file;
    throw new UnexpectedContentError(this.addressOf('exports'), `expected the URL of ${resource}, got none`);
  }

  async #document<Found>(
    kind: AddressKind,
    parameters: Readonly<Record<string, string>>,
    options?: AskOptions,
  ): Promise<Found> {
    return (await this.#reader.read(pathOf(kind, parameters), options)) as Found;
  }
}
