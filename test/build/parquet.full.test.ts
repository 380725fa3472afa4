import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeFields, exportResource } from '../../generator/contract/formats/export.ts';
import type { ExportManifestDocument } from '../../generator/contract/formats/export-manifest.ts';
import { headerKey, tableHeader } from '../../generator/contract/formats/parquet.ts';
import { metadataOf } from '../../generator/encode/parquet.ts';
import { eventsPerPublication, publishLongHistory } from '../support/long-history.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { build, publishFixtures, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const [fixtures, history] = [join(folder.path, 'fixtures'), join(folder.path, 'history')];
const fileAt = (site: string, path: string) => join(site, 'site', path);

beforeAll(async () => {
  const database = join(folder.path, 'fixtures.sqlite');
  for (const [from, to] of [
    [0, 10],
    [10, 11],
    [11, 12],
  ] as const) {
    await publishFixtures(database, from, to);
    await build(database, fixtures);
  }
  // 23 pages short of a piece, then a piece and a half, then two.
  for (const number of [1, 2, 3]) {
    await publishLongHistory(folder.path, join(folder.path, 'history.sqlite'), number, number);
    await build(join(folder.path, 'history.sqlite'), history);
  }
});
afterAll(folder.remove);

async function query(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run("SET TimeZone = 'UTC'");
  return (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][];
}

const duckTypes: Readonly<Record<string, string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  'date-time': 'TIMESTAMPTZ',
  'array of string': 'VARCHAR[]',
};

/** An NDJSON file as DuckDB reads it with the types that its columns have. */
function ndjson(file: string, columns: readonly { readonly name: string; readonly type: string }[]): string {
  const types = columns.map(({ name, type }) => `${name}: '${duckTypes[type.replace(' or null', '')] ?? 'VARCHAR'}'`);
  return `read_json('${file}', format = 'newline_delimited', columns = {record_type: 'VARCHAR', ${types.join(', ')}})`;
}

describe('an export as Parquet', () => {
  test.each(exportResource.options)('%s has the records of the NDJSON, in their order', async (resource) => {
    const { pointer } = readSite(fixtures);
    expect(pointer.publications.length).toBeGreaterThan(2);
    for (const { revision } of pointer.publications) {
      const base = fileAt(fixtures, `v1/exports/${revision}/${resource}`);
      const fields = describeFields(resource);
      const names = fields.map(({ name }) => name).join(', ');
      const lines = `SELECT ${names} FROM ${ndjson(`${base}.ndjson.gz`, fields)} WHERE record_type <> 'header'`;
      const rows = await query(lines);
      expect(rows.length).toBeGreaterThan(10);
      expect(await query(`SELECT ${names} FROM '${base}.parquet'`)).toEqual(rows);
    }
  });

  test('has typed columns', async () => {
    const { revision } = readSite(fixtures).pointer;
    const typesOf = async (table: string) =>
      Object.fromEntries(
        (await query(`DESCRIBE SELECT * FROM '${fileAt(fixtures, `v1/exports/${revision}/${table}.parquet`)}'`)).map(
          ([name, type]) => [name, type],
        ),
      );
    expect(await typesOf('products')).toMatchObject({
      id: 'VARCHAR',
      category_ids: 'VARCHAR[]',
      price_amount_minor: 'BIGINT',
      price_amount: 'DECIMAL(18,2)',
      price_retrieved_at: 'TIMESTAMP WITH TIME ZONE',
      meets_retrieval_policy: 'BOOLEAN',
    });
    expect(await typesOf('stores')).toMatchObject({ latitude: 'DOUBLE', services: 'VARCHAR[]' });
  });

  test('says in its footer what the header record says', () => {
    const { revision, published_at } = readSite(fixtures).pointer;
    const bytes = readFileSync(fileAt(fixtures, `v1/exports/${revision}/inventory.parquet`));
    const { key_value_metadata, created_by } = metadataOf(bytes);
    const header = tableHeader.parse(JSON.parse(key_value_metadata?.find(({ key }) => key === headerKey)?.value ?? ''));
    expect(created_by).toBe('shelfpress');
    expect(header).toMatchObject({ resource: 'inventory', publication_revision: revision, published_at });
    expect(header.record_count).toBe(Number(metadataOf(bytes).num_rows));
    expect(header.fields).toEqual(describeFields('inventory'));
  });
});

