import type { AddressKind, QueryOf } from '../contract/addresses.ts';
import type {
  Brand,
  BrowseIndex,
  FamilyDocument,
  FamilyRow,
  ProductRow,
  ProductSeries,
  SearchResult,
} from '../contract/documents/catalog.ts';
import type { ChangeEvent, ChangeType } from '../contract/documents/change.ts';
import type { Activity, ExportManifestDocument } from '../contract/documents/metadata.ts';
import type { Comparison, StoreSummary } from '../contract/documents/store.ts';
import type { ChangePieces } from '../contract/formats/change-pieces.ts';
import type { InventoryRecord, ProductRecord, StoreRecord } from '../contract/formats/export.ts';
import type { ProblemCode } from '../contract/problem.ts';
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
import { type ListQuestion, listOf } from './lists.ts';
import type { RowList } from './row-list.ts';
import type { AskOptions } from './runtime.ts';
import type { Publication, Receipt, SiteReader } from './site-reader.ts';

/** The parameters of a list, contract.md 3. `limit`: rows at most, of all pages together. */
type ListQuery<
  Kind extends 'products' | 'families' | 'brands' | 'stores' | 'changes' | 'product_changes' | 'family_changes',
> = Omit<QueryOf<Kind>, 'cursor'>;

/** A list of changes. `types` narrows the events to those of these types. */
type ChangesQuery<Kind extends 'changes' | 'product_changes' | 'family_changes', Type extends ChangeType> = Omit<
  ListQuery<Kind>,
  'types'
> & { readonly types?: readonly Type[] };

/** A change event of one of these types. */
type EventOf<Type extends ChangeType> = Extract<ChangeEvent, { readonly type: Type }>;

