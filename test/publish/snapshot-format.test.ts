import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import {
  curationBrand,
  curationCategory,
  curationFamily,
  curationProduct,
  formerSku,
  inventoryLine,
  inventoryScope,
  productLine,
  snapshotHeader,
  storeLine,
} from '../../generator/publish/snapshot/format.ts';
import { formatFaults, problemsOf } from '../../generator/publish/snapshot/problem.ts';

const header = {
  format: 'inventory-snapshot',
  format_version: 1,
  published_at: '2024-01-02T22:00:00Z',
  catalog: { source_updated_at: null, retrieved_at: '2024-01-02T16:40:00Z' },
  directory: null,
  policy: { id: 'inventory-48h', max_age_seconds: 0 },
  retention: { history_days: 365, publication_days: 0 },
  warnings: ['FIXTURE_DATA'],
};
const product = {
  sku: '000113',
  source_name: 'ORCHARD CIDER        750ml',
  name: 'Orchard Cider',
  size_ml: 750,
  size_text: '750ml',
  pack_count: null,
  price_minor: 1631,
  price_source: 'agency_workbook',
  status_code: '1',
  status_label: 'General',
  status_raw: '1',
  lifecycle: 'active',
  category_id: 'cat_cider',
};
const address = { line1: '1 Main Street', line2: null, city: 'Springfield', region: 'UT', postal_code: '84101' };
const store = {
  inventory_store_code: '0001',
  directory_id: 'utah-1',
  name: 'Store #01',
  address,
  phone: '+18015550100',
  location: { latitude: 40.7, longitude: -111.9 },
  access_type: 'consumer_state_store',
  operational_status: { state: 'open', note: null, source: 'unknown' },
  services: ['wine_store', 'parking'],
  regular_hours: null,
  directory_presence: { state: 'present', last_seen_at: '2024-01-02T16:50:00Z' },
};
const inventory = {
  sku: '000113',
  attempted_at: '2024-01-02T17:00:07Z',
  status: 'succeeded',
  retrieved_at: '2024-01-02T17:00:11Z',
  source_updated_at: null,
  rows: [
    ['0001', 2],
    ['0033', 0],
  ],
};
const failed = { ...inventory, status: 'failed', retrieved_at: null, rows: [] };
const size = {
  container_count: 1,
  unit_milliliters: 750,
  total_milliliters: 750,
  display: '750 mL',
  interpretation: 'single_container',
  basis: 'normalized_source_size',
  normalization_state: 'normalized',
};
const curated = {
  sku: '000113',
  brand: 'orchard',
  family: null,
  relationship_type: null,
  vintage_year: 2004,
  age_statement: '10 year',
  package: size,
};
const category = { id: 'cat_cider', parent_id: null, name: 'Cider', active: true };
const brand = { slug: 'orchard', name: 'Orchard', aliases: ['Orch.'], reviewed: true };
const family = { slug: 'orchard-cider', name: 'Orchard Cider', brand: 'orchard' };

function faultsOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? '' : formatFaults(problemsOf(error, value));
}

type Case = [change: object, faults: string];
const tests = (schema: z.ZodType, good: object, cases: Case[]) => {
  test.each([[{}, ''], ...cases])('%j', (change, faults) => {
    expect(faultsOf(schema, { ...good, ...change })).toBe(faults);
  });
  test('every key is needed, and others are ignored', () => {
    for (const key of Object.keys(good)) {
      expect(faultsOf(schema, { ...good, [key]: undefined })).toMatch(new RegExp(`^${key}: expected .*, got nothing$`));
    }
    expect(schema.parse({ ...good, added_column: 1 })).toEqual(schema.parse(good));
  });
};

const dateTime = 'a date-time like 2024-01-02T22:26:37Z';

