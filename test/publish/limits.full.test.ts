import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { countText } from '../../generator/contract/counts.ts';
import type { Connection } from '../../generator/database/connection.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { latestPublication } from '../../generator/database/publications.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { bytesText, limits, mostBytes } from '../../generator/publish/snapshot/limits.ts';
import { formatProblem, SnapshotError } from '../../generator/publish/snapshot/problem.ts';
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

const firstDay = '2025-01-01T12:00:00Z';
const secondDay = '2025-01-02T12:00:00Z';
const thirdDay = '2025-01-03T12:00:00Z';
const options = { quarantine: false, acceptShrink: false };
const quarantine = { quarantine: true, acceptShrink: false };

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
  if (!(error instanceof SnapshotError)) throw new Error(`published, or failed otherwise: ${JSON.stringify(error)}`);
  expect(connection.inTransaction).toBe(false);
  expect(latestPublication(connection)?.sequence).toBe(1);
  return error.problems.shown.map(formatProblem);
}

describe('what is no regular file', () => {
  const withProducts = (make: (path: string) => void) => {
    const folder = folderOf(secondDay, {}, { 'products.ndjson.txt': '' });
    make(join(folder, 'products.ndjson'));
    return problemsOf(folder);
  };

  test.skipIf(process.platform === 'win32')('is a fault, and is not waited for', async () => {
    expect(await withProducts((path) => execFileSync('mkfifo', [path]))).toEqual([
      'products.ndjson: expected a regular file, got a named pipe',
    ]);
    expect(await withProducts((path) => symlinkSync('/dev/zero', path))).toEqual([
      'products.ndjson: expected a regular file, got a device',
    ]);
    expect(await withProducts((path) => symlinkSync(root, path))).toEqual([
      'products.ndjson: expected a regular file, got a folder',
    ]);
    const server = createServer();
    onTestFinished(() => {
      server.close();
    });
    const listening = (path: string) => server.listen(path);
    expect(await withProducts(listening)).toEqual(['products.ndjson: expected a regular file, got a socket']);
  });
});

