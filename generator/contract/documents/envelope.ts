import * as z from 'zod';
import { address, dateTime } from '../primitives.ts';

/**
 * Every warning code, with what it concerns: `all` answers; those that speak of the `catalog`; those that speak of the
 * inventory of some pairs (`coverage`), or of some products (`retrieval`), which carry it only where it holds for them.
 */
const concerns = {
  FIXTURE_DATA: 'all',
  INVENTORY_COVERAGE_PARTIAL: 'coverage',
  SOURCE_REFRESH_DELAYED: 'retrieval',
  UPSTREAM_PRODUCT_UNAVAILABLE: 'retrieval',
  SOURCE_SCHEMA_QUARANTINED: 'all',
  CATALOG_BATCH_OLD: 'catalog',
} as const;

/** What each warning says, contract.md 2. */
export const warningMeanings: Readonly<Record<keyof typeof concerns, string>> = {
  FIXTURE_DATA: 'the data are invented or historical, for trying things out',
  INVENTORY_COVERAGE_PARTIAL: 'at least one product and store was never checked',
  SOURCE_REFRESH_DELAYED: 'the last successful retrieval was older than the retrieval policy allows',
  UPSTREAM_PRODUCT_UNAVAILABLE:
    "the last attempt to retrieve a product's inventory failed; its last observations stand",
  SOURCE_SCHEMA_QUARANTINED: 'rows of the source that did not fit were set aside',
  CATALOG_BATCH_OLD: 'the catalog was retrieved more than 45 days before the publication',
};

export const warningCode = z.enum(Object.keys(concerns) as [keyof typeof concerns, ...(keyof typeof concerns)[]]);

export type WarningCode = z.infer<typeof warningCode>;

export const warning = z.strictObject({ code: warningCode }).meta({ id: 'Warning' });
export const warnings = z.array(warning);

export type Warning = z.infer<typeof warning>;

/** Whether a warning concerns one of these. */
export function isWarningOf(code: WarningCode, ...of: readonly (typeof concerns)[WarningCode][]): boolean {
  return of.includes(concerns[code]);
}

export const pageMeta = z
  .strictObject({
    has_more: z.boolean(),
    next_cursor: z.string().max(2048).nullable(),
    cursor_expires_at: dateTime.nullable(),
  })
  .meta({ id: 'Page' });

export const pageLinks = z.strictObject({ self: address, next: address.nullable() }).meta({ id: 'PageLinks' });

/** `{data, meta: {warnings}}`: a whole document. */
export function documentOf<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ data, meta: z.strictObject({ warnings }) });
}

/** `{data: [row], meta: {page, warnings}, links}`: one page of a list, `data` at most 100 rows. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    data: z.array(row).max(100),
    meta: z.strictObject({ page: pageMeta, warnings }),
    links: pageLinks,
  });
}
