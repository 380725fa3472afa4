import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvHead, csvRowMaker } from '../../contract/columns/csv-tables.ts';
import type { ProductRecord } from '../../contract/columns/export.ts';
import { parseCsvRow } from '../../contract/csv.ts';
import { parsePath } from '../../contract/paths.ts';
import { usualProfile } from '../../contract/profile.ts';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import type { ExportManifestDocument } from '../../contract/schemas/metadata.ts';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import { Storage } from '../../generator/site/storage.ts';
import { readLedger } from '../../generator/units/ledger.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { curationOf, headerOf, productLine, storeLine } from '../support/snapshot-writer.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { build, publishParts, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const fixtures = join(folder.path, 'fixtures');
const fileAt = (path: string, site = fixtures) => join(site, 'site/v1/exports', path);

beforeAll(() => copyBuiltFixtures(fixtures, 12));
afterAll(folder.remove);

type Row = Readonly<Record<string, string>>;

/** The rows of a CSV file, with the names in its first line. */
function readRows(path: string, site = fixtures): Row[] {
  const [names = [], ...rows] = textAt(path, site)
    .split('\r\n')
    .slice(0, -1)
    .map((line) => parseCsvRow(line) ?? []);
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

function textAt(path: string, site = fixtures): string {
  return gunzipSync(readFileSync(fileAt(path, site))).toString();
}

test('products have the values of the NDJSON, by SKU, and the quantity of the browse index', () => {
  const { pointer } = readSite(fixtures);
  expect(pointer.publications.length).toBeGreaterThan(2);
  for (const { revision } of pointer.publications) {
    const records = textAt(`${revision}/products.ndjson.gz`)
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line): ProductRecord => JSON.parse(line));
    const rows = readRows(`${revision}/products.csv.gz`);
    const bySku = records.toSorted((a, b) => (a.agency_sku < b.agency_sku ? -1 : 1));
    expect(rows.map(shared)).toEqual(
      bySku.map((record) => ({
        agency_sku: record.agency_sku,
        name: record.name,
        brand: record.brand ?? '',
        size: record.package_display ?? '',
        price: record.price_amount_minor === null ? '' : (record.price_amount_minor / 100).toFixed(2),
        currency: 'USD',
        status: record.status_label,
        stores: record.inventory_retrieved_at === null ? '' : String(record.reported_positive_store_count),
        asked: record.inventory_retrieved_at ?? '',
      })),
    );
  }
  const { columns } = documentAt<BrowseIndex>(fixtures, '/v1/products/browse.json');
  const rows = readRows(`${pointer.revision}/products.csv.gz`);
  const listed = rows.filter(({ catalog_presence }) => catalog_presence === 'listed');
  const quantities = new Map(columns.sku.map((sku, index) => [sku, columns.reported_quantity[index]]));
  expect(listed.map(({ reported_quantity_packages }) => reported_quantity_packages)).toEqual(
    listed.map(({ agency_sku }) => String(quantities.get(agency_sku ?? '') ?? '')),
  );
  const bourbon = rows.find(({ agency_sku }) => agency_sku === '001204');
  // 28.99 for 750 mL.
  expect([bourbon?.price_per_liter, bourbon?.categories]).toEqual(['38.65', 'Bourbon']);
});

/** The cells of a product that the NDJSON also has. */
function shared(row: Row) {
  const { agency_sku, name, brand, size, price, currency, status } = row;
  const [stores, asked] = [row.reported_positive_store_count, row.inventory_retrieved_at];
  return { agency_sku, name, brand, size, price, currency, status, stores, asked };
}

test('prices are the price steps in the series of every product', () => {
  const { routes } = readSite(fixtures);
  const steps = [...routes.keys()]
    .filter((path) => path.endsWith('/series.json'))
    .map((path) => documentAt<ProductSeries>(fixtures, path))
    .toSorted((a, b) => (a.product.source_ids.agency_sku < b.product.source_ids.agency_sku ? -1 : 1))
    .flatMap(({ product, prices: { at, price_minor } }) =>
      at.map((from, index) => {
        const price = price_minor[index] ?? null;
        return [
          product.source_ids.agency_sku,
          product.name,
          from,
          at[index + 1] ?? '',
          price === null ? '' : (price / 100).toFixed(2),
        ];
      }),
    );
  const rows = readRows('prices.csv.gz');
  expect(rows.map((row) => [row.agency_sku, row.name, row.from, row.until, row.price])).toEqual(steps);
  expect(rows.filter(({ until }) => until !== '').length).toBeGreaterThan(10);
});

