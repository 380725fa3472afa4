import { expect, test } from 'vitest';
import { contentDisposition } from '../../generator/contract/paths.ts';

const revision = 'a286b3df-3aba-5ef2-9c40-5bc6d794994c';

test.each([
  [`/v1/exports/${revision}/products.ndjson.gz`, 'attachment; filename="products-2025-06-05.ndjson"'],
  [`/v1/exports/${revision}/inventory.ndjson.gz`, 'attachment; filename="inventory-2025-06-05.ndjson"'],
  ['/v1/exports/changes/12.ndjson.gz', 'attachment; filename="changes-12.ndjson"'],
  [`/v1/exports/${revision}/daily.parquet`, 'attachment; filename="daily-2025-06-05.parquet"'],
  ['/v1/exports/changes/12.parquet', 'attachment; filename="changes-12.parquet"'],
  ['/v1/exports/changes/newest.parquet', 'attachment; filename="changes-newest.parquet"'],
  ['/v1/exports/changes.parquet', 'attachment; filename="changes.parquet"'],
  ['/v1/exports/daily.parquet', 'attachment; filename="daily.parquet"'],
  [`/v1/exports/${revision}/SHA256SUMS`, null],
  ['/v1/products', null],
  ['/v1/nothing', null],
])('the Content-Disposition of %s is %s', (path, expected) => {
  expect(contentDisposition({ path, last_modified: '2025-06-05T23:59:59Z' })).toBe(expected);
});
