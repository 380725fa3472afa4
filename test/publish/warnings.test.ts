import { expect, test } from 'vitest';
import type { WarningCode } from '../../contract/warnings.ts';
import { curationOf, failureLine, productLine, retrievalLine, storeLine } from '../support/snapshot-writer.ts';
import { type Snapshot, TestDatabase } from '../support/test-database.ts';

const retrieved = '2025-01-01T12:00:00Z';

/** One product in the only store, observed at the same time as the catalog. */
const whole: Snapshot = {
  products: [productLine('000001')],
  stores: [storeLine('0001')],
  inventory: { scope: ['0001'], lines: [retrievalLine('000001', retrieved, [['0001', 3]])] },
  curation: curationOf(),
};

async function publishedWhole(snapshot: Snapshot = whole): Promise<TestDatabase> {
  const database = new TestDatabase();
  expect(await warningsOf(database, retrieved, snapshot)).toEqual([]);
  return database;
}

async function warningsOf(
  database: TestDatabase,
  published_at: string,
  snapshot: Snapshot,
): Promise<readonly WarningCode[]> {
  return (await database.publish(published_at, snapshot, { accept: ['catalog', 'scope', 'inventory', 'times'] }))
    .warnings;
}

const policy = { id: 'inventory-48h', max_age_seconds: 172_800 };

test.each([
  ['as old as the policy allows', retrieved, '2025-01-03T12:00:00Z', []],
  ['a millisecond older', '2025-01-01T12:00:00.3Z', '2025-01-03T12:00:00.301Z', ['SOURCE_REFRESH_DELAYED']],
  ['as old, across time zones', '2025-01-01T14:00:00+02:00', '2025-01-03T12:00:00Z', []],
])('SOURCE_REFRESH_DELAYED: %s', async (_, at, published_at, warnings) => {
  const inventory = { scope: ['0001'], lines: [retrievalLine('000001', at, [['0001', 3]])] };
  const database = await publishedWhole({
    ...whole,
    header: { published_at: '2025-01-01T13:00:00Z', policy },
    inventory,
  });
  expect(await warningsOf(database, published_at, { header: { policy } })).toEqual(warnings);
  expect(database.product('000001', 2).inventory_retrieved_at).not.toBeNull();
  expect(database.pair('000001', '0001', 2).meets_retrieval_policy).toBe(warnings.length === 0);
});

test.each([
  ['45 days', '2025-02-15T12:00:00Z', []],
  ['a tenth of a second more', '2025-02-15T12:00:00.1Z', ['CATALOG_BATCH_OLD']],
])('CATALOG_BATCH_OLD: %s', async (_, published_at, warnings) => {
  const header = { policy: { id: 'patient', max_age_seconds: 10_000_000 } };
  expect(await warningsOf(await publishedWhole(), published_at, { header })).toEqual(warnings);
});

test.each<[what: string, snapshot: Snapshot, warnings: readonly WarningCode[]]>([
  ['a round that asked for nothing leaves what stands', { inventory: { scope: [], lines: [] } }, []],
  [
    'a store that the next round leaves out stands',
    { inventory: { scope: [], lines: [retrievalLine('000001', '2025-01-02T12:00:00Z', [])] } },
    [],
  ],
  [
    'a product that was never asked for is not covered',
    { products: [productLine('000001'), productLine('000002')] },
    ['INVENTORY_COVERAGE_PARTIAL'],
  ],
])('%s', async (_, snapshot, warnings) => {
  expect(await warningsOf(await publishedWhole(), '2025-01-02T12:00:00Z', snapshot)).toEqual(warnings);
});

test('warnings of the snapshot stand among the others once, in the order of the contract', async () => {
  const own = ['CATALOG_BATCH_OLD', 'SOURCE_REFRESH_DELAYED', 'FIXTURE_DATA'];
  const database = await publishedWhole();
  const late = {
    header: { warnings: own },
    stores: [storeLine('0002')],
    inventory: { scope: ['0002'], lines: [failureLine('000001', retrieved)] },
  };
  const { warnings, own_warnings } = await database.publish('2026-01-01T00:00:00Z', late, { accept: ['times'] });
  expect(warnings).toEqual([
    'FIXTURE_DATA',
    'INVENTORY_COVERAGE_PARTIAL',
    'SOURCE_REFRESH_DELAYED',
    'UPSTREAM_PRODUCT_UNAVAILABLE',
    'CATALOG_BATCH_OLD',
  ]);
  expect(own_warnings).toEqual(own);
});