describe('too much', () => {
  test('lines, blank ones included', async () => {
    const blank = folderOf(secondDay, {}, { 'products.ndjson.gz': gzipSync('\n'.repeat(1_000_001)) });
    expect(await problemsOf(blank)).toEqual(['products.ndjson.gz: expected at most 1,000,000 lines, got more']);
    const stores = Array.from({ length: 20_001 }, (_, index) => storeLine(null, { directory_id: `d${index}` }));
    expect(await problemsOf(folderOf(secondDay, { stores }))).toEqual([
      'stores.ndjson: expected at most 20,000 lines, got more',
    ]);
  });

  test('bytes, once they are decompressed', async () => {
    expect(mostBytes('products.ndjson')).toBe(limits.linesBytes);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1));
    expect(await problemsOf(folderOf(secondDay, {}, { 'curation.json.gz': bomb }))).toEqual([
      'curation.json.gz: expected at most 64 MiB when decompressed, got more',
    ]);
    const header = Buffer.alloc(1024 * 1024 + 1, ' ');
    expect(await problemsOf(folderOf(secondDay, {}, { 'snapshot.json': header }))).toEqual([
      'snapshot.json: expected a file of at most 1 MiB, got more',
    ]);
  });

  test('faults: reading stops, and says after how many', async () => {
    const junk = 'junk line\n'.repeat(11_000);
    for (const how of [options, quarantine]) {
      const folder = folderOf(secondDay, {}, { 'products.ndjson': junk });
      const error = await publishSnapshot(connection, folder, how).catch((thrown: unknown) => thrown);
      if (!(error instanceof SnapshotError)) throw new Error('published, or failed otherwise');
      expect(error.problems.total).toBe(limits.faultyRows + 2);
      expect(error.problems.shown.map(formatProblem).slice(0, 2)).toEqual([
        'products.ndjson:10001: expected at most 10,000 faulty rows, got more; it was not read any further',
        `products.ndjson:1: expected a JSON object, got unexpected token 'j', "junk line"`,
      ]);
    }
    const rows = Array(100).fill('x');
    const manyRows = Array(1_200).fill(JSON.stringify({ rows })).join('\n');
    const scope = '{"inventory_store_codes":[]}';
    const folder = folderOf(secondDay, {}, { 'inventory.ndjson': manyRows, 'inventory_scope.json': scope });
    const [stop] = await problemsOf(folder);
    expect(stop).toMatch(
      /^inventory\.ndjson:10\d\d: expected at most 100,000 problems, got more; it was not read any further$/,
    );
  });

  test('entries of a line, of which none is looked at then', async () => {
    const rows = Array.from({ length: limits.inventoryRows + 1 }, () => 0);
    const inventory = { scope: ['0001'], lines: [retrievalLine('000001', secondDay, rows as never)] };
    expect(await problemsOf(folderOf(secondDay, { inventory }))).toEqual([
      'inventory.ndjson:1 rows: expected at most 10,000 entries, got 10,001',
    ]);
    const services = Array(101).fill('parking');
    expect(await problemsOf(folderOf(secondDay, { stores: [storeLine('0001', { services })] }))).toEqual([
      'stores.ndjson:1 services: expected at most 100 entries, got 101',
    ]);
  });

  test('values of a line, before it is parsed', async () => {
    const wide = `{"rows":[${'0,'.repeat(limits.lineValues)}0]}`;
    const files = { 'inventory.ndjson': wide, 'inventory_scope.json': '{"inventory_store_codes": []}' };
    expect(await problemsOf(folderOf(secondDay, {}, files))).toEqual([
      'inventory.ndjson:1: expected at most 1,000,000 values, got 1,000,002',
    ]);
  });

  test('entries of a document', async () => {
    const categories = Array.from({ length: 10_001 }, () => 0);
    expect(await problemsOf(folderOf(secondDay, { curation: curationOf({ categories }) }))).toEqual([
      'curation.json categories: expected at most 10,000 entries, got 10,001',
    ]);
    const inventory = { scope: categories, lines: [] };
    expect(await problemsOf(folderOf(secondDay, { inventory }))).toEqual([
      'inventory_scope.json inventory_store_codes: expected at most 10,000 entries, got 10,001',
    ]);
  });

  test('text', async () => {
    const long = (length: number) => ({ name: 'n'.repeat(length), status_raw: 's'.repeat(length * 10) });
    expect(await problemsOf(folderOf(secondDay, { products: [productLine('000001', long(1_001))] }))).toEqual([
      'products.ndjson:1 name: expected text of at most 1,000 characters, got 1,001 characters',
      'products.ndjson:1 status_raw: expected text of at most 10,000 characters, got 10,010 characters',
    ]);
    const categories = [{ id: `cat_${'x'.repeat(200)}`, parent_id: null, name: 'C', active: true }];
    expect(await problemsOf(folderOf(secondDay, { curation: curationOf({ categories }) }))).toEqual([
      `curation.json categories[0].id: expected at most 200 characters, got "cat_${'x'.repeat(55)}…`,
    ]);
    const published_at = `2025-01-02T12:00:00.${'0'.repeat(64)}Z`;
    expect(await problemsOf(folderOf(published_at, {}))).toHaveLength(1);
    const fits = folderOf(secondDay, { products: [productLine('000001', long(1_000))] });
    expect(await publishSnapshot(connection, fits, options)).toMatchObject({ sequence: 2 });
  });

  test('of a row that is set aside is not kept', async () => {
    const products = Array.from({ length: 200 }, (_, index) => productLine(String(index).padStart(6, '0')));
    const bad = productLine('000001', { name: 'n'.repeat(1_000_000), note: '[' });
    const folder = folderOf(secondDay, { products: [bad, ...products.filter(({ sku }) => sku !== '000001')] });
    await publishSnapshot(connection, folder, quarantine);
    const kept = connection.prepare<[], string>('SELECT text FROM quarantined_row').pluck().all();
    expect(kept).toEqual([`${JSON.stringify(bad).slice(0, limits.setAsideText)}…`]);
  });
});

