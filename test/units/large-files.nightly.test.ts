import { spawnSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeTable, type TableHeader } from '../../contract/columns/parquet.ts';
import { usualProfile } from '../../contract/profile.ts';
import { soundBody } from '../../generator/copies/deploy/upload.ts';
import { SiteFiles } from '../../generator/site/checked-files.ts';
import { Storage } from '../../generator/site/storage.ts';
import { ParquetTable } from '../../generator/tables/parquet.ts';
import { TableFile } from '../../generator/tables/table-file.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { makeRow } from './large-table-row.ts';

const folder = temporaryFolder();
const name = 'daily.parquet';
const path = join(folder, name);
afterAll(() => removeFolder(folder));

/** What a single read, write or buffer of Node can hold. */
const wall = 2 ** 31;

const header = (record_count: number): TableHeader => ({
  resource: 'daily',
  schema_version: 1,
  record_count,
  fields: describeTable('daily_history', usualProfile),
});

/** Rows in a group that is not compressed, so that few copies of it make a large file. */
const rowsInGroup = 63;

/** A table beyond the wall. What lies before it are holes, because a test should not write two gigabytes. */
beforeAll(() => {
  const small = join(folder, 'small.parquet');
  const descriptor = openSync(small, 'wx');
  const table = new ParquetTable('daily_history', usualProfile, name, (bytes) => writeSync(descriptor, bytes));
  table.beginRun(5_000);
  for (let number = 1; number <= rowsInGroup; number += 1)
    table.add({ ...makeRow(number), name: String(number).repeat(100_000) });
  table.end(header(rowsInGroup));
  closeSync(descriptor);
  const source = new TableFile(small, statSync(small).size);
  const large = openSync(path, 'wx');
  let size = 0;
  const joined = new ParquetTable('daily_history', usualProfile, name, (bytes) => {
    if (size > wall) writeSync(large, bytes, 0, bytes.length, size);
    size += bytes.length;
  });
  while (size <= wall) joined.copyGroup(source, 0);
  joined.copyGroup(source, 0);
  joined.end(header(joined.rows));
  ftruncateSync(large, size);
  closeSync(large);
});

test('a table beyond two gigabytes is read at its end', async () => {
  const table = new TableFile(path, statSync(path).size);
  const last = table.groups.length - 1;
  expect(table.storedGroup(last).start).toBeGreaterThan(wall);
  const columns = await table.readGroup(last);
  const skus = Array.from({ length: rowsInGroup }, (_, index) => makeRow(index + 1).agency_sku);
  expect(Array.from(columns.get('agency_sku') ?? [])).toEqual(skus);
});

test('a file beyond two gigabytes is hashed, compared and uploaded piece by piece', async () => {
  const { identity: _, ...digests } = new SiteFiles(folder).digest(name);
  expect(digests.size).toBeGreaterThan(wall);
  const storage = new Storage(folder);
  expect(storage.link(name, 'checkout/daily.parquet')).toBe(false);
  expect(storage.isSame(name, 'checkout/daily.parquet')).toBe(true);
  const upload = { ...digests, file: name } as Parameters<typeof soundBody>[1];
  await expect(soundBody(folder, upload)).resolves.toBeTypeOf('function');
});

const writer = fileURLToPath(new URL('large-table-child.ts', import.meta.url));

/** Writes a table in a process whose heap is smaller than the rows. `how`: piece by piece, or with all rows held. */
function writeTable(how: 'streamed' | 'held'): { readonly status: number | null; readonly output: string } {
  const args = ['--max-old-space-size=64', writer, join(folder, `${how}.parquet`), how];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, output: stdout };
}

test('a table needs no more memory than a row group', () => {
  expect(writeTable('streamed')).toEqual({ status: 0, output: '400000 rows' });
  expect(writeTable('held').status).not.toBe(0);
});
