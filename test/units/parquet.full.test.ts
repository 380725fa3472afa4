import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportResource } from '../../contract/columns/export.ts';
import { tableColumns } from '../../contract/columns/parquet.ts';
import { usualProfile } from '../../contract/profile.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { readText } from '../project/repository.ts';
import { duckdbTypes, ndjsonColumns } from '../research/duckdb-types.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const fixtures = join(folder.path, 'fixtures');
const fileAt = (site: string, path: string) => join(site, 'site', path);

let duckdb: Duckdb;
const query = async (sql: string) => (await duckdb.query(sql)).rows;

beforeAll(async () => {
  await copyBuiltFixtures(fixtures, 12);
  duckdb = await Duckdb.open(folder.path);
});
afterAll(folder.remove);

test.each(exportResource.options)(
  '%s as Parquet has the records of the NDJSON as docs/research.md reads it, in their order',
  async (resource) => {
    const { pointer } = readSite(fixtures);
    const option = 'sample_size = -1';
    expect(readText('docs/research.md')).toContain(`\`${option}\``);
    expect(pointer.publications.length).toBeGreaterThan(2);
    const columns = tableColumns(resource, usualProfile).filter(({ name }) => ndjsonColumns[resource].includes(name));
    const values = columns.map(({ name, type }) => `${name}::${duckdbTypes[type]} AS ${name}`).join(', ');
    for (const { revision } of pointer.publications) {
      const base = fileAt(fixtures, `v1/exports/${revision}/${resource}`);
      const lines = `read_json('${base}.ndjson.gz', format = 'newline_delimited', ${option})`;
      const rows = await query(`SELECT ${values} FROM ${lines} WHERE record_type <> 'header'`);
      expect(rows.length).toBeGreaterThan(10);
      expect(await query(`SELECT ${values} FROM '${base}.parquet'`)).toEqual(rows);
    }
  },
);

test('every fact of an event has a column', async () => {
  const file = fileAt(fixtures, 'v1/exports/changes/newest.parquet');
  const rows = await query(`SELECT type, change, * EXCLUDE (type, change, semantics) FROM '${file}'`);
  for (const [type, change, ...columns] of rows) {
    for (const fact of eventFacts(JSON.parse(String(change)))) {
      expect(columns, `${type}: ${change}`).toContainEqual(fact);
    }
  }
  expect(new Set(rows.map(([type]) => type)).size).toBe(8);
});

/**
 * The facts in the change of an event: names, codes, quantities and prices. Ids, currencies and prices as text only
 * repeat them.
 */
function eventFacts(change: unknown): unknown[] {
  if (Array.isArray(change)) return change.flatMap(eventFacts);
  if (typeof change !== 'object' || change === null) return change === null ? [] : [String(change)];
  const { id: _, currency: __, field: ___, normalization_state: ____, ...rest } = change as Record<string, unknown>;
  if ('amount_minor' in rest) return [String(rest.amount_minor)];
  if ('display' in rest) return rest.display === null ? [] : [rest.display];
  return Object.values(rest).flatMap(eventFacts);
}

test('daily has every product in every publication with retained events, with the values of its series', async () => {
  const { pointer, routes } = readSite(fixtures);
  const rows = await query(`
    SELECT agency_sku, publication, price_amount_minor, inventory_attempted, inventory_observed,
      positive_store_count, reported_quantity
    FROM '${fileAt(fixtures, 'v1/exports/daily.parquet')}' ORDER BY ALL`);
  const all = Array.from({ length: pointer.sequence }, (_, index) => index + 1);
  expect(pointer.publications.length).toBeLessThan(all.length);
  const expected = [...routes.keys()]
    .filter((path) => path.endsWith('/series.json'))
    .flatMap((path) => dailyRows(documentAt<Series>(fixtures, path), all))
    .sort((a, b) => (`${a[0]} ${String(a[1]).padStart(9)}` < `${b[0]} ${String(b[1]).padStart(9)}` ? -1 : 1));
  expect(rows).toEqual(expected.map((row) => row.map((value) => (value === null ? null : String(value)))));
  expect(new Set(expected.map(([, publication]) => publication)).size).toBe(all.length);
});

type Series = {
  product: { source_ids: { agency_sku: string } };
  retrievals: {
    publication: number[];
    succeeded: boolean[];
    reported_positive_store_count: (number | null)[];
    reported_quantity: (number | null)[];
  };
  prices: { publication: number[]; price_minor: (number | null)[] };
};

/** The values of a product in each publication, from its series. */
function dailyRows({ product, retrievals, prices }: Series, publications: readonly number[]): unknown[][] {
  return publications.flatMap((at) => {
    const price = prices.publication.findLastIndex((publication) => publication <= at);
    if (price < 0) return [];
    const attempt = retrievals.publication.indexOf(at);
    const success = retrievals.publication.findLastIndex(
      (publication, i) => publication <= at && retrievals.succeeded[i],
    );
    return [
      [
        product.source_ids.agency_sku,
        at,
        prices.price_minor[price],
        attempt >= 0,
        attempt >= 0 && success === attempt,
        retrievals.reported_positive_store_count[success] ?? null,
        retrievals.reported_quantity[success] ?? null,
      ],
    ];
  });
}
