import type { WarningCode } from '../contract/documents/envelope.ts';

const words: Readonly<Record<WarningCode, string>> = {
  FIXTURE_DATA: 'fixture data',
  INVENTORY_COVERAGE_PARTIAL: 'pairs never checked',
  SOURCE_REFRESH_DELAYED: 'inventory older than the policy allows',
  UPSTREAM_PRODUCT_UNAVAILABLE: 'failed retrievals',
  SOURCE_SCHEMA_QUARANTINED: 'rows set aside',
  CATALOG_BATCH_OLD: 'old catalog',
};

/** The warnings of a publication as people read them: `fixture data, failed retrievals`; `none` without any. */
export function warningWords(codes: readonly WarningCode[]): string {
  return codes.length === 0 ? 'none' : codes.map((code) => words[code]).join(', ');
}
