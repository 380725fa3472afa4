import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../generator/contract/documents/change.ts';
import type { ProductSeries } from '../../generator/contract/documents/product.ts';
import { randomWorld } from '../support/random-world.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { readJson, readSite } from './site-tree.ts';

const folder = temporaryFolder();
afterAll(folder.remove);

function seriesIn(dist: string): Map<string, ProductSeries> {
  const routes = [...readSite(dist).routes.values()].filter(({ path }) => path.endsWith('/series.json'));
  return new Map(routes.map(({ path, sha256 }) => [path, readJson(dist, sha256) as ProductSeries]));
}

describe('the series of the fixtures', () => {
  const site = join(folder.path, 'fixtures');
  let series: Map<string, ProductSeries>;

  beforeAll(async () => {
    await copyBuiltFixtures(site, 12);
    series = seriesIn(site);
  });

  function eventsOf(productId: string): ChangeEvent[] {
    const { routes } = readSite(site);
    const events: ChangeEvent[] = [];
    for (let path: string | null = `/v1/products/${productId}/changes`; path !== null; ) {
      const sha256 = routes.get(path)?.sha256 ?? '';
      const page = readJson(site, sha256) as { data: ChangeEvent[]; links: { next: string | null } };
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
});

test('what is past retention leaves a series, but for what was in force when retention begins', async () => {
  const [database, site] = [join(folder.path, 'db.sqlite'), join(folder.path, 'site')];
  const retention = { history_days: 40, publication_days: 90 };
  const snapshots = randomWorld({ seed: 7, products: 12, stores: 4, publications: 9 });
  for (const snapshot of snapshots) {
    await publishParts(database, { ...snapshot, header: { ...snapshot.header, retention } });
  }
  await build(database, site);
  const published = snapshots.map(({ header }) => Date.parse(header.published_at));
  const bound = (published.at(-1) ?? 0) - retention.history_days * 86_400_000;
  const firstRetained = published.findIndex((at) => at >= bound) + 1;
  expect(firstRetained).toBeGreaterThan(2);
  const beginnings = [...seriesIn(site).values()].map(({ retrievals, prices, statuses, presence }) => {
    for (const { publication } of [prices, statuses, presence]) {
      expect(publication.filter((sequence) => sequence < firstRetained).length).toBeLessThanOrEqual(1);
    }
    const old = retrievals.publication.filter((sequence) => sequence < firstRetained);
    expect(retrievals.succeeded.slice(0, old.length).lastIndexOf(true)).toBeLessThanOrEqual(0);
    return retrievals.publication[0] ?? 0;
  });
  expect(Math.max(...beginnings)).toBeGreaterThan(1);
});
