import type { AddressKind } from '../contract/addresses.ts';
import type { InventoryRecord, ProductRecord, StoreRecord } from '../contract/columns/export.ts';
import type { QueryOf } from '../contract/parameters.ts';
import type { ProblemCode } from '../contract/problem.ts';
import type { Brand } from '../contract/schemas/brand.ts';
import type { AbsentIndex, BrowseIndex } from '../contract/schemas/browse.ts';
import type { ChangeEvent } from '../contract/schemas/change.ts';
import type { ChangePieces } from '../contract/schemas/change-pieces.ts';
import type { FamilyDocument, FamilyRow } from '../contract/schemas/family.ts';
import type { Activity, ExportManifestDocument } from '../contract/schemas/metadata.ts';
import type { ProductRow, ProductSeries } from '../contract/schemas/product.ts';
import type { SearchResult } from '../contract/schemas/search.ts';
import type { Comparison, StoreSummary } from '../contract/schemas/store.ts';
import type { ChangeType } from '../contract/vocabulary.ts';
import { formatTarget, type ParametersOf, pathOf, type Query } from './addresses.ts';
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
import { type ListQuestion, listRows } from './lists.ts';
import type { RowList } from './row-list.ts';
import type { AskOptions } from './runtime.ts';
import type { Publication, Receipt, SiteReader } from './site-reader.ts';

/** The parameters of a list, contract.md 3. `limit`: rows at most, of all pages together. */
type ListQuery<
  Kind extends 'products' | 'families' | 'brands' | 'stores' | 'changes' | 'product_changes' | 'family_changes',
> = Omit<QueryOf<Kind>, 'cursor'>;

/** `types` narrows the events to these types. */
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

/**
 * The parameters of {@link Site.search}. `kinds`: the kinds of hits. `limit`: the most hits, 20 by default.
 *
 * @example
 * ```ts
 * import type { SearchQuestion } from 'shelfpress/client';
 *
 * const question: SearchQuestion = { q: 'rye', kinds: ['product'], limit: 2 };
 * console.log((await site.search(question)).meta.total);
 * ```
 */
export type SearchQuestion = QueryOf<'search'> & { readonly q: string };

/**
 * The parameters of {@link Site.compare}: `product_ids` or `skus`, and a place. `radius_m`: 50,000 by default.
 *
 * @example
 * ```ts
 * import type { ComparisonQuestion } from 'shelfpress/client';
 *
 * const question: ComparisonQuestion = { skus: ['014100', '020200'], lat: 43.2, lng: -118.3, radius_m: 200_000 };
 * console.log((await site.compare(question)).data.scope.store_count);
 * ```
 */
export type ComparisonQuestion = QueryOf<'comparison'> & { readonly lat: number; readonly lng: number };

/**
 * A site, as its host publishes it. {@link openSite} opens one. Functions that ask the host take `{ signal }` as their
 * last argument. They reject with a ProblemError if the host refuses the question, a ConnectionError if it cannot be
 * reached, a PublicationChangedError if a pinned site has changed, or the signal's reason if the signal is aborted.
 *
 * @example
 * ```ts
 * const { data: product } = await site.product.bySku('014100');
 * console.log(product.name, product.price?.display);
 * ```
 */
export class Site {
  /** The URL of the site, without a trailing slash. */
  readonly url: string;

  /**
   * The publication that the site had when it was opened.
   *
   * @example
   * ```ts
   * console.log(site.publication.sequence, site.publication.published_at);
   * ```
   */
  readonly publication: Publication;

  /**
   * The result of `metadata()` when the site was opened. With `proof`, it was not compared with the hashes.
   *
   * @example
   * ```ts
   * console.log(site.opened.data.counts.stores, 'stores');
   * ```
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

  /**
   * The site's description, publication, counts and policies.
   *
   * @example
   * ```ts
   * const { data } = await site.metadata();
   * console.log(data.counts.stores, data.retention.history_days);
   * ```
   */
  readonly metadata = (options?: AskOptions) => this.#document<MetadataDocument>('metadata', options);

  /**
   * The categories as a flat list. `parent_id` makes it a tree.
   *
   * @example
   * ```ts
   * const { data: categories } = await site.categories();
   * console.log(categories.filter(({ parent_id }) => parent_id === null).map(({ name }) => name));
   * ```
   */
  readonly categories = (options?: AskOptions) => this.#document<CategoriesDocument>('categories', options);

  /**
   * The changes of the newest publications. Sites built by older versions do not have this document.
   *
   * @example
   * ```ts
   * const { publications, most_changed } = await site.activity();
   * console.log(publications.publication.at(-1), most_changed[0]?.product.name);
   * ```
   */
  readonly activity = (options?: AskOptions) => this.#document<Activity>('activity', options);

