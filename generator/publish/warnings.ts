import { type WarningCode, warningCode } from '../contract/documents/warning.ts';
import { epochSeconds } from '../contract/instant.ts';
import type { PublicationFacts } from '../database/publications.ts';
import type { SnapshotHeader } from './snapshot/format.ts';

const oldCatalogSeconds = 45 * 86_400;

type State = {
  readonly header: SnapshotHeader;
  readonly catalogRetrievedAt: string;
  readonly facts: PublicationFacts;
  readonly quarantinedParts: readonly string[];
};

/** The warnings of a publication as a whole: the snapshot's own, and those that follow from its state. */
export function warningsOf({ header, catalogRetrievedAt, facts, quarantinedParts }: State): WarningCode[] {
  const age = (instant: string) => epochSeconds(header.published_at) - epochSeconds(instant);
  const holds: Readonly<Record<WarningCode, boolean>> = {
    FIXTURE_DATA: false,
    INVENTORY_COVERAGE_PARTIAL: facts.observed_pair_count < facts.expected_pair_count,
    SOURCE_REFRESH_DELAYED:
      facts.newest_retrieval !== null && age(facts.newest_retrieval) > header.policy.max_age_seconds,
    UPSTREAM_PRODUCT_UNAVAILABLE: facts.failed_product_count > 0,
    SOURCE_SCHEMA_QUARANTINED: quarantinedParts.length > 0,
    CATALOG_BATCH_OLD: age(catalogRetrievedAt) > oldCatalogSeconds,
  };
  return warningCode.options.filter((code) => holds[code] || header.warnings.includes(code));
}
