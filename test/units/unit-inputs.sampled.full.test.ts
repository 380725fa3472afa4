import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { pageSize } from '../../contract/pages.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { isNight } from '../support/check-mode.ts';
import { expectAgreement } from '../support/derivations.ts';
import {
  curatedProduct,
  curationOf,
  failureLine,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
} from '../support/snapshot-writer.ts';
import { build, expectAsFromNothing, publishParts, temporaryFolder } from './fixture-series.ts';

/*
 * Everything that a unit reads must be among its inputs, or the next build keeps a document that is no longer true.
 * Each series here changes one thing that a document depends on, and is built day by day and from scratch.
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
const inventory = (scope: readonly string[], ...lines: ReturnType<typeof retrievalLine | typeof failureLine>[]) => ({
  inventory: { scope, lines },
});
const first = {
  products,
  stores,
  curation: curationWith(former),
  ...inventory(
    ['0001', '0002'],
    retrievalLine('000001', at(1, 10), [['0001', 3]]),
    retrievalLine('000002', at(1, 11), [['0001', 3]]),
  ),
};

type Parts = Omit<SnapshotParts, 'header'>;
/** The next publications, each with an instant, the parts of its snapshot, and other fields of its header. */
type Days = readonly (readonly [at: string, parts: Parts, fields?: object])[];

const closed = { state: 'permanently_closed', note: null, source: 'reviewed_editorial' };

const series: Record<string, Days> = {
  'one of the things that documents depend on': (
    [
      // A failed attempt, or one without anything new.
      inventory(['0001'], failureLine('000003', at(2, 10)), retrievalLine('000001', at(2, 10), [['0001', 3]])),
      // An attempt for a member of a family.
      inventory(['0001'], failureLine('000004', at(2, 11))),
      // Another catalog.
      { products },
      // Another brand of a family, and then another name of the brand.
      { curation: curationWith(former, 'meadow') },
      { curation: curationWith(former, 'meadow', 'Meadow') },
      // A store that closes.
      { stores: [storeLine('0001', { operational_status: closed }), storeLine('0002')] },
    ] satisfies Parts[]
  )
    // On one day, so that nothing becomes too old in the meantime.
    .map((parts, index) => [at(2, 12 + index), parts] as const),
  'a former code that two products have': [
    [at(2), { curation: curationWith([...former, { former_sku: '900001', sku: '000003' }]) }],
  ],
  'observations that become too old at the maximum age of two days, one by one': [
    [at(2), inventory(['0001'], retrievalLine('000001', at(2, 10), [['0001', 3]]))],
    [at(3), {}],
    ['2025-01-04T10:00:00.2Z', {}],
    [at(5), {}],
  ],
  'events that pass the 20 days of history, and the 30 days of recent ones': [
    [at(2), inventory(['0001'], retrievalLine('000004', at(2, 10), [['0001', 3]]))],
    [at(19), {}],
    [at(21), {}],
    [at(22), {}],
    ['2025-02-03T12:00:00Z', {}],
  ],
  'a policy and a retention that reach beyond all years': [at(2), at(3)].map((day) => [
    day,
    {},
    {
      policy: { id: 'inventory-ever', max_age_seconds: 99_999_999_999_999 },
      retention: { history_days: 99_999_999, publication_days: 99_999_999 },
    },
  ]),
  ...(isNight ? { 'a page of a product that expires as it is sealed': daysOfManyStores() } : {}),
};

/**
 * Three products with about a page of events each. The next publications bring as many events again, or one for another
 * price, or both. A head with a whole page of events is sealed a month later, and has expired by then.
 */
function daysOfManyStores(): Days {
  const codes = Array.from({ length: pageSize }, (_, index) => String(1000 + index));
  const days = [
    ['2025-01-02T12:00:00Z', 1999, 1],
    ['2025-01-03T12:00:00Z', 1999, 2],
    ['2025-02-01T12:00:00Z', 2099, 2],
    ['2025-02-02T12:00:00Z', 2099, 3],
    ['2025-02-03T12:00:00Z', 2099, 4],
    ['2025-02-04T12:00:00Z', 2199, 4],
    ['2025-02-23T18:00:00Z', 2299, 4],
  ] as const;
  return days.map(([day, price_minor, quantity]) => {
    const lines = ['000001', '000002', '000003'].map((sku, index) =>
      retrievalLine(
        sku,
        day,
        codes.slice(index).map((code) => [code, quantity]),
      ),
    );
    const priced = products.map((line) => ({ ...line, price_minor }));
    return [day, { products: priced, stores: codes.map((code) => storeLine(code)), ...inventory(codes, ...lines) }];
  });
}

test.each(Object.entries(series))('a build keeps nothing outdated after %s', async (_, later) => {
  const [database, daily] = [join(folder.path, 'db.sqlite'), join(folder.path, 'daily')];
  for (const [published_at, parts, fields] of [[at(1), first, {}] as const, ...later]) {
    const header = { published_at, retention: { history_days: 20, publication_days: 1 }, ...fields };
    await publishParts(database, { header: headerOf(header, parts), ...parts });
    await build(database, daily);
    // The first build is one from scratch.
    if (parts !== first) await expectAsFromNothing(database, daily);
  }
  expect((await verifySite(daily)).faults).toEqual([]);
  expectAgreement(daily);
});
