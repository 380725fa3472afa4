import type * as z from 'zod';
import type { BrandDetail, Category, ProductAvailability, ProductDetail } from '../contract/documents/catalog.ts';
import type { ChangeHistory, familyScope } from '../contract/documents/change.ts';
import type { Metadata, RetainedPublication, serviceIndex } from '../contract/documents/metadata.ts';
import type { StoreDetail, StoreStock } from '../contract/documents/store.ts';
import type { Warning } from '../contract/primitives.ts';
import type { problemDescription } from '../contract/problem.ts';

/** A whole document with its envelope. */
export type Document<Data> = { readonly data: Data; readonly meta: { readonly warnings: readonly Warning[] } };

export type MetadataDocument = Document<Metadata>;
export type CategoriesDocument = Document<readonly Category[]>;
export type PublicationsDocument = Document<readonly RetainedPublication[]>;
export type ServiceIndexDocument = Document<z.infer<typeof serviceIndex>>;
export type ProblemDocument = Document<z.infer<typeof problemDescription>>;
export type ProductDocument = Document<ProductDetail>;
export type ProductAvailabilityDocument = Document<ProductAvailability>;
export type BrandDocument = Document<BrandDetail>;
export type StoreDocument = Document<StoreDetail>;
export type StoreAvailabilityDocument = Document<StoreStock>;

/** `/v1/openapi.json`: OpenAPI 3.1. */
export type OpenApiDocument = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, unknown>>;
} & Readonly<Record<string, unknown>>;

/** The `meta` of a list's pages, without the position in the list. */
export type ListMeta = Document<never>['meta'];
export type ChangesMeta = ListMeta & { readonly history: ChangeHistory };
export type FamilyChangesMeta = ChangesMeta & { readonly family: z.infer<typeof familyScope> };
