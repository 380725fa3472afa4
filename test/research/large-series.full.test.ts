import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { asyncBufferFromUrl, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportManifestDocument } from '../../contract/schemas/metadata.ts';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { publishLongHistory } from '../support/long-history.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { build } from '../units/fixture-series.ts';

const folder = temporaryFolder();
let server: RunningServer;
let manifest: ExportManifestDocument['data'];

/** Of the codecs of Parquet, the reader has only Snappy by itself. */
const compressors = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes) };

/** Bytes of the parts of a file that the server has logged so far. */
function bytesSent(url: string): number {
  const answers = server.log.filter(({ target, status }) => target === url && status === 206);
  return answers.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}

beforeAll(async () => {
  const database = join(folder, 'db.sqlite');
  await publishLongHistory(database, 1, 2);
  await build(database, join(folder, 'dist'));
  server = await RunningServer.start([join(folder, 'dist')]);
  const answer = await fetch(`${server.origin}/v1/exports`);
  manifest = ((await answer.json()) as ExportManifestDocument).data;
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  removeFolder(folder);
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

describe('one product in a table over time', () => {
  test.each([
    { name: 'daily', columns: ['agency_sku', 'publication', 'price_amount', 'reported_quantity'] },
    { name: 'changes', columns: ['agency_sku', 'type', 'published_at', 'current_price', 'number'] },
  ] as const)('takes a few requests of $name, and gives all of its rows', async ({ name, columns }) => {
    const { url } = manifest.parquet.history[name];
    let requests = 0;
    const counting: typeof fetch = async (...request) => {
      if (request[1]?.method !== 'HEAD') requests += 1;
      return fetch(...request);
    };
    const all = await parquetReadObjects({
      file: await asyncBufferFromUrl({ url: server.origin + url }),
      columns: [...columns],
      compressors,
    });
    const sku = String(all[Math.floor(all.length / 3)]?.agency_sku);
    const file = await asyncBufferFromUrl({ url: server.origin + url, fetch: counting });
    const metadata = await parquetMetadataAsync(file, { initialFetchSize: 65_536 });
    const filter = { agency_sku: { $eq: sku } };
    const rows = await parquetReadObjects({ file, metadata, columns: [...columns], compressors, filter });
    expect(rows).toEqual(all.filter(({ agency_sku }) => agency_sku === sku));
    expect(rows.length).toBeGreaterThan(1);
    expect(requests).toBeLessThanOrEqual(6);
  });
});
