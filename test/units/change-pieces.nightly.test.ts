import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { v5 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TableHeader } from '../../contract/columns/parquet.ts';
import { recordMaker } from '../../contract/columns/table.ts';
import { objectPath } from '../../contract/paths.ts';
import { usualProfile } from '../../contract/profile.ts';
import type { ChangeEvent } from '../../contract/schemas/change.ts';
import type { ChangePieces } from '../../contract/schemas/change-pieces.ts';
import { type ChangeRecord, changeColumns, changeRecord } from '../../contract/schemas/change-pieces.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { ParquetTable } from '../../generator/tables/parquet.ts';
import { Pieces } from '../../generator/tables/pieces.ts';
import { TableFile } from '../../generator/tables/table-file.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { eventsPerPublication, publishLongHistory } from '../support/long-history.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { build, expectAsFromNothing, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

const folder = temporaryFolder();
const site = join(folder.path, 'site');
const database = join(folder.path, 'db.sqlite');
const piecePath = (number: number) => `/v1/exports/changes/${number}.ndjson.gz`;

const tablePath = (number: number) => `/v1/exports/changes/${number}.parquet`;
const allPieces = '/v1/exports/changes.parquet';

/** After each publication, the pieces that a reader finds and the hashes of their Parquet files. */
type Seen = { manifest: ChangePieces; pieces: Route[]; bytes: Buffer[]; tables: Map<string, string> };
const seen: Seen[] = [];

function look(dist: string): Seen {
  const { routes } = readSite(dist);
  const manifest = documentAt<ChangePieces>(dist, '/v1/exports/changes.json');
  const pieces = [...routes.values()].filter(({ path }) => /^\/v1\/exports\/changes\/.+gz$/.test(path));
  pieces.sort((a, b) => (a.path < b.path ? -1 : 1));
  const parquet = [...routes.values()].filter(({ path }) => path.endsWith('.parquet'));
  return {
    manifest,
    pieces,
    bytes: pieces.map(({ sha256 }) => readFileSync(join(dist, objectPath(sha256)))),
    tables: new Map(parquet.map(({ path, sha256 }) => [path, sha256])),
  };
}

beforeAll(async () => {
  for (const number of [1, 2, 3]) {
    await publishLongHistory(database, number, number);
    await build(database, site);
    seen.push(look(site));
  }
}, 300_000);
afterAll(folder.remove);

const parseLines = (bytes: Buffer): ChangeRecord[] =>
  gunzipSync(bytes)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

test('every whole segment of the history has a piece, as NDJSON and as Parquet', () => {
  const numbers = [[], [1], [1, 2]];
  expect(seen.map(({ pieces }) => pieces.map(({ path }) => path))).toEqual(numbers.map((some) => some.map(piecePath)));
  expect(seen.map(({ manifest }) => manifest.pieces.map(({ parquet }) => parquet.url))).toEqual(
    numbers.map((some) => some.map(tablePath)),
  );
  expect(seen.map(({ manifest }) => [manifest.after.first_event, manifest.after.first_page])).toEqual([
    [1, 1],
    [10_001, 101],
    [20_001, 201],
  ]);
});

test('a piece never changes, but the file of all pieces does', () => {
  const [first, second, third] = seen;
  expect(third?.pieces[0]).toEqual(second?.pieces[0]);
  expect(second?.pieces[0]).toMatchObject({ cache: 'immutable', last_modified: '2025-01-22T00:00:00Z' });
  expect(second?.tables.get(tablePath(1))).toBeDefined();
  expect(third?.tables.get(tablePath(1))).toBe(second?.tables.get(tablePath(1)));
  expect(new Set([first, second, third].map((one) => one?.tables.get(allPieces))).size).toBe(3);
});

test('the list has the name, size and hash of what each piece unpacks to', () => {
  for (const { manifest, bytes } of seen) {
    const contents = bytes.map((piece) => gunzipSync(piece));
    expect(manifest.pieces.map(({ unpacked }) => unpacked)).toEqual(
      contents.map((content, index) => ({
        name: `changes-${index + 1}.ndjson`,
        size: content.length,
        sha256: hash('sha256', content),
      })),
    );
  }
});

test('its records are the events of its pages, oldest first', () => {
  const records = (seen[1]?.bytes ?? []).flatMap(parseLines);
  expect(records.map(({ number }) => number)).toEqual(Array.from({ length: 10_000 }, (_, i) => i + 1));
  expect(records.filter((record) => !changeRecord.safeParse(record).success)).toEqual([]);
  const makeRecord = recordMaker('change', Object.entries(changeColumns));
  for (const page of [1, 76, 77, 100]) {
    const { data } = documentAt<{ data: ChangeEvent[] }>(site, `/v1/changes/pages/${page}.json`);
    // The oldest pages have expired in the meantime.
    if (page > 76) expect(data).toHaveLength(100);
    for (const [i, event] of data.reverse().entries()) {
      const number = (page - 1) * 100 + i + 1;
      expect(records[number - 1]).toEqual(makeRecord({ number, event } as never));
    }
  }
});

/** DuckDB's names for types of fields. All other fields are texts. */
const ndjsonTypes: Readonly<Record<string, string>> = {
  integer: 'BIGINT',
  number: 'DOUBLE',
  'date-time': 'TIMESTAMPTZ',
};

test('Parquet has the records of each piece, of all pieces in one file, and of the events after them', async () => {
  const files = join(site, 'site/v1/exports');
  const { fields } = documentAt<{ fields: { name: string; type: string }[] }>(site, '/v1/exports/changes.json');
  const plain = fields.map(({ name }) => name).filter((name) => !['id', 'change'].includes(name));
  const types = fields.map(({ name, type }) => `${name}: '${ndjsonTypes[type.replace(' or null', '')] ?? 'VARCHAR'}'`);
  const columns = `{record_type: 'VARCHAR', ${types.join(', ')}}`;
  const source = `read_json('${files}/changes/*.ndjson.gz', format = 'newline_delimited', columns = ${columns})`;
  const duckdb = await Duckdb.open(folder.path);
  for (const [file, ids] of [
    [`${files}/changes/[12].parquet`, ', id'],
    [`${files}/changes.parquet`, ''],
  ]) {
    const lines = `SELECT ${plain.join(', ')}${ids}, change::JSON::VARCHAR AS change FROM ${source}`;
    const rows = `SELECT ${plain.join(', ')}${ids && ', id::VARCHAR AS id'}, change FROM '${file}'`;
    const compared = `WITH lines AS (${lines}), rows AS (${rows}) SELECT (SELECT count(*) FROM rows),
      (SELECT count(*) FROM (FROM lines EXCEPT ALL FROM rows)), (SELECT count(*) FROM (FROM rows EXCEPT ALL FROM lines))`;
    expect((await duckdb.query(compared)).rows[0]?.map(Number), file).toEqual([20_000, 0, 0]);
  }
  const all = `read_parquet(['${files}/changes.parquet', '${files}/changes/newest.parquet'])`;
  const sorted = await duckdb.query(`SELECT agency_sku, number FROM '${files}/changes.parquet'`);
  const inOrder = await duckdb.query(
    `SELECT agency_sku, number FROM '${files}/changes.parquet' ORDER BY agency_sku, number`,
  );
  expect(sorted.rows).toEqual(inOrder.rows);
  const total = 3 * eventsPerPublication;
  const counted = await duckdb.query(`SELECT count(*), min(number), max(number), count(DISTINCT number) FROM ${all}`);
  expect(counted.rows[0]?.map(Number)).toEqual([total, 1, total, total]);
});

test('the id of an event follows from its publication, type, product and store', async () => {
  const files = join(site, 'site/v1/exports');
  const duckdb = await Duckdb.open(folder.path);
  const { rows } = await duckdb.query(`
    SELECT DISTINCT ON (event.publication, event.type)
      piece.id::VARCHAR, daily.publication_revision, event.type, event.product_id, event.store_id
    FROM '${files}/changes.parquet' AS event
      JOIN '${files}/changes/[12].parquet' AS piece USING (number)
      JOIN '${files}/daily.parquet' AS daily ON daily.publication = event.publication`);
  expect(rows.length).toBeGreaterThan(3);
  for (const [id, revision, type, product, store] of rows) {
    expect(v5(`${type}:${product}:${store ?? ''}`, String(revision))).toBe(id);
  }
});

/** Replaces the records of a piece. */
function editPiece(edited: EditedSite, number: number, edit: (lines: string[]) => unknown): void {
  const lines = gunzipSync(edited.bytes(edited.objectOf(piecePath(number))))
    .toString()
    .trimEnd()
    .split('\n');
  edit(lines);
  edited.replace(piecePath(number), gzipSync(lines.map((line) => `${line}\n`).join('')));
}

const inList = '/v1/exports/changes.json';

test('verify notices pieces and segments that are cut off, incomplete or changed, and wrong statements about them', async () => {
  // Verifying this site takes seconds, so it has many faults at once.
  const edited = new EditedSite(site);
  editPiece(edited, 1, (lines) => {
    lines.splice(7, 1, '{"record_type":"change"}');
    lines.splice(9, 1, lines[8] ?? '');
    lines.pop();
  });
  edited.replace(piecePath(2), edited.bytes(edited.objectOf(piecePath(2))).subarray(0, 5_000));
  edited.replace(tablePath(2), edited.bytes(edited.objectOf(tablePath(1))));
  edited.editDocument(inList, ({ pieces, after }) => {
    pieces.pop();
    pieces[0].unpacked.size += 1;
    Object.assign(after, { first_event: 30_001, first_page: 301 });
  });
  const [index, second] = ['/v1/changes/pages.json', '/v1/changes/segments/2.json'];
  edited.editDocument(second, ({ pages }) => Object.assign(pages[56], { products: [0] }));
  edited.editDocument(index, ({ segments }) => {
    segments[1].count -= 1;
    segments[1].stores.pop();
  });
  const found = await edited.explainedFaults();
  const expected = [
    ...['export_mismatch', 'publication_mismatch'].map((code) => `${code} ${inList}:`),
    ...['export_count', 'export_order', 'export_record'].map((code) => `${code} ${piecePath(1)}:`),
    ...['export_compression', 'export_mismatch'].map((code) => `${code} ${piecePath(2)}:`),
    ...[`parquet_count ${tablePath(1)}:`, `export_mismatch ${tablePath(2)}:`],
    ...[`index_mismatch ${index}: segment 2 with count 10000`, `index_mismatch ${index}: segment 2 with stores `],
    `index_mismatch ${second}: page 157 with products `,
  ];
  expect(expected.filter((start) => !found.some((fault) => fault.startsWith(start)))).toEqual([]);
  expect(found.filter((fault) => !expected.some((start) => fault.startsWith(start)))).toEqual([]);
});

/** A copy of a table over time with its row groups `times` times, and another header. */
function copiedTable(path: string, times: number, edit: (header: TableHeader) => TableHeader): Buffer {
  const route = readSite(site).routes.get(path);
  if (!route) throw new Error(`no ${path}`);
  const file = new TableFile(join(site, objectPath(route.sha256)), route.size);
  const pieces = new Pieces();
  const copy = new ParquetTable('changes_history', usualProfile, path, pieces.add);
  for (const group of file.groups.keys()) for (let i = 0; i < times; i += 1) copy.copyGroup(file, group);
  const header = JSON.parse(file.header ?? '') as TableHeader;
  copy.end(edit({ ...header, record_count: copy.rows }));
  return pieces.bytes();
}

test.each([
  ['rows that come twice', 2, ({ runs = [] }) => runs.map((run) => ({ ...run, record_count: 40_000 })), 'export_order'],
  ['rows of other events', 1, ({ runs = [] }) => runs.map((run) => ({ ...run, last: 19_999 })), 'export_order'],
  [
    'a run without rows',
    1,
    ({ runs = [] }) => [...runs, { first: 20_001, last: 20_010, record_count: 10 }],
    'parquet_count',
  ],
  ['rows of no run', 1, () => [], 'parquet_count'],
] as const satisfies [string, number, (header: TableHeader) => unknown, string][])(
  'verify notices %s in a table over time',
  async (_, times, runsOf, code) => {
    const edited = new EditedSite(site);
    edited.replace(
      allPieces,
      copiedTable(allPieces, times, (header) => ({
        ...header,
        runs: runsOf(header) as NonNullable<TableHeader['runs']>,
      })),
    );
    const found = await edited.explainedFaults();
    expect(found).toContainEqual(expect.stringContaining(`${code} ${allPieces}: `));
  },
);

test('verify notices segments that list other pages, and a missing segment', async () => {
  const [index, second] = ['/v1/changes/pages.json', '/v1/changes/segments/2.json'];
  const edited = new EditedSite(site);
  edited.editDocument(second, ({ pages }) => pages.reverse());
  edited.editDocument(index, ({ segments }) => segments.shift());
  const faults = await edited.explainedFaults();
  expect(faults).toContainEqual(expect.stringContaining(`index_mismatch ${second}: segment 2 with pages 101 to 200`));
  expect(faults).toContainEqual(expect.stringContaining(`index_mismatch ${index}: a summary of page 100`));
});

test('a whole piece expires with its newest event, as in a build from scratch', async () => {
  await publishLongHistory(database, 4, 4);
  await build(database, site);
  const { pieces, manifest } = look(site);
  expect(3 * eventsPerPublication).toBeLessThan(30_000);
  expect(pieces.map(({ path }) => path)).toEqual([piecePath(2), piecePath(3)]);
  expect(pieces[0]).toEqual(seen[2]?.pieces[1]);
  expect(manifest.pieces.map(({ number }) => number)).toEqual([2, 3]);
  const { faults, counts } = await verifySite(site);
  expect(faults).toEqual([]);
  expect(counts.export_records).toBeGreaterThan(20_000);
  await expectAsFromNothing(database, site);
});

test('when the last piece expires, the file of all pieces is empty, as in a build from scratch', async () => {
  await publishLongHistory(database, 5, 5, { historyDays: 0, asked: 40 });
  await build(database, site);
  const { pieces, manifest } = look(site);
  expect([pieces, manifest.pieces]).toEqual([[], []]);
  // Events of the previous publication remain if they share a page with the first events of the last one.
  const first = 4 * eventsPerPublication - ((4 * eventsPerPublication) % 100) + 1;
  expect(manifest.after).toMatchObject({ first_event: first, first_page: (first - 1) / 100 + 1 });
  expect((await verifySite(site)).faults).toEqual([]);
  await expectAsFromNothing(database, site);
});
