/**
 * Every warning by its code (contract.md 2). `of`: the answers that it concerns, which are `all`, answers about the
 * `catalog`, or answers about the inventory of pairs (`coverage`) or of products (`retrieval`). The last two carry it
 * only if it is true of them. `meaning`: the text for an answer. `publishing`: the text for a publication. `short`: a
 * few words for a list.
 */
export const warningKinds = {
  FIXTURE_DATA: {
    of: 'all',
    meaning: 'the data are invented or historical, for trying things out',
    publishing: "this is invented sample data, not an agency's",
    short: 'fixture data',
  },
  INVENTORY_COVERAGE_PARTIAL: {
    of: 'coverage',
    meaning: 'at least one product and store was never checked',
    publishing: 'some pairs of a listed product and a store were never checked',
    short: 'pairs never checked',
  },
  SOURCE_REFRESH_DELAYED: {
    of: 'retrieval',
    meaning: 'the last successful retrieval was older than the retrieval policy allows',
    publishing: 'the newest inventory is older than the policy allows',
    short: 'inventory older than the policy allows',
  },
  UPSTREAM_PRODUCT_UNAVAILABLE: {
    of: 'retrieval',
    meaning: "the last attempt to retrieve a product's inventory failed; its last observations stand",
    publishing: 'the last attempt failed for some listed products',
    short: 'failed retrievals',
  },
  SOURCE_SCHEMA_QUARANTINED: {
    of: 'all',
    meaning: 'rows of the source that did not fit were set aside',
    publishing: 'a part in force has rows that were set aside',
    short: 'rows set aside',
  },
  CATALOG_BATCH_OLD: {
    of: 'catalog',
    meaning: 'the catalog was retrieved more than 45 days before the publication',
    publishing: 'the catalog in force was retrieved more than 45 days earlier',
    short: 'old catalog',
  },
} as const satisfies Readonly<Record<string, WarningKind>>;

type WarningKind = {
  readonly of: 'all' | 'catalog' | 'coverage' | 'retrieval';
  readonly meaning: string;
  readonly publishing: string;
  readonly short: string;
};

export type WarningCode = keyof typeof warningKinds;

/** All codes, in the order in which answers list them. */
export const warningCodes = Object.keys(warningKinds) as WarningCode[];

export function isWarningAbout(code: WarningCode, ...of: readonly WarningKind['of'][]): boolean {
  return of.includes(warningKinds[code].of);
}
