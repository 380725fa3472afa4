import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import {
  curatedProduct,
  curationOf,
  failureLine,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { build, temporaryFolder } from './fixture-series.ts';
import { identityOf, readSite } from './site-tree.ts';

/*
 * What a unit reads must be among its inputs, or a build of the next publication keeps a document that is not true any more.
 * Each series here changes one thing that a document depends on, and is built day by day and from nothing.
 */

let folder = temporaryFolder();
afterEach(() => {
  folder.remove();
  folder = temporaryFolder();
});

const at = (day: number, hour = 12) => `2025-01-${String(day).padStart(2, '0')}T${hour}:00:00Z`;
const former = [{ former_sku: '900001', sku: '000001' }];
const curationWith = (sku_history: readonly object[], brand = 'harbor', name = 'Harbor') =>
  curationOf({
    brands: ['harbor', 'meadow'].map((slug) => ({ slug, name, aliases: [], reviewed: true })),
    families: [{ slug: 'fine', name: 'Fine', brand }],
    products: [curatedProduct('000004', { family: 'fine' })],
    sku_history,
  });
const stores = [storeLine('0001'), storeLine('0002')];
const products = ['000001', '000002', '000003', '000004'].map((sku) => productLine(sku));
const inventoryOf = (scope: readonly string[], ...lines: ReturnType<typeof retrievalLine | typeof failureLine>[]) => ({
  inventory: { scope, lines },
});
const first = {
  products,
  stores,
  curation: curationWith(former),
  ...inventoryOf(
    ['0001', '0002'],
    retrievalLine('000001', at(1, 10), [['0001', 3]]),
    retrievalLine('000002', at(1, 11), [['0001', 3]]),
  ),
};

type Parts = Partial<Omit<Parameters<typeof writeSnapshot>[1], 'header'>>;
/** What follows the first publication: an instant, and the parts of its snapshot. */
const series: Record<string, readonly (readonly [string, Parts])[]> = {
  'an attempt that failed or found nothing new': [
    [at(2), inventoryOf(['0001'], failureLine('000003', at(2, 10)), retrievalLine('000001', at(2, 10), [['0001', 3]]))],
  ],
  'an attempt for a member of a family': [[at(2), inventoryOf(['0001'], failureLine('000004', at(2, 10)))]],
  'another catalog': [[at(2), { products }]],
  'a former code that two products have': [
    [at(2), { curation: curationWith([...former, { former_sku: '900001', sku: '000003' }]) }],
  ],
  'another brand of a family, and then another name of the brand': [
    [at(2), { curation: curationWith(former, 'meadow') }],
    [at(3), { curation: curationWith(former, 'meadow', 'Meadow') }],
  ],
  'a store that closes': [
    [
      at(2),
      {
        stores: [
          storeLine('0001', {
            operational_status: { state: 'permanently_closed', note: null, source: 'reviewed_editorial' },
          }),
          storeLine('0002'),
        ],
      },
    ],
  ],
  'observations that become too old at the maximum age of two days, one by one': [
    [at(2), inventoryOf(['0001'], retrievalLine('000001', at(2, 10), [['0001', 3]]))],
    [at(3), {}],
    ['2025-01-04T10:00:00.2Z', {}],
    [at(5), {}],
  ],
  'events that pass the 20 days of history, and the 30 days of recent ones': [
    [at(2), inventoryOf(['0001'], retrievalLine('000004', at(2, 10), [['0001', 3]]))],
    [at(19), {}],
    [at(21), {}],
    [at(22), {}],
    ['2025-02-03T12:00:00Z', {}],
  ],
};

test.each(Object.entries(series))('a build keeps nothing that is not true after %s', async (_, later) => {
  const [database, daily] = [join(folder.path, 'db.sqlite'), join(folder.path, 'daily')];
  for (const [index, [published_at, parts]] of [[at(1), first] as const, ...later].entries()) {
    const retention = { history_days: 20, publication_days: 1 };
    const header = headerOf({ published_at, retention }, parts);
    const connection = openForPublishing(database);
    const source = writeSnapshot(join(folder.path, `snapshot-${index}`), { header, ...parts });
    await publishSnapshot(connection, source, { quarantine: false, acceptShrink: true });
    connection.close();
    await build(database, daily);
    const fresh = join(folder.path, `fresh-${index}`);
    await build(database, fresh);
    const kept = new Set(identityOf(readSite(daily).routes));
    expect(identityOf(readSite(fresh).routes).filter((route) => !kept.has(route))).toEqual([]);
  }
});
