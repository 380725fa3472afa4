import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparisonProduct, ComparisonStores } from '../../generator/contract/documents/comparison.ts';
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
const inputOf = (sku: string) => {
  const { data } = documentAt<{ data: { id: string } }>(at('dist'), `/v1/products/by-sku/${sku}`);
  return documentAt<ComparisonProduct>(at('dist'), `/v1/availability/products/${data.id}.json`);
};

/** By store code: the retrieval's time and the letter of the store. */
function spoken({ observations }: ComparisonProduct): Record<string, string[]> {
  const codes = storesOf().stores.map(({ source_ids }) => source_ids.inventory_store_code);
  const said = codes.map((code, position) => {
    const letters = observations.map(({ retrieved_at, stores }) => `${retrieved_at.slice(0, 10)} ${stores[position]}`);
    return [code, letters.filter((letter) => !letter.endsWith('-'))];
  });
  return Object.fromEntries(said);
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

describe("a product's input", () => {
  test('says of each store what its newest retrieval says, each retrieval once and newest first', () => {
    expect(spoken(inputOf('000001'))).toEqual({
      '0001': ['2025-01-09 z'],
      '0002': ['2025-01-01 z'],
      '0003': ['2025-01-09 a'],
      '0005': [],
    });
    expect(
      inputOf('000001').observations.map(({ retrieved_at, meets_retrieval_policy }) => [
        retrieved_at,
        meets_retrieval_policy,
      ]),
    ).toEqual([
      ['2025-01-09T10:00:00Z', true],
      ['2025-01-01T10:00:00Z', false],
    ]);
    expect(spoken(inputOf('000002'))).toEqual({
      '0001': ['2025-01-09 r'],
      '0002': ['2025-01-01 a'],
      '0003': ['2025-01-09 r'],
      '0005': [],
    });
    expect(spoken(inputOf('000003'))).toEqual({
      '0001': ['2025-01-01 a'],
      '0002': ['2025-01-01 e'],
      '0003': ['2025-01-01 a'],
      '0005': [],
    });
  });

  test('is there for a product that was never retrieved, and for one that left the catalog', () => {
    expect(inputOf('000005').observations).toEqual([]);
    expect(inputOf('000005').product.name).toBe('Product 000005');
  });

  test("carries the two warnings that are the product's own", () => {
    expect(inputOf('000001').warnings).toEqual([]);
    expect(inputOf('000003').warnings).toEqual([
      { code: 'SOURCE_REFRESH_DELAYED' },
      { code: 'UPSTREAM_PRODUCT_UNAVAILABLE' },
    ]);
    expect(inputOf('000004').warnings).toEqual([{ code: 'SOURCE_REFRESH_DELAYED' }]);
  });

  test('has the product as the description has it', () => {
    const {
      family_id,
      category_ids,
      catalog_presence,
      former_skus,
      inventory_retrieved_at,
      availability_summary,
      ...product
    } = documentAt<{ data: Record<string, unknown> }>(at('dist'), '/v1/products/by-sku/000001').data;
    expect(inputOf('000001').product).toEqual(product);
    expect(former_skus).toEqual(['900001']);
    expect([family_id, category_ids, catalog_presence]).toEqual([null, [], 'listed']);
    expect([inventory_retrieved_at, typeof availability_summary]).toEqual(['2025-01-09T10:00:00Z', 'object']);
  });
});