test('daily has the rows of the Parquet file, as DuckDB reads both', async () => {
  const duckdb = await Duckdb.open(folder.path);
  const columns = `publication::BIGINT, published_at::TIMESTAMPTZ, agency_sku, catalog_presence, status_code, lifecycle,
    inventory_attempted::BOOLEAN, inventory_observed::BOOLEAN, inventory_retrieved_at::TIMESTAMPTZ,
    positive_store_count::BIGINT`;
  const csv = `read_csv('${fileAt('daily/*.csv.gz')}', header = true, all_varchar = true)`;
  const found = await duckdb.query(
    `SELECT ${columns}, price::DECIMAL(18,2), reported_quantity_packages::BIGINT FROM ${csv}
      ORDER BY publication::BIGINT, agency_sku`,
  );
  const expected = await duckdb.query(
    `SELECT ${columns}, price_amount, reported_quantity FROM '${fileAt('daily.parquet')}'
      ORDER BY publication, agency_sku`,
  );
  expect(found.rows).toEqual(expected.rows);
  expect(found.rows.length).toBeGreaterThan(500);
});

test('each month of daily has its publications, and daily.csv is the newest', () => {
  const months = readdirSync(fileAt('daily')).sort();
  expect(months).toEqual(['03', '04', '05', '06'].map((month) => `2025-${month}.csv.gz`));
  for (const name of months) {
    const rows = readRows(`daily/${name}`);
    expect(rows[0]?.name).not.toBe('');
    expect(new Set(rows.map(({ published_at }) => published_at?.slice(0, 7)))).toEqual(new Set([name.slice(0, 7)]));
  }
  expect(readFileSync(fileAt('daily.csv.gz')).equals(readFileSync(fileAt('daily/2025-06.csv.gz')))).toBe(true);
  const { csv } = documentAt<ExportManifestDocument>(fixtures, '/v1/exports').data;
  const counts = csv.daily_months.map(({ month }) => readRows(`daily/${month}.csv.gz`).length);
  expect(csv.daily_months.map(({ record_count }) => record_count)).toEqual(counts);
  expect(csv.daily).toEqual({ ...csv.daily_months[0], month: undefined, url: '/v1/exports/daily.csv.gz' });
});

test('a build makes the newest month of daily again, and the one that loses a publication', async () => {
  const [database, dist] = [join(folder.path, 'months.sqlite'), join(folder.path, 'months')];
  /** Publishes and builds. Returns the months that were made, and the publications that each month has. */
  const publish = async (published_at: string, price_minor: number) => {
    const products = [{ ...productLine('000001'), price_minor }];
    const parts = { products, stores: [storeLine('0001')], curation: curationOf({}) };
    const header = headerOf({ published_at, retention: { history_days: 20, publication_days: 1 } }, parts);
    await publishParts(database, { header, ...parts });
    await build(database, dist);
    const { pointer, routes } = readSite(dist);
    const units = Object.entries(readLedger(new Storage(dist))?.units ?? {});
    const made = units.filter(([name, unit]) => name.startsWith('daily.csv') && unit.made === pointer.sequence);
    const months = [...routes.keys()].flatMap((path) => parsePath(path)?.parameters.month ?? []).sort();
    const has = months.map((month) => [
      month,
      readRows(`daily/${month}.csv.gz`, dist).map(({ publication }) => Number(publication)),
    ]);
    return { made: made.map(([name]) => name.slice('daily.csv of '.length)), has: Object.fromEntries(has) };
  };
  await publish('2025-01-02T12:00:00Z', 1000);
  await publish('2025-01-31T23:59:59Z', 1100);
  const two = { '2025-01': [1, 2], '2025-02': [3] };
  expect(await publish('2025-02-01T00:00:00Z', 1200)).toEqual({ made: ['2025-02'], has: two });
  expect(await publish('2025-02-20T12:00:00Z', 1200)).toEqual({
    made: ['2025-02'],
    has: { ...two, '2025-02': [3, 4] },
  });
  // All events are past retention, and with them the publications up to the third.
  const later = { made: ['2025-02', '2025-03'], has: { '2025-02': [4], '2025-03': [5] } };
  expect(await publish('2025-03-05T12:00:00Z', 1200)).toEqual(later);
});

test('prices in a currency without a minor unit have no decimal point, and a statewide site has no column for stores', () => {
  const yen = { ...usualProfile, currency: 'JPY', inventory: 'statewide' } as const;
  expect(csvHead('products', yen)).not.toContain('reported_positive_store_count');
  expect(csvHead('products', usualProfile)).toContain('reported_positive_store_count');
  const times = { from: '2025-01-01T00:00:00Z', until: null };
  const step = { sku: '1', name: 'Sake', brand: null, size: '720 mL', ...times, price_minor: 1500 };
  const cells = csvRowMaker('prices', yen)({ ...step, catalog_presence: 'listed' });
  expect(cells).toEqual(['1', 'Sake', null, '720 mL', times.from, null, '1500', 'JPY', 'listed']);
});
