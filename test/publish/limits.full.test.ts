import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { countText } from '../../generator/files/failure.ts';
import { FaultyInput, formatFault } from '../../generator/files/faults.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { bytesText, limits } from '../../generator/snapshot/limits.ts';
import {
  curationOf,
  headerOf,
  productLine,
  retrievalLine,
  type SnapshotParts,
  storeLine,
  writeSnapshot,
} from '../support/snapshot-writer.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { TestDatabase } from '../support/test-database.ts';

const firstDay = '2025-01-01T12:00:00Z';
const secondDay = '2025-01-02T12:00:00Z';
const thirdDay = '2025-01-03T12:00:00Z';
const options = { quarantine: false };
const quarantine = { quarantine: true };

let root: string;
let connection: Connection;
beforeAll(() => {
  root = temporaryFolder();
});
afterAll(() => removeFolder(root));

beforeEach(async () => {
  connection = openForPublishing(join(mkdtempSync(join(root, 'case-')), 'publication.sqlite'));
  onTestFinished(() => {
    connection.close();
  });
  const first = { products: [productLine('000001')], stores: [storeLine('0001')], curation: curationOf() };
  await publishSnapshot(connection, folderOf(firstDay, first), options);
});

/** A snapshot folder of these parts. `files` are added unchanged, and the header declares them. */
function folderOf(
  published_at: string,
  parts: Omit<SnapshotParts, 'header'>,
  files: Readonly<Record<string, string | Buffer>> = {},
): string {
  const folder = mkdtempSync(join(root, 'snapshot-'));
  const isThere = (part: string) => Object.keys(files).some((file) => file.startsWith(part)) || undefined;
  const announced = {
    products: parts.products ?? (isThere('products') && []),
    stores: parts.stores ?? (isThere('stores') && []),
  };
  writeSnapshot(folder, { header: headerOf({ published_at }, announced as Partial<SnapshotParts>), ...parts });
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  return folder;
}

async function problemsOf(folder: string, how = options): Promise<string[]> {
  const error = await publishSnapshot(connection, folder, how).catch((thrown: unknown) => thrown);
  if (!(error instanceof FaultyInput)) throw new Error(`published, or failed otherwise: ${JSON.stringify(error)}`);
  expect(connection.inTransaction).toBe(false);
  expect(latestPublication(connection)?.sequence).toBe(1);
  return error.faults.first().map(formatFault);
}

test.skipIf(process.platform === 'win32')('what is no regular file is a fault, and is not waited for', async () => {
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  for (const [got, make] of [
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a device', (path: string) => symlinkSync('/dev/zero', path)],
    ['a folder', (path: string) => symlinkSync(root, path)],
    ['a socket', (path: string) => server.listen(path)],
  ] as const) {
    const folder = folderOf(secondDay, {}, { 'products.ndjson.txt': '' });
    make(join(folder, 'products.ndjson'));
    expect(await problemsOf(folder)).toEqual([`products.ndjson: expected a regular file, got ${got}`]);
  }
});

const scopeFile = { 'inventory_scope.json': '{"inventory_store_codes": []}' };
const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
const tooDeep = 'expected JSON nested at most 100 deep, got deeper';
const list = (length: number, item: (index: number) => unknown = () => 0) =>
  Array.from({ length }, (_, index) => item(index)) as never[];

/** What is too much, the parts or files of a snapshot that have it, and the first faults. */
test.each<
  [what: string, make: () => [parts: Omit<SnapshotParts, 'header'>, files?: Record<string, string | Buffer>], string[]]
