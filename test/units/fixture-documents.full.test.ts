import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { DataPackage } from '../../contract/schemas/data-package.ts';
import type { Activity } from '../../contract/schemas/metadata.ts';
import type { ProductDetail, ProductSeries } from '../../contract/schemas/product.ts';
import { FixtureSite } from '../http/fixture-site.ts';
import { needing, program } from '../support/installed-programs.ts';
import { randomWorld } from '../support/random-world.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { readJson, readSite } from './site-tree.ts';

type ProductDocument = { readonly data: ProductDetail; readonly meta: { readonly warnings: readonly object[] } };

/* The documents that a build makes from the bundled snapshots. */

let site: FixtureSite;
beforeAll(async () => {
  site = await FixtureSite.build();
});
afterAll(() => site?.[Symbol.dispose]());

/** All events of a list, newest first. */
function readEvents(list: string): ChangeEvent[] {
  const found: ChangeEvent[] = [];
  for (let path: string | null = list; path !== null; ) {
    const page: { data: ChangeEvent[]; links: { next: string | null } } = site.document(path);
    found.push(...page.data);
    path = page.links.next;
  }
  return found;
}

test('the activity names the products that changed most in the newest publication, and the price moves', () => {
  const { most_changed, prices } = site.document<Activity>('/v1/metadata/activity.json');
  const events = readEvents('/v1/changes');
  const newest = events.filter(
    ({ times, type }) => times.published_at === site.pointer.published_at && !type.endsWith('first_observed'),
  );
  const counts = most_changed.map(({ event_count }) => event_count);
  for (const { product, event_count } of most_changed) {
    expect(newest.filter((event) => event.product.id === product.id)).toHaveLength(event_count);
  }
  expect(counts).toHaveLength(10);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
  const ratios = prices?.largest_falls.map(({ previous_minor, current_minor }) => current_minor / previous_minor);
  expect(ratios).toEqual(ratios?.toSorted((a, b) => a - b));
  expect(events.find(({ type }) => type === 'price_changed')?.times.published_at).toBe(prices?.published_at);
});

test('a product whose last retrieval failed says so, even if an earlier one succeeded', () => {
  const products = [...site.routes.keys()].filter((path) => /^\/v1\/products\/[-0-9a-f]{36}$/.test(path));
  const failed = products
    .map((path) => site.document<ProductDocument>(path))
    .filter(({ data }) => data.availability_summary.last_refresh_attempt?.status === 'failed');
  expect(failed.some(({ data }) => data.inventory_retrieved_at !== null)).toBe(true);
  for (const { meta } of failed) expect(meta.warnings).toContainEqual({ code: 'UPSTREAM_PRODUCT_UNAVAILABLE' });
});

describe('the series of a product', () => {
  const allSeries = () => {
    const paths = [...site.routes.keys()].filter((path) => path.endsWith('/series.json'));
    return paths.map((path) => site.document<ProductSeries>(path));
  };

  test('has the steps of its change events', () => {
    expect(allSeries()).toHaveLength(53);
    for (const { product, prices, statuses, presence } of allSeries()) {
      const events = readEvents(`/v1/products/${product.id}/changes`).reverse();
      const changes = <Type extends ChangeEvent['type']>(type: Type) =>
        events.filter((event): event is Extract<ChangeEvent, { type: Type }> => event.type === type);
      const [first] = changes('product_first_observed');
      const repriced = changes('price_changed');
      const amounts = [first?.change.current.price, ...repriced.map(({ change }) => change.current)];
      expect(prices.price_minor).toEqual(amounts.map((price) => price?.amount_minor ?? null));
      expect(prices.at).toEqual([first, ...repriced].map((event) => event?.times.retrieved_at));
      const codes = changes('status_changed').map(({ change }) => change.current.code);
      expect(statuses.code).toEqual([first?.change.current.status.code, ...codes]);
      const presences = changes('catalog_presence_changed').map(({ change }) => change.current);
      expect(presence.catalog_presence).toEqual(['listed', ...presences]);
    }
  });

  test('has a point for each retrieval, and no counts for a failed one', () => {
    const all = allSeries().map(({ retrievals }) => retrievals);
    const sequences = all.flatMap(({ publication }) => publication);
    expect([...new Set(sequences)].sort((a, b) => a - b)).toEqual([1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12]);
    const failed = all.flatMap(({ succeeded, reported_quantity, reported_positive_store_count }) =>
      succeeded.flatMap((success, at) => (success ? [] : [[reported_quantity[at], reported_positive_store_count[at]]])),
    );
    expect(failed).toEqual(Array.from({ length: 5 }, () => [null, null]));
  });
});

