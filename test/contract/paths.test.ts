import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddressKind, addressTable, deployStages } from '../../contract/addresses.ts';
import { addresser, checkoutPath, formatPath, parsePath, templates } from '../../contract/paths.ts';
import { agencyCode } from '../../contract/profile.ts';
import { contentDisposition } from '../../contract/routes.ts';
import { readText } from '../project/repository.ts';

const hex = (length: number) =>
  fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length }).map((all) => all.join(''));
const digits = (length: number) => hex(length).map((text) => text.replace(/[a-f]/g, '7'));
const uuid = fc.uuid();

/** An arbitrary value for each name in a template. */
const values: Record<string, fc.Arbitrary<string>> = {
  product_id: uuid,
  store_id: uuid,
  family_id: uuid,
  brand_id: uuid,
  category_id: fc.stringMatching(/^cat_[a-z0-9_]+$/),
  revision: uuid,
  snapshot: uuid,
  iceberg_table: fc.constantFrom('products', 'stores', 'inventory', 'daily', 'changes'),
  sku: digits(6),
  code: digits(4),
  slug: fc.stringMatching(/^[a-z0-9-]+$/),
  resource: fc.constantFrom('products', 'stores', 'inventory'),
  table: fc.constantFrom('products', 'stores', 'inventory', 'daily'),
  context: fc.constantFrom('products_over_time', 'stores_over_time', 'categories', 'coverage'),
  problem: fc.constantFrom('INTERNAL', 'NO_PUBLICATION'),
  number: fc.integer({ min: 1 }).map(String),
  month: fc
    .date({ min: new Date(0), noInvalidDate: true, max: new Date('9999-12-31') })
    .map((day) => day.toISOString().slice(0, 7)),
  digest: hex(16),
  asset: hex(8),
};

const address = fc.constantFrom(...(Object.keys(templates) as AddressKind[])).chain((kind) => {
  const names = [...templates[kind].matchAll(/\{([a-z_]+)\}/g)].map(([, name = '']) => name);
  const parameters = fc.record(Object.fromEntries(names.map((name) => [name, values[name] ?? fc.constant('')])));
  return fc.tuple(fc.constant(kind), parameters);
});

/** `formatPath` with parameters whose types are only known at run time. */
const format = formatPath as (kind: AddressKind, parameters?: Record<string, string>) => string;

test('in a bucket, what leads to the files of an Iceberg table follows them', () => {
  const kinds = ['export_parquet', 'iceberg_manifest', 'iceberg_metadata', 'iceberg_version'] as const;
  const stages = kinds.map((kind) => deployStages.indexOf(addressTable[kind].stage));
  expect(stages).toEqual([...new Set(stages)].sort((a, b) => a - b));
  const stageOf = (kind: AddressKind) => addressTable[kind].stage;
  expect(stageOf('publication_changes_parquet')).toBe(stageOf('export_parquet'));
  for (const kind of ['iceberg_manifest_list', 'iceberg_deletions'] as const)
    expect(stageOf(kind)).toBe(stageOf('iceberg_manifest'));
});

describe('paths', () => {
  test('parsing is the inverse of formatting, for every address', () => {
    fc.assert(
      fc.property(address, ([kind, parameters]) => {
        const path = format(kind, Object.keys(parameters).length > 0 ? parameters : undefined);
        expect(parsePath(path)).toEqual({ kind, parameters });
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test('no two addresses share a name in a checkout', () => {
    fc.assert(
      fc.property(address, address, ([a, of], [b, and]) => {
        const [one, other] = [format(a, of), format(b, and)];
        const encodings = [undefined, 'gzip', 'br'] as const;
        const names = [one, other].flatMap((path) => encodings.map((encoding) => checkoutPath(path, encoding)));
        expect(new Set(names).size).toBe(one === other ? 3 : 6);
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  test('other paths are not addresses', () => {
    const ends = [
      '/',
      '//products',
      '/products/',
      '/products/X',
      '/stores/by-code/0_11',
      '/exports/daily/2025-13.csv.gz',
    ];
    const others = ['', '/explorer', '/v2', ...ends.map((end) => `/v1${end}`)];
    expect(others.filter((path) => parsePath(path))).toEqual([]);
  });

  test.each([
    [null, '/v1/changes'],
    ['https://a.example', 'https://a.example/v1/changes'],
    ['https://a.example/', 'https://a.example/v1/changes'],
    ['https://a.example/v1', 'https://a.example/v1/changes'],
    ['https://a.example/stock/v1/', 'https://a.example/stock/v1/changes'],
  ])('with base URL %j documents print %s', (base, printed) => {
    expect(addresser(base)(formatPath('changes'))).toBe(printed);
  });
});

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
  [`/v1/exports/${revision}/products.csv.gz`, 'attachment; filename="products-2025-06-05.csv"'],
  ['/v1/exports/daily.csv.gz', 'attachment; filename="daily.csv"'],
  ['/v1/exports/daily/2025-06.csv.gz', 'attachment; filename="daily-2025-06.csv"'],
  [`/v1/exports/${revision}/SHA256SUMS`, null],
  ['/v1/products', null],
  ['/v1/nothing', null],
])('the Content-Disposition of %s is %s', (path, expected) => {
  expect(contentDisposition({ path, last_modified: '2025-06-05T23:59:59Z' })).toBe(expected);
});

test('no two addresses differ only in case, so that every disk can hold a site', () => {
  const mixed = readText('contract/paths.ts')
    .split('\nconst parameters = {\n')[1]
    ?.split('\n} as const;')[0]
    ?.split('\n')
    .filter((line) => /\[[^\]]*a-z/.test(line) && /\[[^\]]*A-Z/.test(line));
  expect(mixed).toEqual([]);
  expect(/[a-z]/.test(agencyCode)).toBe(false);
});