  /**
   * The listed products as columns. Sites built by older versions do not have this document.
   *
   * @example
   * ```ts
   * const { columns } = await site.browse();
   * columns.sku.forEach((sku, row) => console.log(sku, columns.name[row], columns.price_minor[row]));
   * ```
   */
  readonly browse = (options?: AskOptions) => this.#document<BrowseIndex>('browse', options);

  /**
   * The products that left the catalog, as columns, with their last known values.
   *
   * @example
   * ```ts
   * const { count, columns } = await site.absentProducts();
   * console.log(count, columns.name[0], columns.last_listed_at[0]);
   * ```
   */
  readonly absentProducts = (options?: AskOptions) => this.#document<AbsentIndex>('absent', options);

  /**
   * The retained publications, newest first.
   *
   * @example
   * ```ts
   * const { data: publications } = await site.publications();
   * console.log(publications.map(({ sequence, published_at }) => `${sequence}: ${published_at}`));
   * ```
   */
  readonly publications = (options?: AskOptions) => this.#document<PublicationsDocument>('publications', options);

  /**
   * The export files of the current publication, with their sizes and hashes.
   *
   * @example
   * ```ts
   * const { data } = await site.exports();
   * console.log(data.files.inventory.record_count, data.parquet.files.inventory.sha256);
   * ```
   */
  readonly exports = (options?: AskOptions) => this.#document<ExportManifestDocument>('exports', options);

  /**
   * The change history as files of 10,000 events each.
   *
   * @example
   * ```ts
   * const { pieces } = await site.changePieces();
   * for (const piece of pieces) for await (const record of site.records(piece)) console.log(record.type);
   * ```
   */
  readonly changePieces = (options?: AskOptions) => this.#document<ChangePieces>('change_pieces', options);

  /**
   * The OpenAPI description of the service.
   *
   * @example
   * ```ts
   * const { info, paths } = await site.openapi();
   * console.log(info.version, Object.keys(paths).length);
   * ```
   */
  readonly openapi = (options?: AskOptions) => this.#document<OpenApiDocument>('openapi', options);

  /**
   * The service index, with links to the lists and documents of the site.
   *
   * @example
   * ```ts
   * const { data } = await site.serviceIndex();
   * console.log(data.links.brands);
   * ```
   */
  readonly serviceIndex = (options?: AskOptions) => this.#document<ServiceIndexDocument>('service_index', options);

  /**
   * The meaning of a problem code, and what to do about it.
   *
   * @example
   * ```ts
   * const { data } = await site.problem('SKU_NOT_FOUND');
   * console.log(data.title, data.remedy);
   * ```
   */
  readonly problem = (code: ProblemCode, options?: AskOptions) =>
    this.#document<ProblemDocument>('problem', options, { problem: code });

  /** Documents about one product. */
  readonly product = {
    /**
     * The product with an id.
     *
     * @example
     * ```ts
     * const [row] = await site.products().take(1);
     * if (row) console.log((await site.product.byId(row.id)).data.former_skus);
     * ```
     */
    byId: (id: string, options?: AskOptions) => this.#document<ProductDocument>('product', options, { product_id: id }),

    /**
     * The product with a current SKU, or with a former SKU that no other product had.
     *
     * @example
     * ```ts
     * const { data: product } = await site.product.bySku('014100');
     * console.log(product.name, product.price?.display);
     * ```
     */
    bySku: (sku: string, options?: AskOptions) => this.#document<ProductDocument>('product_by_sku', options, { sku }),

    /**
     * The stores that report a quantity of the product, positive or zero, and the state of the others.
     *
     * @example
     * ```ts
     * const { data: product } = await site.product.bySku('014100');
     * const { data } = await site.product.availability(product.id);
     * console.log(data.stores.filter(({ state }) => state === 'reported_positive').map(({ name }) => name));
     * ```
     */
    availability: (id: string, options?: AskOptions) =>
      this.#document<ProductAvailabilityDocument>('product_availability', options, { product_id: id }),

    /**
     * How the product's price, status, catalog presence and reported inventory changed.
     *
     * @example
     * ```ts
     * const { data: product } = await site.product.bySku('014100');
     * const { prices } = await site.product.series(product.id);
     * prices.at.forEach((at, step) => console.log(at, prices.price_minor[step]));
     * ```
     */
    series: (id: string, options?: AskOptions) =>
      this.#document<ProductSeries>('product_series', options, { product_id: id }),
  };

