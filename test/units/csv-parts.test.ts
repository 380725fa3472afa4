import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvHead } from '../../contract/columns/csv-tables.ts';
import type { DailyRow } from '../../contract/columns/history-tables.ts';
import { usualProfile } from '../../contract/profile.ts';
import { openRun, type Run } from '../../generator/tables/compression.ts';
import { csvPart, joinCsvParts, readCsvParts } from '../../generator/tables/csv.ts';
import { FileBytes } from '../../generator/tables/file-bytes.ts';
import { Pieces } from '../../generator/tables/pieces.ts';
import { folderForFile } from '../support/temporary-folder.ts';

const head = `${csvHead('daily', usualProfile).join(',')}\r\n`;

/** Texts of any length, so that the last bits of a run end anywhere in a byte. */
const text = fc.string({ unit: 'binary', maxLength: 300 });
const texts = fc.array(
  fc.oneof(
    text,
    text.map((one) => one.repeat(100)),
  ),
  { maxLength: 8 },
);

const folder = folderForFile();

function fileOf(parts: ReadonlyMap<string, Run>): Buffer {
  const pieces = new Pieces();
  joinCsvParts('daily', usualProfile, parts, pieces.add);
  return pieces.bytes();
}

function partsIn(file: Buffer): (uuid: string) => Run | null {
  const path = join(folder, 'daily.csv.gz');
  writeFileSync(path, file);
  return readCsvParts(new FileBytes(path, file.length));
}

/** A file with runs of these texts, under the UUIDs 1, 2, 3 and so on. */
function joined(runs: readonly (readonly string[])[]): Buffer {
  const parts = runs.map((of, index) => [uuid(index + 1), openRun(of)] as const);
  return fileOf(new Map(parts));
}

function uuid(number: number): string {
  return `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
}

test('joined runs unpack to their texts, with the right checksum', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 4 }), (runs) => {
      // zlib checks the checksum and the size.
      expect(gunzipSync(joined(runs)).equals(Buffer.from(head + runs.flat().join('')))).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('the parts of a file can be found, and make the same file again', () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (runs) => {
      const file = joined(runs);
      const findPart = partsIn(file);
      const parts = runs.map((_, index) => [uuid(index + 1), findPart(uuid(index + 1)) as Run] as const);
      expect(fileOf(new Map(parts)).equals(file)).toBe(true);
      expect(findPart(uuid(99))).toBeNull();
      const [, ...later] = parts;
      const shortened = gunzipSync(fileOf(new Map(later)));
      expect(shortened.toString()).toBe(head + runs.slice(1).flat().join(''));
    }),
    { numRuns: 50 },
  );
});

test('a file with more parts than its head can list is complete, and lists the oldest', () => {
  const run = openRun(['x\r\n']);
  const parts = Array.from({ length: 3_400 }, (_, index) => [uuid(index + 1), run] as const);
  const file = fileOf(new Map(parts));
  expect(gunzipSync(file).toString()).toBe(head + 'x\r\n'.repeat(3_400));
  const findPart = partsIn(file);
  const oldest = findPart(uuid(1));
  expect([oldest?.size, oldest?.checksum, oldest?.read()]).toEqual([3, run.checksum, new Uint8Array(run.read())]);
  expect([findPart(uuid(3_000))?.size, findPart(uuid(3_400))]).toEqual([3, null]);
});

test('the same rows make the same part, also from an iterator', () => {
  const row: DailyRow = {
    publication: 3,
    publication_revision: uuid(3),
    published_at: '2025-01-01T00:00:00Z',
    product_id: uuid(7),
    agency_sku: '001204',
    name: '=Gin, "dry"',
    brand: null,
    catalog_presence: 'listed',
    price_amount_minor: 1290,
    status_code: 'G',
    lifecycle: 'active',
    inventory_attempted: true,
    inventory_observed: false,
    inventory_retrieved_at: null,
    positive_store_count: null,
    reported_quantity: 0,
  };
  const part = csvPart('daily', usualProfile, [row]);
  expect(csvPart('daily', usualProfile, [row].values()).read()).toEqual(part.read());
  const file = gunzipSync(fileOf(new Map([[uuid(3), part]])));
  expect(file.toString().split('\r\n')[1]).toBe(
    `3,2025-01-01T00:00:00Z,001204,"'=Gin, ""dry""",,listed,12.90,USD,G,active,true,false,,,0`,
  );
});
