import type * as z from 'zod';
import { brandIndex } from './brand.ts';
import { categoryDocument } from './category.ts';
import { faultText, knownValue } from './checked-value.ts';
import { metadataProfile } from './metadata.ts';
import { eventPage, familyMembers, identified, pageIndex, rowPage, segmentPages } from './pages.ts';
import { formerSkuIndex } from './product.ts';
import { searchIndex } from './search.ts';
import { comparisonStores, requestedAvailability, requestedProduct } from './store.ts';

const readDocuments = {
  brand_index: brandIndex,
  categories: categoryDocument,
  comparison_stores: comparisonStores,
  event_page: eventPage,
  family_members: familyMembers,
  former_skus: formerSkuIndex,
  identified,
  metadata_profile: metadataProfile,
  page_index: pageIndex,
  requested_availability: requestedAvailability,
  requested_product: requestedProduct,
  row_page: rowPage,
  search_index: searchIndex,
  segment_pages: segmentPages,
} as const;

export type ReadDocuments = { readonly [Name in keyof typeof readDocuments]: z.infer<(typeof readDocuments)[Name]> };

/** Checks a document, and drops unknown fields. Throws an error that says what is wrong. */
export function checkedDocument<Name extends keyof ReadDocuments>(name: Name, json: unknown): ReadDocuments[Name] {
  const known = knownValue<unknown>(readDocuments[name], json);
  if ('value' in known) return known.value as ReadDocuments[Name];
  throw new Error(faultText(known.fault));
}