describe('snapshotHeader', () => {
  const utc = 'a date-time in UTC like 2024-01-02T22:26:37Z';
  const retention = { history_days: -1, publication_days: '30' };
  const codes =
    'FIXTURE_DATA, INVENTORY_COVERAGE_PARTIAL, SOURCE_REFRESH_DELAYED, UPSTREAM_PRODUCT_UNAVAILABLE, SOURCE_SCHEMA_QUARANTINED, CATALOG_BATCH_OLD';
  tests(snapshotHeader, header, [
    [{ format: 'snapshot' }, 'format: expected "inventory-snapshot", got "snapshot"'],
    [{ format_version: 2 }, 'format_version: expected 1, got 2'],
    [{ published_at: '2024-01-02T22:00:00+00:00' }, `published_at: expected ${utc}, got "2024-01-02T22:00:00+00:00"`],
    [{ published_at: '2024-02-30T22:00:00Z' }, `published_at: expected ${utc}, got "2024-02-30T22:00:00Z"`],
    [
      { catalog: { source_updated_at: 'today', retrieved_at: null } },
      `catalog.source_updated_at: expected ${dateTime}, got "today"; catalog.retrieved_at: expected ${dateTime}, got null`,
    ],
    [{ policy: { id: ' ', max_age_seconds: 1 } }, 'policy.id: expected text that is not blank, got " "'],
    [
      { retention },
      'retention.history_days: expected an integer of at least 0, got -1; retention.publication_days: expected an integer of at least 0, got "30"',
    ],
    [{ warnings: ['OLD'] }, `warnings[0]: expected one of ${codes}, got "OLD"`],
    [
      { warnings: ['FIXTURE_DATA', 'CATALOG_BATCH_OLD', 'FIXTURE_DATA'] },
      'warnings[2]: expected a value of its own, got "FIXTURE_DATA", which warnings[0] has too',
    ],
  ]);
});

describe('productLine', () => {
  tests(productLine, product, [
    [{ sku: '00113' }, 'sku: expected six digits, got "00113"'],
    [{ source_name: '   ' }, 'source_name: expected text that is not blank, got "   "'],
    [{ name: null }, 'name: expected a string, got null'],
    [{ name: 'a\0b' }, 'name: expected text without NUL and unpaired surrogates, got "a\\u0000b"'],
    [{ name: 'a\ud83d' }, 'name: expected text without NUL and unpaired surrogates, got "a\\ud83d"'],
    [{ name: 'Château 😀' }, ''],
    [{ size_ml: null, size_text: null, price_minor: null, category_id: null }, ''],
    [{ size_ml: 0, pack_count: 0, price_minor: 0, size_text: '', status_raw: '' }, ''],
    [{ size_ml: -1 }, 'size_ml: expected an integer of at least 0, got -1'],
    [{ price_minor: 2 ** 53 }, 'price_minor: expected an integer of at least 0, got 9007199254740992'],
    [{ price_source: 'guess' }, 'price_source: expected one of agency_workbook, agency_locator, got "guess"'],
    [
      { lifecycle: 'Active' },
      'lifecycle: expected one of active, discontinued, restricted, unavailable, unknown, got "Active"',
    ],
    [{ category_id: 'cider' }, 'category_id: expected a category id like cat_red_wine, got "cider"'],
    [{ sku: 'x', name: 1 }, 'sku: expected six digits, got "x"; name: expected a string, got 1'],
  ]);
});

describe('storeLine', () => {
  const status = store.operational_status;
  tests(storeLine, store, [
    [{ inventory_store_code: null }, ''],
    [{ directory_id: null }, ''],
    [
      { inventory_store_code: null, directory_id: null },
      'expected an inventory_store_code or a directory_id, got neither',
    ],
    [{ inventory_store_code: '1' }, 'inventory_store_code: expected four digits, got "1"'],
    [{ address: { ...address, line2: 'Suite 2' }, phone: null, location: null, directory_presence: null }, ''],
    [{ address: { ...address, city: null } }, 'address.city: expected a string, got null'],
    [
      { location: { latitude: 90.1, longitude: -180.1 } },
      'location.latitude: expected a number of at most 90, got 90.1; location.longitude: expected a number of at least -180, got -180.1',
    ],
    [
      { operational_status: { ...status, state: 'shut' } },
      'operational_status.state: expected one of open, temporarily_closed, permanently_closed, unknown, got "shut"',
    ],
    [
      { services: ['parking', 'parking'] },
      'services[1]: expected a value of its own, got "parking", which services[0] has too',
    ],
    [{ directory_presence: { state: 'present', last_seen_at: null } }, ''],
  ]);
});