test('expired steps are dropped from a series, except for the state in force when retention begins', async () => {
  const folder = temporaryFolder();
  const [database, dist] = [join(folder.path, 'db.sqlite'), join(folder.path, 'site')];
  const retention = { history_days: 40, publication_days: 90 };
  const snapshots = randomWorld({ seed: 7, products: 12, stores: 4, publications: 9 });
  for (const snapshot of snapshots) {
    await publishParts(database, { ...snapshot, header: { ...snapshot.header, retention } });
  }
  await build(database, dist);
  const published = snapshots.map(({ header }) => Date.parse(header.published_at));
  const bound = (published.at(-1) ?? 0) - retention.history_days * 86_400_000;
  const firstRetained = published.findIndex((at) => at >= bound) + 1;
  expect(firstRetained).toBeGreaterThan(2);
  const routes = [...readSite(dist).routes.values()].filter(({ path }) => path.endsWith('/series.json'));
  const all = routes.map(({ sha256 }) => readJson(dist, sha256) as ProductSeries);
  for (const { retrievals, prices, statuses, presence } of all) {
    for (const { publication } of [prices, statuses, presence]) {
      expect(publication.filter((sequence) => sequence < firstRetained).length).toBeLessThanOrEqual(1);
    }
    const old = retrievals.publication.filter((sequence) => sequence < firstRetained);
    expect(retrievals.succeeded.slice(0, old.length).lastIndexOf(true)).toBeLessThanOrEqual(0);
  }
  expect(Math.max(...all.map(({ retrievals }) => retrievals.publication[0] ?? 0))).toBeGreaterThan(1);
  folder.remove();
});

describe('the export files of each retained publication', () => {
  const exportFolder = (revision: string) => join(site.dist, 'site/v1/exports', revision);

  test('are complete, and sha256sum agrees with their checksums', () => {
    const retained = site.pointer.publications.map(({ revision }) => revision);
    const folders = readdirSync(join(site.dist, 'site/v1/exports')).filter((name) => name.includes('-'));
    expect(folders.sort()).toEqual(retained.sort());
    const tables = ['inventory', 'products', 'stores'].flatMap((name) => [`${name}.ndjson.gz`, `${name}.parquet`]);
    const companions = ['CITATION.cff', 'SHA256SUMS', 'datapackage.json'];
    for (const revision of folders) {
      expect(readdirSync(exportFolder(revision)).sort()).toEqual(
        [...companions, 'daily.parquet', 'products.csv.gz', ...tables].sort(),
      );
      const check = ['--check', '--strict', '--ignore-missing', 'SHA256SUMS'];
      const checked = spawnSync('sha256sum', check, { cwd: exportFolder(revision), encoding: 'utf8' });
      expect(checked).toMatchObject({ status: 0, stderr: '' });
      expect(checked.stdout.match(/^\S+\.(gz|parquet): OK$/gm)).toHaveLength(8);
    }
  });

  test('have checksums for clients that save decoded files, under the names that gunzip and browsers give', () => {
    const from = exportFolder(site.pointer.revision);
    const packed = readdirSync(from).filter((name) => name.endsWith('.gz'));
    const day = site.pointer.published_at.slice(0, 10);
    const saved = temporaryFolder();
    cpSync(join(from, 'SHA256SUMS'), join(saved.path, 'SHA256SUMS'));
    const names = packed.flatMap((name) => {
      const content = gunzipSync(readFileSync(join(from, name)));
      const plain = name.slice(0, -3);
      const dated = plain.replace('.', `-${day}.`);
      for (const one of [plain, dated]) writeFileSync(join(saved.path, one), content);
      return [plain, dated];
    });
    for (const name of readdirSync(from).filter((name) => name.endsWith('.parquet'))) {
      names.push(name.replace('.', `-${day}.`));
      cpSync(join(from, name), join(saved.path, names.at(-1) ?? ''));
    }
    const check = ['--check', '--strict', '--ignore-missing', 'SHA256SUMS'];
    const checked = spawnSync('sha256sum', check, { cwd: saved.path, encoding: 'utf8' });
    expect(checked).toMatchObject({ status: 0, stderr: '' });
    expect(checked.stdout.trimEnd().split('\n').sort()).toEqual(names.map((name) => `${name}: OK`).sort());
    const { resources } = JSON.parse(readFileSync(join(from, 'datapackage.json'), 'utf8')) as DataPackage;
    for (const resource of resources.filter(({ path }) => packed.includes(path))) {
      const content = readFileSync(join(saved.path, resource.path.slice(0, -3)));
      const unpacked = { bytes: content.length, hash: `sha256:${createHash('sha256').update(content).digest('hex')}` };
      expect(resource).toMatchObject({ unpacked });
    }
    saved.remove();
  });

  test('have a data package with the type and the meaning of every column', () => {
    const text = readFileSync(join(exportFolder(site.pointer.revision), 'datapackage.json'), 'utf8');
    const { resources } = JSON.parse(text) as DataPackage;
    const fields = resources.flatMap(({ schema }) => schema.fields);
    expect(fields.filter(({ description }) => !description)).toEqual([]);
    const types = Object.fromEntries(resources[0]?.schema.fields.map(({ name, type }) => [name, type]) ?? []);
    const expected = { category_ids: 'array', price_amount_minor: 'integer', price_retrieved_at: 'datetime' };
    expect(types).toMatchObject({ agency_sku: 'string', ...expected });
  });
});

