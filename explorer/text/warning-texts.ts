import type { WarningCode } from '../../contract/primitives.ts';

/**
 * What each warning means, in the words of the contract. Importing the contract's own table would add its schemas to
 * the bundle.
 */
export const warningTexts: Readonly<Record<WarningCode, string>> = {
  FIXTURE_DATA: 'The data are invented or historical, for trying things out.',
  INVENTORY_COVERAGE_PARTIAL: 'At least one product and store was never checked.',
  SOURCE_REFRESH_DELAYED: 'The last successful retrieval was older than the retrieval policy allows.',
  UPSTREAM_PRODUCT_UNAVAILABLE:
    "The last attempt to retrieve a product's inventory failed; its last observations stand.",
  SOURCE_SCHEMA_QUARANTINED: 'Rows of the source that did not fit were set aside.',
  CATALOG_BATCH_OLD: 'The catalog was retrieved more than 45 days before the publication.',
};