>([
  [
    'lines, blank ones included',
    () => [{}, { 'products.ndjson.gz': gzipSync('\n'.repeat(1_000_001)) }],
    ['products.ndjson.gz: expected at most 1,000,000 lines, got more'],
  ],
  [
    'stores',
    () => [{}, { 'stores.ndjson.gz': gzipSync('\n'.repeat(200_001)) }],
    ['stores.ndjson.gz: expected at most 200,000 lines, got more'],
  ],
  [
    'bytes once they are decompressed',
    () => [{}, { 'curation.json.gz': gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1)) }],
    ['curation.json.gz: expected at most 64 MiB when decompressed, got more'],
  ],
  [
    'bytes of a header',
    () => [{}, { 'snapshot.json': Buffer.alloc(1024 * 1024 + 1, ' ') }],
    ['snapshot.json: expected a file of at most 1 MiB, got more'],
  ],
  [
    'faulty rows: reading stops, and says after how many',
    () => [{}, { 'products.ndjson': 'junk line\n'.repeat(11_000) }],
    [
      'products.ndjson:10001: expected at most 10,000 faulty rows, got more; it was not read any further',
      `products.ndjson:1: expected a JSON object, got unexpected token 'j', "junk line"`,
    ],
  ],
  [
    'problems: reading stops, and says after how many',
    () => [{}, { ...scopeFile, 'inventory.ndjson': list(1_200, () => JSON.stringify({ rows: list(100) })).join('\n') }],
    [
      expect.stringMatching(
        /^inventory\.ndjson:10\d\d: expected at most 100,000 faults, got more; it was not read any further$/,
      ),
    ],
  ],
  [
    'entries of a line, of which none is looked at then',
    () => [
      { inventory: { scope: ['0001'], lines: [retrievalLine('000001', secondDay, list(limits.inventoryRows + 1))] } },
    ],
    ['inventory.ndjson:1 rows: expected at most 100,000 entries, got 100,001'],
  ],
  [
    'values of a line, before it is parsed',
    () => [{}, { ...scopeFile, 'inventory.ndjson': `{"rows":[${'0,'.repeat(limits.lineValues)}0]}` }],
    ['inventory.ndjson:1: expected at most 1,000,000 values, got 1,000,002'],
  ],
  [
    'entries of documents',
    () => [{ curation: curationOf({ categories: list(10_001) }), inventory: { scope: list(100_001), lines: [] } }],
    [
      'curation.json categories: expected at most 10,000 entries, got 10,001',
      'inventory_scope.json inventory_store_codes: expected at most 100,000 entries, got 100,001',
    ],
  ],
  [
    'text and services',
    () => [
      {
        products: [productLine('000001', { name: 'n'.repeat(1_001), status_raw: 's'.repeat(10_010) })],
        stores: [storeLine('0001', { services: list(101, () => 'parking') })],
        curation: curationOf({
          categories: [{ id: `cat_${'x'.repeat(200)}`, parent_id: null, name: 'C', active: true }],
        }),
      },
    ],
    [
      `curation.json categories[0].id: expected at most 200 characters, got "cat_${'x'.repeat(75)}…`,
      'stores.ndjson:1 services: expected at most 100 entries, got 101',
      'products.ndjson:1 name: expected text of at most 1,000 characters, got 1,001 characters',
      'products.ndjson:1 status_raw: expected text of at most 10,000 characters, got 10,010 characters',
    ],
  ],
  [
    'depth of lines',
    () => [{ products: [deep, JSON.stringify(productLine('000001', { note: '_' })).replace('"_"', deep)] }],
    [`products.ndjson:1: ${tooDeep}`, `products.ndjson:2: ${tooDeep}`],
  ],
  [
    'depth of documents',
    () => [{}, { 'inventory.ndjson': '', 'inventory_scope.json': deep, 'curation.json': `{"brands": ${deep}}` }],
    [`curation.json: ${tooDeep}`, `inventory_scope.json: ${tooDeep}`],
  ],
  ['depth of a header', () => [{}, { 'snapshot.json': `{"format": ${deep}}` }], [`snapshot.json: ${tooDeep}`]],
])('too much: %s', async (_, make, problems) => {
  const folder = folderOf(secondDay, ...make());
  for (const how of [options, quarantine])
    expect(
      (await problemsOf(folder, how)).filter((said) => !/ to set aside, /.test(said)).slice(0, problems.length),
    ).toEqual(problems);
});

