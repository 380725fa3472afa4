import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ChangePieces } from '../../generator/contract/formats/change-pieces.ts';
import { exportResource } from '../../generator/contract/formats/export.ts';
import type { ExportManifestDocument } from '../../generator/contract/formats/export-manifest.ts';
import { tableColumns } from '../../generator/contract/formats/parquet.ts';
import { build } from '../build/fixture-series.ts';
import { Duckdb } from '../project/duckdb-query.ts';
import { readText } from '../project/repository.ts';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { publishLongHistory } from '../support/long-history.ts';
import { duckdbTypes, ndjsonColumns } from './duckdb-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'shelfpress-large-'));
let server: RunningServer;
let duckdb: Duckdb;
let manifest: ExportManifestDocument['data'];
let history: ChangePieces;

/** Downloads the file at an address into the folder, as it is sent. */
async function download(url: string, name: string): Promise<void> {
  const { status, body } = await server.get(url);
  expect(status, url).toBe(200);
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), body);
}

async function document<Type>(path: string): Promise<Type> {
  return (await (await fetch(server.origin + path)).json()) as Type;
}

/** Of the codecs of Parquet, the reader has only Snappy by itself. */
const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };

/** Bytes of the parts of a file that the server has logged so far. */
function bytesSent(url: string): number {
  const answers = server.log.filter(({ target, status }) => target === url && status === 206);
  return answers.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

beforeAll(async () => {
  const database = join(folder, 'db.sqlite');
  await publishLongHistory(folder, database, 1, 2);
  await build(database, join(folder, 'dist'));
  server = await RunningServer.start(['--dist', join(folder, 'dist')]);
  manifest = (await document<ExportManifestDocument>('/v1/exports')).data;
  history = await document<ChangePieces>('/v1/exports/changes.json');
  duckdb = await Duckdb.open(folder);
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('NDJSON that DuckDB reads as docs/research.md says has the rows of the Parquet files', async () => {
  const option = 'sample_size = -1';
  expect(readText('docs/research.md')).toContain(`\`${option}\``);
  expect(history.pieces).toHaveLength(1);
  for (const name of exportResource.options) {
    await download(manifest.files[name].url, `${name}.ndjson.gz`);
    await download(manifest.parquet.files[name].url, `${name}.parquet`);
  }
  for (const { url } of history.pieces) await download(url, 'changes.ndjson.gz');
  await download(history.parquet.url, 'changes.parquet');
  await duckdb.query("SET TimeZone = 'UTC'");
  for (const table of [...exportResource.options, 'changes'] as const) {
    // DuckDB makes a STRUCT of the member that differs from event to event. Parquet has it as text.
    const columns = tableColumns(table).filter(({ name }) => ndjsonColumns[table].includes(name) && name !== 'change');
    const values = columns.map(({ name, type }) => `${name}::${duckdbTypes[type]}::VARCHAR`).join(', ');
    const lines = `SELECT ${values} FROM read_json('${table}.ndjson.gz', format = 'newline_delimited', ${option})
      WHERE record_type <> 'header'`;
    const parquet = `SELECT ${values} FROM '${table}.parquet'`;
    const { rows } = await duckdb.query(`
      SELECT (SELECT count(*) FROM (${parquet})) > 0, (SELECT count(*) FROM (${lines} EXCEPT ALL ${parquet})),
        (SELECT count(*) FROM (${parquet} EXCEPT ALL ${lines}))`);
    expect(rows, table).toEqual([['true', '0', '0']]);
  }
});

describe('a column of a Parquet file', () => {
  /** Bytes of the end of a file that the reader asks for first. It asks for more where the footer is longer. */
  const firstRead = 1024;

  test.each([
    { name: 'the quantities of inventory', at: () => manifest.parquet.files.inventory, column: 'reported_quantity' },
    { name: 'the stores of the change history', at: () => manifest.parquet.history.changes, column: 'store_name' },
  ])('$name: the server sends it and the footer, and nothing else', async ({ at, column }) => {
    const { url, size, record_count } = at();
    const file = await asyncBufferFromUrl({ url: server.origin + url });
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: firstRead });
    const rows = await parquetReadObjects({ file, metadata, columns: [column], compressors });
    expect(rows).toHaveLength(record_count);
    const chunks = metadata.row_groups.flatMap(({ columns }) =>
      columns.filter(({ meta_data }) => meta_data?.path_in_schema.join('.') === column),
    );
    const needed = chunks.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_compressed_size), 0);
    const footer = Math.max(firstRead, metadata.metadata_length + 8);
    await eventually(() => bytesSent(url) >= needed + footer);
    expect(bytesSent(url)).toBe(needed + footer);
    expect(needed + footer).toBeLessThan(size / 2);
  });
});
