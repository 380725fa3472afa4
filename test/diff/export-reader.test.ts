import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeFields } from '../../generator/contract/formats/export.ts';
import { Failure } from '../../generator/failure.ts';
import { readExport } from '../../generator/site/export-reader.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => removeFolder(folder));

const [first, second, third] = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

const header = (record_count: number) => ({
  record_type: 'header',
  header: {
    resource: 'inventory',
    schema_version: 1,
    publication_revision: first,
    published_at: '2025-06-05T22:00:00Z',
    record_count,
    warnings: [],
    fields: describeFields('inventory'),
  },
});

const pair = (store_id: string | undefined) => ({
  record_type: 'inventory',
  product_id: first,
  agency_sku: '014100',
  store_id,
  inventory_store_code: '0005',
  state: 'reported_positive',
  reported_quantity: 3,
  purchase_eligibility: 'eligible',
  retrieved_at: '2025-06-05T20:28:22Z',
  meets_retrieval_policy: true,
});

/** The stores of the pairs in a file, or the message of the failure. */
async function read(bytes: Uint8Array): Promise<unknown> {
  const file = join(folder, 'inventory.ndjson.gz');
  writeFileSync(file, bytes);
  const stores: unknown[] = [];
  try {
    for await (const records of readExport({ file, size: bytes.length, resource: 'inventory', name: 'EXPORT' })) {
      stores.push(...records.map(({ store_id }) => store_id));
    }
    return stores;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

const packed = (...lines: readonly object[]) => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

test('an export is read record by record', async () => {
  expect(await read(packed(header(2), pair(second), pair(third)))).toEqual([second, third]);
  expect(await read(packed(header(0)))).toEqual([]);
});

test.each([
  [
    'records out of order',
    packed(header(2), pair(third), pair(second)),
    `line 3: expected a record after ${first} ${third}, got ${first} ${second}`,
  ],
  ['another count', packed(header(3), pair(second)), 'expected 3 records, as its header says, got 1'],
  ['no header', packed(pair(second)), 'line 1: expected record_type to match its schema'],
  [
    'a record of another shape',
    packed(header(1), { ...pair(second), state: 'sold' }),
    'line 2: expected state to match',
  ],
  ['nothing', gzipSync(''), 'line 1: expected a header, got an empty file'],
  [
    'a cut file',
    packed(header(1), pair(second)).subarray(0, -9),
    'expected gzip-compressed lines of text, got unexpected end of file',
  ],
  [
    'far more bytes than it has',
    gzipSync(Buffer.alloc(4_000_000, 'x')),
    'expected gzip-compressed lines of text, got more than ',
  ],
] as const)('%s is refused', async (_, bytes, message) => {
  expect(await read(bytes)).toContain(message);
});
