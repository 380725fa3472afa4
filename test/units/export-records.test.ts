import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExportSources } from '../../contract/columns/export.ts';
import { inventoryColumns } from '../../contract/columns/export.ts';
import { recordMaker } from '../../contract/columns/table.ts';
import { openForReading } from '../../generator/database/database-file.ts';
import { makeExportHeader, readExportSources } from '../../generator/documents/export-records.ts';
import { type State, stateAt } from '../../generator/documents/state.ts';
import { exportWriter } from '../../generator/tables/export.ts';
import { Pieces } from '../../generator/tables/pieces.ts';
import { publishFixtures, temporaryFolder } from './fixture-series.ts';

type Pair = ExportSources['inventory'];

const folder = temporaryFolder();
const path = '/v1/exports/some-revision/inventory.ndjson.gz';
let state: State;
let pair: Pair;

beforeAll(async () => {
  const database = join(folder.path, 'db.sqlite');
  await publishFixtures(database, 0, 1);
  const connection = openForReading(database);
  state = stateAt(connection, 1);
  pair = readExportSources(state, 'inventory').next().value as never;
  connection.close();
});
afterAll(folder.remove);

/** An export of inventory that takes this many rows. */
function inventoryWriter(record_count: number) {
  const { header } = makeExportHeader(state, 'inventory', null);
  const ndjson = new Pieces();
  const sinks = { ndjson: ndjson.add, parquet: () => undefined };
  const rows = exportWriter(path, { record_type: 'header', header: { ...header, record_count } }, state.profile, sinks);
  return { ...rows, ndjson };
}

test.each<[string, Partial<Pair>, string]>([
  ['a quantity below zero', { reported_quantity: -1 }, 'reported_quantity: expected a number of at least 0, got -1'],
  ['no time of retrieval', { retrieved_at: null as never }, 'retrieved_at: expected a string, got null'],
  ['an unknown state', { state: 'sold' as never }, 'state: expected one of '],
  ['a store that is no UUID', { store_id: '0001' }, 'store_id: expected '],
])('a record with %s is refused, with its number and its column', (_, fault, message) => {
  const writer = inventoryWriter(4);
  for (let row = 0; row < 3; row += 1) writer.add(pair as never);
  // A value that was refused is not taken for one that was checked.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    expect(() => writer.add({ ...pair, ...fault } as never)).toThrow(`${path}: record 4: ${message}`);
  }
});

test('every record has its own values, however many different ones a column has', () => {
  const rows = Array.from({ length: 10_000 }, (_, row) => {
    // Some values repeat at once, some later, and some after more others than are kept.
    const reported_quantity = [row % 2 === 0 ? null : 0, row, row % 3_000][row % 3] ?? null;
    return { ...pair, reported_quantity, meets_retrieval_policy: row % 7 < 3 };
  });
  const writer = inventoryWriter(rows.length);
  for (const row of rows) writer.add(row as never);
  writer.end();
  const [, ...lines] = gunzipSync(writer.ndjson.bytes()).toString().trimEnd().split('\n');
  const makeRecord = recordMaker('inventory', Object.entries(inventoryColumns));
  expect(lines).toEqual(rows.map((row) => JSON.stringify(makeRecord(row))));
});