describe('inventoryLine', () => {
  const pair = 'a pair of store code and quantity';
  tests(inventoryLine, inventory, [
    [{ rows: [] }, ''],
    [failed, ''],
    [{ ...failed, attempted_at: null }, `attempted_at: expected ${dateTime}, got null`],
    [{ status: 'skipped' }, 'status: expected one of succeeded, failed, got "skipped"'],
    [{ retrieved_at: null }, 'retrieved_at: expected a date-time, as the retrieval succeeded, got null'],
    [
      { ...failed, retrieved_at: inventory.retrieved_at },
      'retrieved_at: expected null, as the retrieval failed, got "2024-01-02T17:00:11Z"',
    ],
    [{ ...failed, rows: [['0001', 2]] }, 'rows: expected no rows, as the retrieval failed, got [["0001",2]]'],
    [
      {
        rows: [
          ['0001', 2],
          ['0002', 2],
          ['0001', 3],
        ],
      },
      'rows[2][0]: expected a value of its own, got "0001", which rows[0] has too',
    ],
    [{ rows: [['0001', -1]] }, 'rows[0][1]: expected an integer of at least 0, got -1'],
    [{ rows: [['1', 1]] }, 'rows[0][0]: expected four digits, got "1"'],
    [{ rows: [['0001']] }, `rows[0]: expected ${pair}, got ["0001"]`],
  ]);
});

describe('inventoryScope', () => {
  tests(inventoryScope, { inventory_store_codes: ['0001'] }, [
    [{ inventory_store_codes: ['1'] }, 'inventory_store_codes[0]: expected four digits, got "1"'],
  ]);
});

describe('curation entries', () => {
  const slug = 'a slug of a-z, 0-9 and -';
  describe('category', () =>
    tests(curationCategory, category, [
      [{ parent_id: 'top' }, 'parent_id: expected a category id like cat_red_wine, got "top"'],
      [{ active: 1 }, 'active: expected true or false, got 1'],
    ]));
  describe('brand', () =>
    tests(curationBrand, brand, [
      [{ slug: 'Orchard' }, `slug: expected ${slug}, got "Orchard"`],
      [{ slug: 'orchard\n' }, `slug: expected ${slug}, got "orchard\\n"`],
      [{ aliases: ['a', ''] }, 'aliases[1]: expected text that is not blank, got ""'],
    ]));
  describe('family', () => tests(curationFamily, family, [[{ brand: null }, `brand: expected ${slug}, got null`]]));
  describe('product', () =>
    tests(curationProduct, curated, [
      [{ brand: null, package: null, vintage_year: null, age_statement: null }, ''],
      [{ vintage_year: '2004' }, 'vintage_year: expected an integer, got "2004"'],
      [{ package: { ...size, container_count: null, display: null } }, ''],
      [
        { package: { ...size, container_count: 0 } },
        'package.container_count: expected an integer of at least 1, got 0',
      ],
    ]));
  describe('former sku', () =>
    tests(formerSku, { former_sku: '700001', sku: '000113' }, [[{ sku: 'x' }, 'sku: expected six digits, got "x"']]));
});

test('date-times come out in UTC', () => {
  const row = inventoryLine.parse({ ...inventory, attempted_at: '2024-01-02T10:00:07.500-07:00' });
  expect(row.attempted_at).toBe('2024-01-02T17:00:07.5Z');
});

test('names come out as they were written', () => {
  expect(productLine.parse({ ...product, source_name: ' A  B ' }).source_name).toBe(' A  B ');
});
