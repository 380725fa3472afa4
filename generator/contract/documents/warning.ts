import * as z from 'zod';

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

export const warningCode = z.enum(Object.keys(concerns) as [keyof typeof concerns, ...(keyof typeof concerns)[]]);

export type WarningCode = z.infer<typeof warningCode>;

export const warning = z.strictObject({ code: warningCode }).meta({ id: 'Warning' });
export const warnings = z.array(warning);

export type Warning = z.infer<typeof warning>;

/** Whether a warning concerns one of these. */
export function isWarningOf(code: WarningCode, ...of: readonly (typeof concerns)[WarningCode][]): boolean {
  return of.includes(concerns[code]);
}
