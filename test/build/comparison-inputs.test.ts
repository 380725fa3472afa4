import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparisonStores } from '../../generator/contract/documents/comparison.ts';
import type { ProductAvailability } from '../../generator/contract/documents/product.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import {
  curationOf,
  failureLine,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build } from './fixture-series.ts';
import { documentAt } from './site-tree.ts';

let folder: string;
const at = (name: string) => join(folder, name);

const products = [
  productLine('000001', { price_minor: 4200 }),
  productLine('000002', { status_code: 'A', lifecycle: 'restricted' }),
  productLine('000003'),
  productLine('000004'),
  productLine('000005', { category_id: null }),
];
const closed = { state: 'permanently_closed', note: null, source: 'reviewed_editorial' };
const stores = [
  storeLine('0001'),
  storeLine('0002'),
  storeLine('0003', { access_type: 'licensee_only' }),
  storeLine('0004', { operational_status: closed }),
  storeLine('0005'),
];
const curation = curationOf({ sku_history: [{ sku: '000001', former_sku: '900001' }] });
const allStores = ['0001', '0002', '0003', '0004', '0005'];

/** Two days. On the second, store 0002 and product 000004 are no longer retrieved. */
const days: (Omit<SnapshotParts, 'header'> & { readonly published_at: string; readonly warnings?: string[] })[] = [
  {
    published_at: '2025-01-01T12:00:00Z',
    products,
    stores,
    curation,
    inventory: {
      scope: allStores.slice(0, 4),
      lines: [
        retrievalLine('000001', '2025-01-01T10:00:00Z', [
          ['0001', 3],
          ['0002', 0],
          ['0003', 5],
          ['0004', 7],
        ]),
        retrievalLine('000002', '2025-01-01T10:01:00Z', [['0001', 2]]),
        retrievalLine('000003', '2025-01-01T10:02:00Z', [['0002', 4]]),
        retrievalLine('000004', '2025-01-01T10:03:00Z', []),
      ],
    },
  },
  {
    published_at: '2025-01-09T12:00:00Z',
    warnings: ['SOURCE_SCHEMA_QUARANTINED'],
    products: products.slice(0, 4),
    inventory: {
      scope: ['0001', '0003', '0004'],
      lines: [
        retrievalLine('000001', '2025-01-09T10:00:00Z', [['0001', 0]]),
        retrievalLine('000002', '2025-01-09T10:01:00Z', [
          ['0001', 1],
          ['0003', 1],
        ]),
        failureLine('000003', '2025-01-09T10:02:00Z'),
      ],
    },
  },
];

beforeAll(async () => {
  folder = temporaryFolder();
  const connection = openForPublishing(at('db.sqlite'));
  for (const [index, { published_at, warnings = [], ...parts }] of days.entries()) {
    const header = headerOf({ published_at, warnings }, parts);
    await publishSnapshot(connection, writeSnapshot(at(`day-${index}`), { header, ...parts }), {
      quarantine: false,
      acceptShrink: true,
    });
  }
  connection.close();
  await build(at('db.sqlite'), at('dist'));
});
afterAll(() => removeFolder(folder));

const storesOf = () => documentAt<ComparisonStores>(at('dist'), '/v1/availability/stores.json');
const productOf = (sku: string) => documentAt<{ data: { id: string } }>(at('dist'), `/v1/products/by-sku/${sku}`).data;
const availabilityOf = (sku: string) =>
  documentAt<{ data: ProductAvailability; meta: { warnings: unknown } }>(
    at('dist'),
    `/v1/products/${productOf(sku).id}/availability`,
  );

/** By store code: the day of the retrieval and the state. */
function spoken(sku: string): Record<string, string> {
  const { stores } = availabilityOf(sku).data;
  return Object.fromEntries(
    stores.map(({ inventory_store_code, state, purchase_eligibility, retrieved_at }) => [
      inventory_store_code ?? '',
      `${retrieved_at?.slice(0, 10) ?? 'never'} ${purchase_eligibility ?? state}`,
    ]),
  );
}

describe('the stores that a comparison can choose from', () => {
  test('are those in scope, by id, without a distance', () => {
    const { stores } = storesOf();
    expect(stores.map(({ source_ids }) => source_ids.inventory_store_code).sort()).toEqual([
      '0001',
      '0002',
      '0003',
      '0005',
    ]);
    expect(stores.map(({ id }) => id)).toEqual(stores.map(({ id }) => id).sort());
    for (const { distance_m } of stores) expect(distance_m).toBeNull();
  });

  test('come with the warnings that do not depend on whose inventory is asked for', () => {
    expect(storesOf().warnings).toEqual([{ code: 'SOURCE_SCHEMA_QUARANTINED' }]);
  });
});

describe("a product's availability, as a comparison reads it", () => {
  test('says of each store what its newest retrieval says', () => {
    expect(spoken('000001')).toEqual({
      '0001': '2025-01-09 reported_zero',
      '0002': '2025-01-01 reported_zero',
      '0003': '2025-01-09 row_absent',
      '0005': 'never unchecked',
    });
    const policies = availabilityOf('000001').data.stores.map((row) => [row.retrieved_at, row.meets_retrieval_policy]);
    expect(new Set(policies.map((policy) => policy.join()))).toEqual(
      new Set(['2025-01-09T10:00:00Z,true', '2025-01-01T10:00:00Z,false', ',false']),
    );
    expect(spoken('000002')).toEqual({
      '0001': '2025-01-09 restricted',
      '0002': '2025-01-01 row_absent',
      '0003': '2025-01-09 restricted',
      '0005': 'never unchecked',
    });
    expect(spoken('000003')).toEqual({
      '0001': '2025-01-01 row_absent',
      '0002': '2025-01-01 eligible',
      '0003': '2025-01-01 row_absent',
      '0005': 'never unchecked',
    });
  });

  test('has the stores that a comparison can choose from, in their order', () => {
    const ids = storesOf().stores.map(({ id }) => id);
    expect(availabilityOf('000001').data.stores.map(({ store_id }) => store_id)).toEqual(ids);
  });

  test('is there for a product that was never retrieved, and for one that left the catalog', () => {
    expect(new Set(Object.values(spoken('000005')))).toEqual(new Set(['never unchecked']));
  });
});