describe('the change history as Parquet', () => {
  const changes = fileAt(history, 'v1/exports/changes.parquet');
  const newest = fileAt(history, 'v1/exports/changes/newest.parquet');

  test('a piece has the records of its NDJSON', async () => {
    const { fields } = documentAt<{ fields: { name: string; type: string }[] }>(history, '/v1/exports/changes.json');
    const names = fields.map(({ name }) => name);
    for (const number of [1, 2]) {
      const base = fileAt(history, `v1/exports/changes/${number}`);
      const lines = ndjson(`${base}.ndjson.gz`, fields);
      const plain = names.filter((name) => name !== 'change').join(', ');
      const [differing] = await query(`
        WITH lines AS (SELECT ${plain}, change::JSON::VARCHAR AS change FROM ${lines}),
          rows AS (SELECT ${plain.replace(/\bid\b/, 'id::VARCHAR AS id')}, change FROM '${base}.parquet')
        SELECT (SELECT count(*) FROM rows), (SELECT count(*) FROM (FROM lines EXCEPT ALL FROM rows)),
          (SELECT count(*) FROM (FROM rows EXCEPT ALL FROM lines))`);
      expect(differing?.map(Number)).toEqual([10_000, 0, 0]);
    }
  });

  test('one file has all pieces, and another the events after them', async () => {
    const numbers = `SELECT count(*), min(number), max(number), count(DISTINCT number) FROM`;
    expect((await query(`${numbers} '${changes}'`))[0]?.map(Number)).toEqual([20_000, 1, 20_000, 20_000]);
    const total = 3 * eventsPerPublication;
    expect((await query(`${numbers} read_parquet(['${changes}', '${newest}'])`))[0]?.map(Number)).toEqual([
      total,
      1,
      total,
      total,
    ]);
  });

  test('the file of all pieces has their row groups byte for byte, with the same bounds', () => {
    const whole = readFileSync(changes);
    const pieces = [1, 2].map((number) => readFileSync(fileAt(history, `v1/exports/changes/${number}.parquet`)));
    const bounds = (bytes: Buffer) =>
      metadataOf(bytes).row_groups.map(({ columns, num_rows }) => [
        num_rows,
        columns.map(({ meta_data }) => [meta_data?.path_in_schema, meta_data?.statistics]),
      ]);
    expect(bounds(whole)).toEqual(pieces.flatMap(bounds));
    for (const piece of pieces) {
      const group = metadataOf(piece).row_groups[0];
      const first = group?.columns[0]?.meta_data;
      const start = Number(first?.dictionary_page_offset ?? first?.data_page_offset);
      expect(whole.includes(piece.subarray(start, start + Number(group?.total_compressed_size)))).toBe(true);
    }
  });

  test('every fact of an event has a column', async () => {
    const file = fileAt(fixtures, 'v1/exports/changes/newest.parquet');
    const rows = await query(`SELECT type, change, * EXCLUDE (type, change, semantics) FROM '${file}'`);
    for (const [type, change, ...columns] of rows) {
      for (const fact of factsOf(JSON.parse(String(change)))) {
        expect(columns, `${type}: ${change}`).toContainEqual(fact);
      }
    }
    expect(new Set(rows.map(([type]) => type)).size).toBe(8);
  });
});

/** Values of an event's change that are facts: names, codes, quantities, prices. Ids, currencies and texts of prices repeat others. */
function factsOf(change: unknown): unknown[] {
  if (Array.isArray(change)) return change.flatMap(factsOf);
  if (typeof change !== 'object' || change === null) return change === null ? [] : [asDuck(change)];
  const { id: _, currency: __, field: ___, normalization_state: ____, ...rest } = change as Record<string, unknown>;
  if ('amount_minor' in rest) return [asDuck(rest.amount_minor)];
  if ('display' in rest) return rest.display === null ? [] : [rest.display];
  return Object.values(rest).flatMap(factsOf);
}