test('text of the greatest length, and brackets in text, are not too much', async () => {
  const name = `\\"${'['.repeat(500)}"${'{'.repeat(200)}\\`.padEnd(1_000, 'n');
  const folder = folderOf(secondDay, { products: [productLine('000001', { name, status_raw: 's'.repeat(10_000) })] });
  expect(await publishSnapshot(connection, folder, options)).toMatchObject({ sequence: 2 });
});

test('too much text of a row that is set aside is not kept', async () => {
  const bad = productLine('000001', { name: 'n'.repeat(1_000_000), note: '[' });
  const others = list(200, (index) => productLine(String(index + 2).padStart(6, '0')));
  await publishSnapshot(connection, folderOf(secondDay, { products: [bad, ...others] }), {
    ...quarantine,
    accept: ['new-products'],
  });
  const kept = connection.prepare<[], string>('SELECT text FROM quarantined_row').pluck().all();
  expect(kept).toEqual([`${JSON.stringify(bad).slice(0, limits.setAsideText)}…`]);
});

describe('the database', () => {
  test('is not locked while a snapshot is checked', async () => {
    connection.pragma('busy_timeout = 0');
    const other = openForPublishing(connection.name);
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN IMMEDIATE');
    const faulty = folderOf(secondDay, { products: ['junk'] });
    expect(await problemsOf(faulty)).toHaveLength(1);
    const sound = folderOf(secondDay, { products: [productLine('000001')] });
    await expect(publishSnapshot(connection, sound, options)).rejects.toThrow(' is in use: another process ');
    other.exec('ROLLBACK');
    expect(await publishSnapshot(connection, sound, options)).toMatchObject({ sequence: 2 });
  });

  test('gets every good row once, however many there are, and none of those that are set aside', async () => {
    // Fewer and more than the rows of a batch, and more than a schema is used before it is compiled.
    for (const count of [1, 31, 32, 33, 300]) {
      const skus = Array.from({ length: count }, (_, index) => String(index).padStart(6, '0'));
      const target = new TestDatabase();
      const lines = skus.map((sku, index) => retrievalLine(sku, secondDay, [['0001', 5_000 + index]]));
      const others = list(200, (index) => retrievalLine(String(index + 1_000).padStart(6, '0'), secondDay, []));
      const inventory = { scope: ['0001'], lines: [...lines, ...others, 'junk', { ...lines[0] }] };
      const products = [...skus, ...others.map(({ sku }) => sku)].map((sku) => productLine(sku));
      const parts = { products, stores: [storeLine('0001')], curation: curationOf(), inventory };
      await target.publish(secondDay, parts, quarantine);
      const rows = target.connection.prepare(
        'SELECT sku, quantity FROM inventory_version JOIN product USING (product)',
      );
      expect(rows.all()).toEqual(skus.map((sku, index) => ({ sku, quantity: 5_000 + index })));
      const retrievals = target.connection.prepare('SELECT sku FROM retrieval JOIN product USING (product)').pluck();
      expect(retrievals.all()).toEqual(products.map(({ sku }) => sku));
      const events = target.connection.prepare(`SELECT count(*) FROM event WHERE store_version IS NOT NULL`).pluck();
      expect(events.get()).toBe(count);
    }
  });

  test('does not take a snapshot that changes while it is read', async () => {
    const folder = folderOf(thirdDay, { products: [productLine('000001')] });
    const change = (stage: string) => {
      if (stage === 'products') appendFileSync(join(folder, 'products.ndjson'), '\n');
    };
    const publishing = publishSnapshot(connection, folder, { ...options, progress: change });
    await expect(publishing).rejects.toThrow(/changed while it was read: products\.ndjson$/);
  });
});

test('docs/snapshot-format.md names every limit', () => {
  const page = readFileSync(new URL('../../docs/snapshot-format.md', import.meta.url), 'utf8');
  const section = page.split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '';
  for (const limit of Object.values(limits)) {
    expect(section).toMatch(new RegExp(`\\b(${countText(limit)}|${bytesText(limit)}|${limit / 1024} KiB)\\b`));
  }
});
