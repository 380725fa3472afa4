import type * as z from 'zod';
import type { BrandDetail } from '../contract/schemas/brand.ts';
import type { Category } from '../contract/schemas/category.ts';
import type { ChangeHistory, familyScope } from '../contract/schemas/change.ts';
import type { Metadata, RetainedPublication, serviceIndex } from '../contract/schemas/metadata.ts';
import type { Warning } from '../contract/schemas/primitives.ts';
import type { problemDescription } from '../contract/schemas/problem.ts';
import type { ProductAvailability, ProductDetail } from '../contract/schemas/product.ts';
import type { StoreDetail, StoreStock } from '../contract/schemas/store.ts';

/**
 * A whole document: its data, and the warnings about it.
 *
 * @example
 * ```ts
 * import type { Document } from 'shelfpress/client';
 *
 * const codes = ({ meta }: Document<unknown>) => meta.warnings.map(({ code }) => code);
 * console.log(codes(await site.metadata()));
 * ```
 */
export type Document<Data> = { readonly data: Data; readonly meta: { readonly warnings: readonly Warning[] } };

/**
 * The result of {@link Site.metadata}.
 *
 * @example
 * ```ts
 * import type { MetadataDocument } from 'shelfpress/client';
 *
 * const document: MetadataDocument = await site.metadata();
 * console.log(document.data.publication.sequence);
 * ```
 */
export type MetadataDocument = Document<Metadata>;

/**
 * The result of {@link Site.categories}.
 *
 * @example
 * ```ts
 * import type { CategoriesDocument } from 'shelfpress/client';
 *
 * const document: CategoriesDocument = await site.categories();
 * console.log(document.data.length);
 * ```
 */
export type CategoriesDocument = Document<readonly Category[]>;

/**
 * The result of {@link Site.publications}.
 *
 * @example
 * ```ts
 * import type { PublicationsDocument } from 'shelfpress/client';
 *
 * const document: PublicationsDocument = await site.publications();
 * console.log(document.data[0]?.published_at);
 * ```
 */
export type PublicationsDocument = Document<readonly RetainedPublication[]>;

/**
 * The result of {@link Site.serviceIndex}.
 *
 * @example
 * ```ts
 * import type { ServiceIndexDocument } from 'shelfpress/client';
 *
 * const document: ServiceIndexDocument = await site.serviceIndex();
 * console.log(document.data.contract_version);
 * ```
 */
export type ServiceIndexDocument = Document<z.infer<typeof serviceIndex>>;

/**
 * The result of {@link Site.problem}.
 *
 * @example
 * ```ts
 * import type { ProblemDocument } from 'shelfpress/client';
 *
 * const document: ProblemDocument = await site.problem('SKU_NOT_FOUND');
 * console.log(document.data.remedy);
 * ```
 */
export type ProblemDocument = Document<z.infer<typeof problemDescription>>;

/**
 * A product, from `site.product.byId` or `site.product.bySku`.
 *
 * @example
 * ```ts
 * import type { ProductDocument } from 'shelfpress/client';
 *
 * const document: ProductDocument = await site.product.bySku('014100');
 * console.log(document.data.price?.display);
 * ```
 */
export type ProductDocument = Document<ProductDetail>;

/**
 * A product's reported availability, from `site.product.availability`.
 *
 * @example
 * ```ts
 * import type { ProductAvailabilityDocument } from 'shelfpress/client';
 *
 * const { data: product } = await site.product.bySku('014100');
 * const document: ProductAvailabilityDocument = await site.product.availability(product.id);
 * console.log(document.data.summary.reported_positive_store_count);
 * ```
 */
export type ProductAvailabilityDocument = Document<ProductAvailability>;

/**
 * A brand, from `site.brand.byId` or `site.brand.bySlug`.
 *
 * @example
 * ```ts
 * import type { BrandDocument } from 'shelfpress/client';
 *
 * const document: BrandDocument = await site.brand.bySlug('wrenmoor');
 * console.log(document.data.families.length);
 * ```
 */
export type BrandDocument = Document<BrandDetail>;

/**
 * A store, from `site.store.byId` or `site.store.byCode`.
 *
 * @example
 * ```ts
 * import type { StoreDocument } from 'shelfpress/client';
 *
 * const document: StoreDocument = await site.store.byCode('0006');
 * console.log(document.data.name);
 * ```
 */
export type StoreDocument = Document<StoreDetail>;

/**
 * The products that are reported positive in a store, from `site.store.availability`.
 *
 * @example
 * ```ts
 * import type { StoreAvailabilityDocument } from 'shelfpress/client';
 *
 * const { data: store } = await site.store.byCode('0006');
 * const document: StoreAvailabilityDocument = await site.store.availability(store.id);
 * console.log(document.data.products.length);
 * ```
 */
export type StoreAvailabilityDocument = Document<StoreStock>;

/**
 * The result of {@link Site.openapi}: an OpenAPI 3.1 description.
 *
 * @example
 * ```ts
 * import type { OpenApiDocument } from 'shelfpress/client';
 *
 * const document: OpenApiDocument = await site.openapi();
 * console.log(document.info.title);
 * ```
 */
export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/**
 * The `meta` of a list's pages, without the position in the list.
 *
 * @example
 * ```ts
 * import type { ListMeta } from 'shelfpress/client';
 *
 * const show = ({ warnings }: ListMeta) => console.log(warnings.map(({ code }) => code));
 * for await (const { meta } of site.stores().pages()) show(meta);
 * ```
 */
export type ListMeta = Document<never>['meta'];

/**
 * The `meta` of a change list's pages, with the extent of the whole list.
 *
 * @example
 * ```ts
 * import type { ChangesMeta } from 'shelfpress/client';
 *
 * const show = ({ history }: ChangesMeta) => console.log(history.retained_event_count);
 * for await (const { meta } of site.changes({ limit: 1 }).pages()) show(meta);
 * ```
 */
export type ChangesMeta = ListMeta & { readonly history: ChangeHistory };

/**
 * The `meta` of the pages of a family's changes, which also names the family.
 *
 * @example
 * ```ts
 * import type { FamilyChangesMeta } from 'shelfpress/client';
 *
 * const show = ({ family }: FamilyChangesMeta) => console.log(family.id);
 * const [row] = await site.families().take(1);
 * if (row) for await (const { meta } of site.familyChanges(row.id, { limit: 1 }).pages()) show(meta);
 * ```
 */
export type FamilyChangesMeta = ChangesMeta & { readonly family: z.infer<typeof familyScope> };
