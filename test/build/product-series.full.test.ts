import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { ProductDetail } from '../../generator/contract/documents/product.ts';
import type { ProductSeries } from '../../generator/contract/documents/product-series.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { randomWorld } from '../support/random-world.ts';
import { writeSnapshot } from '../support/snapshot-writer.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { build, temporaryFolder } from './fixture-series.ts';
import { identityOf, readJson, readSite } from './site-tree.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

const isSeries = (path: string) => path.endsWith('/series.json');

/** A site's documents by path. */
function documentsOf(dist: string): <Shape>(path: string) => Shape {
  const { routes } = readSite(dist);
  return <Shape>(path: string) => readJson(dist, routes.get(path)?.sha256 ?? '') as Shape;
}

function seriesIn(dist: string): Map<string, ProductSeries> {
  const routes = [...readSite(dist).routes.values()].filter(({ path }) => isSeries(path));
  return new Map(routes.map(({ path, sha256 }) => [path, readJson(dist, sha256) as ProductSeries]));
}

describe('the series of the fixtures', () => {
  const [early, late] = [join(folder.path, 'early'), join(folder.path, 'late')];
  let series: Map<string, ProductSeries>;
  let read: ReturnType<typeof documentsOf>;

  beforeAll(async () => {
    await copyBuiltFixtures(early, 5);
    await copyBuiltFixtures(late, 12);
    series = seriesIn(late);
    read = documentsOf(late);
  });

  function eventsOf(productId: string): ChangeEvent[] {
    const events: ChangeEvent[] = [];
    for (let path: string | null = `/v1/products/${productId}/changes`; path !== null; ) {
      const page: { data: ChangeEvent[]; links: { next: string | null } } = read(path);
      events.unshift(...[...page.data].reverse());
      path = page.links.next;
    }
    return events;
  }

  test('every product has one, whose steps are those of its change events', () => {
    expect(series.size).toBe(53);
    for (const { product, prices, statuses, presence } of series.values()) {
      const events = eventsOf(product.id);
      const changes = <Type extends ChangeEvent['type']>(type: Type) =>
        events.filter((event): event is Extract<ChangeEvent, { type: Type }> => event.type === type);
      const [first] = changes('product_first_observed');
      const repriced = changes('price_changed');
      const amounts = [first?.change.current.price, ...repriced.map(({ change }) => change.current)];
      expect(prices.price_minor).toEqual(amounts.map((price) => price?.amount_minor ?? null));
      expect(prices.at).toEqual([first, ...repriced].map((event) => event?.times.retrieved_at));
      const codes = [first?.change.current.status.code, ...changes('status_changed').map((e) => e.change.current.code)];
      expect(statuses.code).toEqual(codes);
      expect(presence.catalog_presence).toEqual([
        'listed',
        ...changes('catalog_presence_changed').map(({ change }) => change.current),
      ]);
    }
    expect(Math.max(...[...series.values()].map(({ prices }) => prices.at.length))).toBeGreaterThan(2);
  });

  test('points are retrievals: a publication without one has none, and a failed one has no counts', () => {
    const sequences = [...series.values()].flatMap(({ retrievals }) => retrievals.publication);
    expect([...new Set(sequences)].sort((a, b) => a - b)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
    const failed = [...series.values()].flatMap(({ retrievals }) =>
      retrievals.succeeded.flatMap((success, index) =>
        success ? [] : [[retrievals.reported_quantity[index], retrievals.reported_positive_store_count[index]]],
      ),
    );
    expect(failed).toEqual(Array.from({ length: 5 }, () => [null, null]));
  });

  test('the last success is what the product and the newest change of its sums say', () => {
    for (const { product, retrievals, warnings } of series.values()) {
      const document = read<{ data: ProductDetail; meta: { warnings: object[] } }>(`/v1/products/${product.id}`);
      const last = retrievals.succeeded.lastIndexOf(true);
      expect(warnings).toEqual(document.meta.warnings);
      if (last < 0) {
        expect(document.data.inventory_retrieved_at).toBeNull();
        continue;
      }
      const summed = eventsOf(product.id).findLast(({ type }) => type === 'aggregate_inventory_changed');
      if (summed?.type !== 'aggregate_inventory_changed') continue;
      expect(summed.change.current).toEqual({
        reported_quantity: retrievals.reported_quantity[last],
        reported_positive_store_count: retrievals.reported_positive_store_count[last],
      });
    }
  });

  test('a later publication only adds to it', () => {
    for (const [path, before] of seriesIn(early)) {
      const { retrievals, prices } = series.get(path) ?? before;
      expect(retrievals.attempted_at.slice(0, before.retrievals.attempted_at.length)).toEqual(
        before.retrievals.attempted_at,
      );
      expect(prices.price_minor.slice(0, before.prices.at.length)).toEqual(before.prices.price_minor);
    }
  });
});

test('what is past retention leaves a series, but for what was in force when retention begins', async () => {
  const [database, daily, fresh] = ['db.sqlite', 'daily', 'fresh'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const everything = new Map<string, ProductSeries>();
  const retention = { history_days: 40, publication_days: 90 };
  for (const [index, snapshot] of randomWorld({ seed: 7, products: 12, stores: 4, publications: 9 }).entries()) {
    const connection = openForPublishing(database);
    const header = { ...snapshot.header, retention };
    const source = writeSnapshot(join(folder.path, `snapshot-${index}`), { ...snapshot, header });
    await publishSnapshot(connection, source, { quarantine: false, acceptShrink: true });
    connection.close();
    await build(database, daily);
    for (const [path, series] of seriesIn(daily)) if (!everything.has(path)) everything.set(path, series);
  }
  await build(database, fresh);
  const seriesRoutes = (dist: string) => identityOf(readSite(dist).routes).filter((route) => route.includes('/series'));
  expect(seriesRoutes(daily)).toEqual(seriesRoutes(fresh));
  expect((await verifySite(daily)).faults).toEqual([]);

  const firstRetained = oldestRetained(fresh, retention.history_days);
  expect(firstRetained).toBeGreaterThan(2);
  let shortened = 0;
  for (const [path, { retrievals, prices, statuses, presence }] of seriesIn(fresh)) {
    for (const { publication } of [prices, statuses, presence]) {
      expect(publication.filter((sequence) => sequence < firstRetained).length).toBeLessThanOrEqual(1);
    }
    const old = retrievals.publication.filter((sequence) => sequence < firstRetained);
    expect(retrievals.succeeded.slice(0, old.length).lastIndexOf(true)).toBeLessThanOrEqual(0);
    const first = everything.get(path)?.retrievals.publication[0];
    if (first !== undefined && first !== retrievals.publication[0]) shortened += 1;
  }
  expect(shortened).toBeGreaterThan(0);
});

/** The sequence of the oldest publication within the retention of a site's current one. */
function oldestRetained(dist: string, days: number): number {
  const { data } = documentsOf(dist)<{ data: { sequence: number; published_at: string }[] }>(
    '/v1/metadata/publications',
  );
  const bound = Date.parse(data[0]?.published_at ?? '') - days * 86_400_000;
  return Math.min(
    ...data.filter(({ published_at }) => Date.parse(published_at) >= bound).map(({ sequence }) => sequence),
  );
}