describe('JSON that is nested 5,000 deep', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

  test.each([
    ['products.ndjson', `${deep}\n`, 'products.ndjson:1'],
    ['products.ndjson', JSON.stringify({ ...productLine('000001'), note: '_' }), 'products.ndjson:1'],
    ['inventory_scope.json', '{"inventory_store_codes": ["_"]}', 'inventory_scope.json'],
    ['curation.json', JSON.stringify(curationOf({ brands: ['_'] })), 'curation.json'],
    ['snapshot.json', '{"format": "_"}', 'snapshot.json'],
  ])('is a fault of %s', async (file, content, place) => {
    const scope = { 'inventory_scope.json': '{"inventory_store_codes": []}', 'inventory.ndjson': '' };
    const folder = folderOf(secondDay, {}, { ...scope, [file]: content.replace('"_"', deep) });
    expect(await problemsOf(folder, quarantine)).toContain(
      `${place}: expected JSON nested at most 100 deep, got deeper`,
    );
  });

  test('is not what brackets in text are', async () => {
    const name = `\\"${'['.repeat(500)}"${'{'.repeat(200)}\\`;
    const folder = folderOf(secondDay, { products: [productLine('000001', { name })] });
    expect(await publishSnapshot(connection, folder, options)).toMatchObject({ sequence: 2 });
  });
});

describe('the database', () => {
  test('is not locked while a snapshot is checked', async () => {
    connection.pragma('busy_timeout = 0');
    const other = openForPublishing(connection.name);
    onTestFinished(() => {
      other.close();
    });
    other.exec('BEGIN IMMEDIATE');
    const faulty = folderOf(secondDay, { products: ['junk', productLine('000001', { category_id: 'cat_none' })] });
    expect(await problemsOf(faulty)).toEqual([
      `products.ndjson:1: expected a JSON object, got unexpected token 'j', "junk"`,
      'products.ndjson:2 category_id: expected a category of the curation in force, got "cat_none"',
    ]);
    const sound = folderOf(secondDay, { products: [productLine('000001')] });
    await expect(publishSnapshot(connection, sound, options)).rejects.toThrow(' is in use: another process ');
    other.exec('ROLLBACK');
    expect(await publishSnapshot(connection, sound, options)).toMatchObject({ sequence: 2 });
  });

  test('holds the same, whether rows were held in memory or read again', async () => {
    const skus = Array.from({ length: 300 }, (_, index) => String(index).padStart(6, '0'));
    const publishPadded = async (padding: number) => {
      const target = openForPublishing(join(mkdtempSync(join(root, 'case-')), 'publication.sqlite'));
      onTestFinished(() => {
        target.close();
      });
      // A column that is not read fills the memory for lines.
      const note = 'x'.repeat(padding);
      const products = skus.map((sku) => ({ ...productLine(sku), note }));
      const lines = skus.map((sku) => ({ ...retrievalLine(sku, secondDay, [['0001', 3]]), note }));
      const bad = ['junk', { ...lines[0], note }];
      await publishSnapshot(
        target,
        folderOf(secondDay, {
          products: [...products, 'junk'],
          stores: [storeLine('0001')],
          curation: curationOf(),
          inventory: { scope: ['0001'], lines: [...lines, ...bad] },
        }),
        quarantine,
      );
      return target.prepare('SELECT * FROM inventory_version ORDER BY product').all();
    };
    const held = await publishPadded(0);
    expect(held).toHaveLength(300);
    expect(await publishPadded(limits.heldCharacters / 200)).toEqual(held);
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
  // A limit that only bounds the memory of publishing is not a rule for authors of snapshots.
  const { heldCharacters: _, ...rules } = limits;
  for (const limit of Object.values(rules)) {
    expect(section).toMatch(new RegExp(`\\b(${countText(limit)}|${bytesText(limit)}|${limit / 1024} KiB)\\b`));
  }
});