const asDuck = (value: unknown) => (typeof value === 'number' ? String(value) : value);

describe('daily', () => {
  const file = fileAt(fixtures, 'v1/exports/daily.parquet');

  test('has every product of every publication with retained events, as its series has it', async () => {
    const { pointer, routes } = readSite(fixtures);
    const rows = await query(`
      SELECT agency_sku, publication, price_amount_minor::INTEGER, inventory_attempted, inventory_observed,
        positive_store_count::INTEGER, reported_quantity::INTEGER
      FROM '${file}' ORDER BY ALL`);
    const all = Array.from({ length: pointer.sequence }, (_, index) => index + 1);
    expect(pointer.publications.length).toBeLessThan(all.length);
    const expected = [...routes.keys()]
      .filter((path) => path.endsWith('/series.json'))
      .flatMap((path) => dailyOf(documentAt<Series>(fixtures, path), all))
      .sort((a, b) => (`${a[0]} ${String(a[1]).padStart(9)}` < `${b[0]} ${String(b[1]).padStart(9)}` ? -1 : 1));
    expect(rows.map(([sku, publication, ...rest]) => [sku, Number(publication), ...rest])).toEqual(expected);
    expect(new Set(expected.map(([, publication]) => publication)).size).toBe(all.length);
  });

  test('ends with the rows of the files of the publications, oldest first', async () => {
    const { publications } = readSite(fixtures).pointer;
    const parts = publications.map(({ revision }) => fileAt(fixtures, `v1/exports/${revision}/daily.parquet`));
    const all = await Promise.all(parts.toReversed().map((part) => query(`FROM '${part}'`)));
    const rows = all.flat();
    expect((await query(`FROM '${file}'`)).slice(-rows.length)).toEqual(rows);
  });
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

/** What the series of a product says of publications. */
function dailyOf({ product, retrievals, prices }: Series, publications: readonly number[]): unknown[][] {
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

test('the manifest names every file with its count, size and hashes', async () => {
  const { routes } = readSite(fixtures);
  const { parquet } = documentAt<ExportManifestDocument>(fixtures, '/v1/exports').data;
  const named = [...Object.values(parquet.files), ...Object.values(parquet.history)];
  expect(named).toHaveLength(7);
  for (const { url, size, sha256, etag, record_count } of named) {
    expect(routes.get(url)).toMatchObject({ size, sha256, etag, media_type: 'application/vnd.apache.parquet' });
    expect((await query(`SELECT count(*)::INTEGER FROM '${fileAt(fixtures, url)}'`))[0]).toEqual([record_count]);
  }
});

test('a build from nothing makes the same files', async () => {
  for (const site of [fixtures, history]) {
    const fresh = `${site}-fresh`;
    await build(`${site}.sqlite`, fresh);
    const filesIn = (dist: string) =>
      [...readSite(dist).routes.values()]
        .filter(({ path }) => path.endsWith('.parquet'))
        .map(({ path, sha256 }) => [path, sha256]);
    expect(filesIn(fresh)).toEqual(filesIn(site));
  }
});

test('a site without Parquet gets it for every retained publication, and keeps what it has', async () => {
  const earlier = join(folder.path, 'earlier');
  await build(join(folder.path, 'fixtures.sqlite'), earlier);
  const edited = new EditedSite(earlier);
  for (const path of edited.paths(/\.parquet$/)) edited.removeRoute(path);
  const kept = edited.paths(/ndjson\.gz$/).map((path) => edited.route(path));
  edited.write('build-ledger.json', JSON.stringify({ ...edited.json('build-ledger.json'), key: 'of another version' }));
  await build(join(folder.path, 'fixtures.sqlite'), edited.folder);
  expect(edited.paths(/\.parquet$/)).toHaveLength(4 * edited.pointer.publications.length + 3);
  expect(edited.paths(/ndjson\.gz$/).map((path) => edited.route(path))).toEqual(kept);
});