  /** Documents about one product family. */
  readonly family = {
    /**
     * The product family with an id.
     *
     * @example
     * ```ts
     * const [row] = await site.families().take(1);
     * if (row) console.log((await site.family.byId(row.id)).data.members.map(({ name }) => name));
     * ```
     */
    byId: (id: string, options?: AskOptions) => this.#document<FamilyDocument>('family', options, { family_id: id }),
  };

  /** Documents about one brand. */
  readonly brand = {
    /**
     * The brand with an id.
     *
     * @example
     * ```ts
     * const [row] = await site.brands().take(1);
     * if (row) console.log((await site.brand.byId(row.id)).data.aliases);
     * ```
     */
    byId: (id: string, options?: AskOptions) => this.#document<BrandDocument>('brand', options, { brand_id: id }),

    /**
     * The brand with a slug.
     *
     * @example
     * ```ts
     * const { data: brand } = await site.brand.bySlug('wrenmoor');
     * console.log(brand.name, brand.families.length);
     * ```
     */
    bySlug: (slug: string, options?: AskOptions) => this.#document<BrandDocument>('brand_by_slug', options, { slug }),
  };

  /** Documents about one store. */
  readonly store = {
    /**
     * The store with an id.
     *
     * @example
     * ```ts
     * const [row] = await site.stores().take(1);
     * if (row) console.log((await site.store.byId(row.id)).data.regular_hours);
     * ```
     */
    byId: (id: string, options?: AskOptions) => this.#document<StoreDocument>('store', options, { store_id: id }),

    /**
     * The store with an inventory code.
     *
     * @example
     * ```ts
     * const { data: store } = await site.store.byCode('0006');
     * console.log(store.name, store.address.city);
     * ```
     */
    byCode: (code: string, options?: AskOptions) => this.#document<StoreDocument>('store_by_code', options, { code }),

    /**
     * The catalog products that are reported positive in the store.
     *
     * @example
     * ```ts
     * const { data: store } = await site.store.byCode('0006');
     * const { data } = await site.store.availability(store.id);
     * console.log(data.products.map(({ name }) => name));
     * ```
     */
    availability: (id: string, options?: AskOptions) =>
      this.#document<StoreAvailabilityDocument>('store_availability', options, { store_id: id }),
  };

  /**
   * The products in the catalog, by name.
   *
   * @example
   * ```ts
   * for await (const { name, price } of site.products({ limit: 10 })) console.log(name, price?.display);
   * ```
   */
  readonly products = (query: ListQuery<'products'> = {}, options?: AskOptions) =>
    this.#list<ProductRow, ListMeta>({ kind: 'products', query }, options);

  /**
   * The product families, by name.
   *
   * @example
   * ```ts
   * for await (const { name, member_count } of site.families({ limit: 10 })) console.log(name, member_count);
   * ```
   */
  readonly families = (query: ListQuery<'families'> = {}, options?: AskOptions) =>
    this.#list<FamilyRow, ListMeta>({ kind: 'families', query }, options);

  /**
   * The brands, by name or in reverse order, all or those that match.
   *
   * @example
   * ```ts
   * const brands = await site.brands({ q: 'wren', sort: '-name' }).take(10);
   * console.log(brands.map(({ name, product_count }) => `${name}: ${product_count} products`));
   * ```
   */
  readonly brands = (query: ListQuery<'brands'> = {}, options?: AskOptions) =>
    this.#list<Brand, ListMeta>({ kind: 'brands', query }, options);

  /**
   * The stores, by name.
   *
   * @example
   * ```ts
   * for await (const { name, address } of site.stores()) console.log(name, address.city);
   * ```
   */
  readonly stores = (query: ListQuery<'stores'> = {}, options?: AskOptions) =>
    this.#list<StoreSummary, ListMeta>({ kind: 'stores', query }, options);

  /**
   * Change events, newest first. `types` also narrows the type of the events.
   *
   * @example
   * ```ts
   * for await (const { product, change } of site.changes({ types: ['price_changed'], limit: 2 })) {
   *   console.log(product.name, change.previous?.display, change.current?.display);
   * }
   * ```
   */
  readonly changes = <Type extends ChangeType = ChangeType>(
    query: ChangesQuery<'changes', Type> = {},
    options?: AskOptions,
  ) => this.#list<EventOf<Type>, ChangesMeta>({ kind: 'changes', query }, options);

  /**
   * The change events of one product, newest first.
   *
   * @example
   * ```ts
   * const { data: product } = await site.product.bySku('014100');
   * for await (const { type, times } of site.productChanges(product.id, { limit: 5 })) {
   *   console.log(type, times.retrieved_at);
   * }
   * ```
   */
  readonly productChanges = <Type extends ChangeType = ChangeType>(
    id: string,
    query: ChangesQuery<'product_changes', Type> = {},
    options?: AskOptions,
  ) =>
    this.#list<EventOf<Type>, ChangesMeta>({ kind: 'product_changes', parameters: { product_id: id }, query }, options);

