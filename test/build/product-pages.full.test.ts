import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { build, temporaryFolder } from './fixture-series.ts';
import { identityOf, readJson, readSite } from './site-tree.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

/** The number of stores in which each product is reported. A product has as many events more in most publications. */
const storesOf = [98, 99, 100];
const skus = storesOf.map((_, index) => String(index).padStart(6, '0'));
const codes = Array.from({ length: 100 }, (_, index) => String(1000 + index));

/** Every publication has another price, quantity or both. Events are kept for 20 days. */
const publications = [
  { at: '2025-01-01T12:00:00Z', price: 1999, quantity: 1 },
  { at: '2025-01-02T12:00:00Z', price: 1999, quantity: 2 },
  { at: '2025-02-01T12:00:00Z', price: 2099, quantity: 2 },
  { at: '2025-02-02T12:00:00Z', price: 2099, quantity: 3 },
  { at: '2025-02-03T12:00:00Z', price: 2099, quantity: 4 },
  { at: '2025-02-04T12:00:00Z', price: 2199, quantity: 4 },
  { at: '2025-02-23T18:00:00Z', price: 2299, quantity: 4 },
];

function snapshotOf({ at, price, quantity }: (typeof publications)[number]) {
  const products = skus.map((sku) => productLine(sku, { price_minor: price }));
  const stores = codes.map((code) => storeLine(code));
  const lines = skus.map((sku, index) =>
    retrievalLine(
      sku,
      at,
      codes.slice(0, storesOf[index]).map((code) => [code, quantity]),
    ),
  );
  const retention = { history_days: 20, publication_days: 20 };
  const header = headerOf({ published_at: at, retention }, { products, stores });
  return { header, products, stores, inventory: { scope: codes, lines }, curation: curationOf() };
}

/** Numbers of retained events of all products. */
function retainedIn(dist: string): number[] {
  const heads = [...readSite(dist).routes.values()].filter(({ path }) => /^\/v1\/products\/[^/]+\/changes$/.test(path));
  return heads.map(({ sha256 }) => {
    const head = readJson(dist, sha256) as { meta: { history: { retained_event_count: number } } };
    return head.meta.history.retained_event_count;
  });
}

test('the list of a product is the same day by day and at once, also where a page expires as it is sealed', async () => {
  const [database, daily] = [join(folder.path, 'db.sqlite'), join(folder.path, 'daily')];
  const retained: number[][] = [];
  for (const [index, publication] of publications.entries()) {
    const connection = openForPublishing(database);
    const source = writeSnapshot(join(folder.path, `snapshot-${index}`), snapshotOf(publication));
    await publishSnapshot(connection, source, { quarantine: false, acceptShrink: true });
    connection.close();
    await build(database, daily);
    expect((await verifySite(daily)).faults, publication.at).toEqual([]);
    const fresh = join(folder.path, `fresh-${index}`);
    await build(database, fresh);
    const kept = new Set(identityOf(readSite(daily).routes));
    const others = identityOf(readSite(fresh).routes).filter((route) => !kept.has(route));
    expect(others, publication.at).toEqual([]);
    retained.push(retainedIn(daily));
  }
  // A head of 100 events, after a page of as many, becomes a page when the price changes, a month later, and has expired by then.
  expect(retained[1]).toContain(200);
  expect(retained[2]).toContain(1);
  expect(Math.max(...(retained[4] ?? []))).toBeGreaterThan(200);
});