describe('the Atom feed of publications', needing('python3'), () => {
  type Element = readonly [name: string, text: string, attributes: Readonly<Record<string, string>>];

  /** Prints the elements of an Atom feed as JSON, one per line. Fails if the feed is not well-formed. */
  const toJson = `
import json, sys
import xml.etree.ElementTree as tree
atom = '{http://www.w3.org/2005/Atom}'
feed = tree.fromstring(sys.stdin.buffer.read())
assert feed.tag == atom + 'feed'
print(json.dumps([[element.tag.removeprefix(atom), element.text or '', element.attrib] for element in feed.iter()]))
`;
  const feedPath = '/v1/metadata/publications.atom';
  const texts = (elements: readonly Element[], tag: string) =>
    elements.flatMap(([name, text]) => (name === tag ? [text] : []));
  const links = (elements: readonly Element[]) =>
    elements.flatMap(([name, , attributes]) => (name === 'link' ? [attributes] : []));
  let head: Element[];
  /** The elements of each entry. */
  const entries: Element[][] = [];
  beforeAll(() => {
    const printed = execFileSync(program('python3'), ['-c', toJson], { input: site.bytes(feedPath), encoding: 'utf8' });
    const elements = JSON.parse(printed) as Element[];
    head = elements.slice(
      0,
      elements.findIndex(([name]) => name === 'entry'),
    );
    for (const element of elements.slice(head.length)) {
      if (element[0] === 'entry') entries.push([]);
      entries.at(-1)?.push(element);
    }
  });

  test('has what RFC 4287 requires of a feed', () => {
    expect(texts(head, 'id')).toEqual([expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/)]);
    expect(texts(head, 'title')).toEqual([expect.stringContaining('Publications')]);
    expect(texts(head, 'updated')).toEqual([site.pointer.published_at]);
    expect(texts(head, 'name')).toHaveLength(1);
    expect(links(head)).toEqual([
      { rel: 'self', type: 'application/atom+xml', href: feedPath },
      { rel: 'alternate', type: 'application/json', href: '/v1/metadata/publications' },
      { rel: 'alternate', type: 'text/html', href: '/' },
    ]);
  });

  test('has an entry for each retained publication, with counts, warnings and exports', () => {
    type Exports = Record<string, { url: string }>;
    type Publication = { revision: string; sequence: number; published_at: string; exports: Exports };
    const { data } = site.document<{ data: Publication[] }>('/v1/metadata/publications');
    const found = entries.map((entry) => [
      ...['id', 'title', 'updated'].flatMap((name) => texts(entry, name)),
      links(entry).flatMap(({ rel, href }) => (rel === 'enclosure' ? [href] : [])),
    ]);
    const expected = data.map(({ revision, sequence, published_at, exports }) => [
      ...[`urn:uuid:${revision}`, `Publication ${sequence}`, published_at],
      Object.values(exports).map(({ url }) => url),
    ]);
    expect(found).toEqual(expected);
    expect(texts(entries[0] ?? [], 'content')[0]).toMatch(
      /^53 products, 17 stores, 765 observed pairs of a product and a store\. \d+ new change events?\. FIXTURE_DATA: the data are invented/,
    );
  });
});