  /**
   * The change events of a family's products, newest first.
   *
   * @example
   * ```ts
   * const [family] = await site.families().take(1);
   * if (family) console.log(await site.familyChanges(family.id, { types: ['price_changed'] }).take(5));
   * ```
   */
  readonly familyChanges = <Type extends ChangeType = ChangeType>(
    id: string,
    query: ChangesQuery<'family_changes', Type> = {},
    options?: AskOptions,
  ) =>
    this.#list<EventOf<Type>, FamilyChangesMeta>(
      { kind: 'family_changes', parameters: { family_id: id }, query },
      options,
    );

  /**
   * Finds products, families, brands and stores. If the host does not compute, the client does, with the same answer.
   *
   * @example
   * ```ts
   * const { data: hits, meta } = await site.search({ q: 'rye', kinds: ['product'], limit: 2 });
   * console.log(meta.total, hits.map(({ name }) => name));
   * ```
   */
  readonly search = (question: SearchQuestion, options: AskOptions = {}) =>
    this.#computed.document('search', question, options) as Promise<SearchResult>;

  /**
   * Compares the reported availability of products near a place, contract.md 9. If the host does not compute, the
   * client does, with the same answer.
   *
   * @example
   * ```ts
   * const { data } = await site.compare({ skus: ['014100', '020200'], lat: 43.2, lng: -118.3, radius_m: 200_000 });
   * const [best] = data.strategies;
   * console.log(best?.strategy, best?.result_state, best?.plan?.stores[0]?.store.name);
   * ```
   */
  readonly compare = (question: ComparisonQuestion, options: AskOptions = {}) =>
    this.#computed.document('comparison', question, options) as Promise<Comparison>;

  /**
   * The records of an export, while its file downloads: of the current publication by name, or of any export or change
   * piece by its entry in a document. Only NDJSON files have records; give the URL of a Parquet file to a library that
   * reads it.
   *
   * @example
   * ```ts
   * let positive = 0;
   * for await (const { state } of site.records('inventory')) if (state === 'reported_positive') positive += 1;
   * console.log(positive, 'pairs are reported positive');
   * ```
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
   * Whether the host answers searches, comparisons and selections itself. If not, the client computes them.
   *
   * @example
   * ```ts
   * console.log((await site.computes()) ? 'the host computes' : 'the client computes');
   * ```
   */
  computes(options: AskOptions = {}): Promise<boolean> {
    return this.#computed.hostComputes(options);
  }

  /**
   * The document at a link in another document, or at a path with `/v1`, such as the `path` of a hit.
   *
   * @example
   * ```ts
   * import type { ProductDocument } from 'shelfpress/client';
   *
   * const { data: hits } = await site.search({ q: 'rye', kinds: ['product'] });
   * if (hits[0]) console.log((await site.at<ProductDocument>(hits[0].path)).data.status.label);
   * ```
   */
  at<Found = unknown>(link: string, options?: AskOptions): Promise<Found> {
    return this.#reader.read(link, options) as Promise<Found>;
  }

  /**
   * The hash and the publication of the file at a link. Its bytes are compared with that hash first. Only sites opened
   * with `proof` or `key` have receipts.
   *
   * @example
   * ```ts
   * import { openSite } from 'shelfpress/client';
   *
   * const site = await openSite('http://127.0.0.1:8080', { proof: true });
   * console.log((await site.receipt('/v1/brands')).sha256);
   * ```
   */
  async receipt(link: string, options: AskOptions = {}): Promise<Receipt> {
    const receipt = await this.#reader.receipt(link, options);
    if (receipt === null) throw new Error('expected a site that was opened with proof or key');
    return receipt;
  }

  /**
   * The URL of an address at this host. Only a host that computes answers queries, searches and comparisons there.
   *
   * @example
   * ```ts
   * const { revision } = site.publication;
   * console.log(site.addressOf('export_parquet', { revision, table: 'inventory' }));
   * ```
   */
  addressOf<Kind extends AddressKind>(
    kind: Kind,
    ...[parameters, query]: ParametersOf<Kind> extends undefined
      ? [parameters?: Readonly<Record<string, never>>, query?: Query]
      : [parameters: ParametersOf<Kind>, query?: Query]
  ): string {
    return this.#reader.addresses.urlOf(formatTarget(pathOf(kind, parameters), query ?? {}));
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
    return listRows(this.#reader, this.#computed, question, options);
  }
}