/** The data records of each export, explained in docs/research.md. */
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
  /**
   * What `metadata()` resolved with when the site was opened. With `proof`, nobody compared it with the pointer's
   * hashes.
   */
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

  readonly metadata = (options?: AskOptions) => this.#document<MetadataDocument>('metadata', options);
  readonly categories = (options?: AskOptions) => this.#document<CategoriesDocument>('categories', options);
  /** What the newest publications brought. A site that was built before this document came lacks it. */
  readonly activity = (options?: AskOptions) => this.#document<Activity>('activity', options);
  /** The listed products as columns. A site that was built before this document came lacks it. */
  readonly browse = (options?: AskOptions) => this.#document<BrowseIndex>('browse', options);
  readonly publications = (options?: AskOptions) => this.#document<PublicationsDocument>('publications', options);
  readonly exports = (options?: AskOptions) => this.#document<ExportManifestDocument>('exports', options);
  /** The change history as files, each of 10,000 events. */
  readonly changePieces = (options?: AskOptions) => this.#document<ChangePieces>('change_pieces', options);
  readonly openapi = (options?: AskOptions) => this.#document<OpenApiDocument>('openapi', options);
  readonly serviceIndex = (options?: AskOptions) => this.#document<ServiceIndexDocument>('service_index', options);
  readonly problem = (code: ProblemCode, options?: AskOptions) =>
    this.#document<ProblemDocument>('problem', options, { problem: code });

  readonly product = {
    byId: (id: string, options?: AskOptions) => this.#document<ProductDocument>('product', options, { product_id: id }),
    /** By current SKU, or by a former one of this product alone. */
    bySku: (sku: string, options?: AskOptions) => this.#document<ProductDocument>('product_by_sku', options, { sku }),
    availability: (id: string, options?: AskOptions) =>
      this.#document<ProductAvailabilityDocument>('product_availability', options, { product_id: id }),
    /** How its price, status, presence and reported inventory changed. */
    series: (id: string, options?: AskOptions) =>
      this.#document<ProductSeries>('product_series', options, { product_id: id }),
  };

  readonly family = {
    byId: (id: string, options?: AskOptions) => this.#document<FamilyDocument>('family', options, { family_id: id }),
  };

  readonly brand = {
    byId: (id: string, options?: AskOptions) => this.#document<BrandDocument>('brand', options, { brand_id: id }),
    bySlug: (slug: string, options?: AskOptions) => this.#document<BrandDocument>('brand_by_slug', options, { slug }),
  };

  readonly store = {
    byId: (id: string, options?: AskOptions) => this.#document<StoreDocument>('store', options, { store_id: id }),
    byCode: (code: string, options?: AskOptions) => this.#document<StoreDocument>('store_by_code', options, { code }),
    availability: (id: string, options?: AskOptions) =>
      this.#document<StoreAvailabilityDocument>('store_availability', options, { store_id: id }),
  };

  readonly products = (query: ListQuery<'products'> = {}, options?: AskOptions) =>
    this.#list<ProductRow, ListMeta>({ kind: 'products', query }, options);
  readonly families = (query: ListQuery<'families'> = {}, options?: AskOptions) =>
    this.#list<FamilyRow, ListMeta>({ kind: 'families', query }, options);
  readonly brands = (query: ListQuery<'brands'> = {}, options?: AskOptions) =>
    this.#list<Brand, ListMeta>({ kind: 'brands', query }, options);
  readonly stores = (query: ListQuery<'stores'> = {}, options?: AskOptions) =>
    this.#list<StoreSummary, ListMeta>({ kind: 'stores', query }, options);
  /** Change events, newest first. */
  readonly changes = <Type extends ChangeType = ChangeType>(
    query: ChangesQuery<'changes', Type> = {},
    options?: AskOptions,
  ) => this.#list<EventOf<Type>, ChangesMeta>({ kind: 'changes', query }, options);
  readonly productChanges = <Type extends ChangeType = ChangeType>(
    id: string,
    query: ChangesQuery<'product_changes', Type> = {},
    options?: AskOptions,
  ) =>
    this.#list<EventOf<Type>, ChangesMeta>({ kind: 'product_changes', parameters: { product_id: id }, query }, options);
  readonly familyChanges = <Type extends ChangeType = ChangeType>(
    id: string,
    query: ChangesQuery<'family_changes', Type> = {},
    options?: AskOptions,
  ) =>
    this.#list<EventOf<Type>, FamilyChangesMeta>(
      { kind: 'family_changes', parameters: { family_id: id }, query },
      options,
    );

  /** The answer of the host; where the host does not compute, the same answer computed here. */
  readonly search = (question: SearchQuestion, options: AskOptions = {}) =>
    this.#computed.document('search', question, options) as Promise<SearchResult>;
  /** The same for a comparison, contract.md 9. */
  readonly compare = (question: ComparisonQuestion, options: AskOptions = {}) =>
    this.#computed.document('comparison', question, options) as Promise<Comparison>;

  /**
   * The records of an export, while its file arrives: of the current publication by name, or of any export or change
   * piece by its entry in a document. Only NDJSON has records; of a Parquet file, give its URL to a library that reads
   * it.
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

  /**
   * Whether the host answers searches, comparisons and selections itself. Where it does not, this client computes them.
   */
  computes(options: AskOptions = {}): Promise<boolean> {
    return this.#computed.hostComputes(options);
  }

  /** The document at a link in another document, or at a path with `/v1`, such as the `path` of a hit. */
  at<Found = unknown>(link: string, options?: AskOptions): Promise<Found> {
    return this.#reader.read(link, options) as Promise<Found>;
  }

  /**
   * The hash and the publication of the file at a link, once its bytes are compared with that hash. Only a site that
   * was opened with `proof` or `key` has receipts.
   */
  async receipt(link: string, options: AskOptions = {}): Promise<Receipt> {
    const receipt = await this.#reader.receipt(link, options);
    if (receipt === null) throw new Error('expected a site that was opened with proof or key');
    return receipt;
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
    options?: AskOptions,
    parameters?: Readonly<Record<string, string>>,
  ): Promise<Found> {
    return (await this.#reader.read(pathOf(kind, parameters), options)) as Found;
  }

  #list<Row, Meta>(question: ListQuestion, options: AskOptions = {}): RowList<Row, Meta> {
    return listOf(this.#reader, this.#computed, question, options);
  }
}
