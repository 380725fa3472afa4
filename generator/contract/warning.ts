import * as z from 'zod';

export const warningCode = z.enum([
  'FIXTURE_DATA',
  'INVENTORY_COVERAGE_PARTIAL',
  'SOURCE_REFRESH_DELAYED',
  'UPSTREAM_PRODUCT_UNAVAILABLE',
  'SOURCE_SCHEMA_QUARANTINED',
  'CATALOG_BATCH_OLD',
]);

export type WarningCode = z.infer<typeof warningCode>;

export const warning = z.strictObject({ code: warningCode }).meta({ id: 'Warning' });
export const warnings = z.array(warning);

export type Warning = z.infer<typeof warning>;
