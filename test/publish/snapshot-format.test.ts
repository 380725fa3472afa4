import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { usualProfile } from '../../contract/profile.ts';
import { explainIssues } from '../../contract/schemas/checked-value.ts';
import {
  curationBrand,
  curationCategory,
  curationFamily,
  partSchemas,
  snapshotHeader,
} from '../../generator/snapshot/format.ts';
import { reasonText } from '../../generator/snapshot/row-faults.ts';
import {
  curatedProduct,
  failureLine,
  headerOf,
  productLine as lineOfProduct,
  storeLine as lineOfStore,
  retrievalLine,
} from '../support/snapshot-writer.ts';

const { curationProduct, formerSku, inventoryLine, inventoryScope, productLine, storeLine } = partSchemas(usualProfile);

const at = '2024-01-02T17:00:11Z';
const header = headerOf({ published_at: at, warnings: ['FIXTURE_DATA'] }, { products: [] });
const product = lineOfProduct('000113');
const store = lineOfStore('0001', { location: { latitude: 40.7, longitude: -111.9 }, services: ['wine_store'] });
const inventory = retrievalLine('000113', at, [['0001', 2]]);
const failed = failureLine('000113', at);
const size = {
  container_count: 1,
  unit_milliliters: 750,
  total_milliliters: 750,
  display: '750 mL',
  interpretation: 'single_container',
  basis: 'normalized_source_size',
  normalization_state: 'normalized',
};
const curated = curatedProduct('000113', { brand: 'orchard', vintage_year: 2004, package: size });
const category = { id: 'cat_cider', parent_id: null, name: 'Cider', active: true };
const brand = { slug: 'orchard', name: 'Orchard', aliases: ['Orch.'], reviewed: true };
const family = { slug: 'orchard-cider', name: 'Orchard Cider', brand: 'orchard' };

function faultsOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  return error === undefined ? '' : reasonText(explainIssues(error.issues, value));
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
  const retention = { history_days: -1, publication_days: 30 };
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
    [{ retention }, 'retention.history_days: expected an integer of at least 0, got -1'],
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
    [{ name: 'a\0b' }, 'name: expected text without NUL and unpaired surrogates, got "a\\u0000b"'],
    [{ name: 'a\ud83d' }, 'name: expected text without NUL and unpaired surrogates, got "a\\ud83d"'],
    [{ name: 'Château 😀' }, ''],
    [{ size_ml: null, size_text: null, price_minor: null, category_id: null }, ''],
    [{ size_ml: 0, pack_count: 0, price_minor: 0, size_text: '', status_raw: '' }, ''],
    [{ price_minor: 2 ** 53 }, 'price_minor: expected an integer of at least 0, got 9007199254740992'],
    [{ price_source: 'guess' }, 'price_source: expected one of agency_workbook, agency_locator, got "guess"'],
    [
      { lifecycle: 'Active' },
      'lifecycle: expected one of active, discontinued, restricted, unavailable, unknown, got "Active"',
    ],
    [{ category_id: 'cider' }, 'category_id: expected a category id like cat_red_wine, got "cider"'],
  ]);
});

describe('storeLine', () => {
  tests(storeLine, store, [
    [{ inventory_store_code: null }, 'expected an inventory_store_code or a directory_id, got neither'],
    [{ address: { ...store.address, city: null } }, 'address.city: expected a string, got null'],
    [
      { location: { latitude: 90.1, longitude: -180.1 } },
      'location.latitude: expected a number of at most 90, got 90.1; location.longitude: expected a number of at least -180, got -180.1',
    ],
    [
      { services: ['parking', 'parking'] },
      'services[1]: expected a value of its own, got "parking", which services[0] has too',
    ],
  ]);
});

describe('inventoryLine', () => {
  const pair = 'a pair of store code and quantity';
  tests(inventoryLine, inventory, [
    [failed, ''],
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
    [{ rows: [['0001']] }, `rows[0]: expected ${pair}, got ["0001"]`],
  ]);
});

describe('other entries', () => {
  const slug = 'a slug of a-z, 0-9 and -';
  describe('scope', () => tests(inventoryScope, { inventory_store_codes: ['0001'] }, []));
  describe('category', () =>
    tests(curationCategory, category, [[{ active: 1 }, 'active: expected true or false, got 1']]));
  describe('brand', () =>
    tests(curationBrand, brand, [[{ slug: 'orchard\n' }, `slug: expected ${slug}, got "orchard\\n"`]]));
  describe('family', () => tests(curationFamily, family, [[{ brand: null }, `brand: expected ${slug}, got null`]]));
  describe('product', () =>
    tests(curationProduct, curated, [
      [{ vintage_year: '2004' }, 'vintage_year: expected an integer, got "2004"'],
      [{ package: { ...size, container_count: null, display: null } }, ''],
      [
        { package: { ...size, container_count: 0 } },
        'package.container_count: expected an integer of at least 1, got 0',
      ],
    ]));
  describe('former sku', () => tests(formerSku, { former_sku: '700001', sku: '000113' }, []));
});
