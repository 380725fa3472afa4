import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSnapshot } from '../../generator/publish/snapshot/folder.ts';
import { formatProblem, SnapshotError } from '../../generator/publish/snapshot/problem.ts';

const times = { source_updated_at: null, retrieved_at: '2024-01-02T16:40:00Z' };
const header = {
  format: 'inventory-snapshot',
  format_version: 1,
  published_at: '2024-01-02T22:00:00Z',
  catalog: times,
  directory: times,
  policy: { id: 'inventory-48h', max_age_seconds: 172800 },
  retention: { history_days: 365, publication_days: 30 },
  warnings: [],
};

type Files = Record<string, string | Buffer>;

const parts: Files = {
  'products.ndjson': '{"sku":"000113"}\n',
  'stores.ndjson': '{"name":"Store"}\n',
  'inventory.ndjson': '{}\n',
  'inventory_scope.json': '{"inventory_store_codes":[]}',
  'curation.json': '{}',
};
const whole: Files = { 'snapshot.json': JSON.stringify(header), ...parts };

function without(...names: string[]): Files {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
}

function packed(files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) =>
      name === 'snapshot.json' ? [name, content] : [`${name}.gz`, gzipSync(content)],
    ),
  );
}

async function folderOf(files: Files): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, '001-2024-01-02');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

/** The problems that are printed when a folder with these files is opened. */
async function problems(files: Files): Promise<string[]> {
  return problemsOfFolder(await folderOf(files));
}

async function problemsOfFolder(folder: string): Promise<string[]> {
  const error = await openSnapshot(folder).catch((thrown: unknown) => thrown);
  if (!(error instanceof SnapshotError)) throw new Error(`opened, or failed otherwise: ${JSON.stringify(error)}`);
  expect(error.snapshot).toBe(basename(folder));
  return error.problems.shown.map(formatProblem);
}

describe('openSnapshot', () => {
  test('says what is in the folder and where', async () => {
    const folder = await folderOf({ ...whole, 'README.md': 'ignored', 'products.csv': 'ignored' });
    expect(await openSnapshot(folder)).toEqual({
      folder,
      name: '001-2024-01-02',
      header,
      parts: {
        products: join(folder, 'products.ndjson'),
        stores: join(folder, 'stores.ndjson'),
        inventory: join(folder, 'inventory.ndjson'),
        inventory_scope: join(folder, 'inventory_scope.json'),
        curation: join(folder, 'curation.json'),
      },
      contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      stamps: expect.any(Map),
    });
  });

  test('a snapshot may hold nothing but its header', async () => {
    const bare = JSON.stringify({ ...header, catalog: null, directory: null });
    const { parts: found } = await openSnapshot(await folderOf({ 'snapshot.json': bare }));
    expect(Object.values(found)).toEqual([null, null, null, null, null]);
  });

  test('packed parts are found and hash like plain ones', async () => {
    const plain = await openSnapshot(await folderOf(whole));
    const folder = await folderOf(packed(whole));
    const gzip = await openSnapshot(folder);
    expect(gzip.parts.products).toBe(join(folder, 'products.ndjson.gz'));
    expect(gzip.contentHash).toBe(plain.contentHash);
  });

  test('the hash changes with every byte of every file, and with nothing else', async () => {
    const hashOf = async (files: Files) => (await openSnapshot(await folderOf(files))).contentHash;
    const variants: Files[] = Object.keys(whole).map((name) => ({ ...whole, [name]: `${whole[name]}\n` }));
    const { 'products.ndjson': first = '', 'stores.ndjson': second = '' } = parts;
    variants.push(whole, without('curation.json'), {
      ...whole,
      'products.ndjson': second,
      'stores.ndjson': first,
    });
    const hashes = await Promise.all(variants.map(hashOf));
    expect(new Set(hashes).size).toBe(variants.length);
    expect(await hashOf({ ...whole, 'README.md': 'more' })).toBe(await hashOf(whole));
  });
});

describe('a folder that is no snapshot', () => {
  test('is missing', async () => {
    const folder = join(await folderOf({}), 'none');
    expect(await problemsOfFolder(folder)).toEqual(['none: expected a snapshot folder, got nothing']);
  });

  test('is a file', async () => {
    const folder = join(await folderOf({ file: '' }), 'file');
    expect(await problemsOfFolder(folder)).toEqual(['file: expected a snapshot folder, got a file']);
  });

  test('has no header', async () => {
    expect(await problems(parts)).toEqual(['snapshot.json: expected the header of the snapshot, got nothing']);
  });

  test('has a packed header', async () => {
    const gz = gzipSync(JSON.stringify(header));
    const expected = ['snapshot.json: expected the header as a plain file, got snapshot.json.gz'];
    expect(await problems({ ...parts, 'snapshot.json.gz': gz })).toEqual(expected);
    expect(await problems({ ...whole, 'snapshot.json.gz': gz })).toEqual(expected);
  });

  test.each([
    ['', 'a JSON document, got unexpected end of input'],
    ['{"format":}', `a JSON document, got unexpected token '}', "{"format":}"`],
    ['[]', 'an object, got []'],
    [Buffer.from([0x22, 0x43, 0xe2, 0x22]), 'valid UTF-8, got "C\uFFFD"'],
  ])('has a header that is %j', async (content, expected) => {
    expect(await problems({ ...whole, 'snapshot.json': content })).toEqual([`snapshot.json: expected ${expected}`]);
  });

  test('has a header with several faults', async () => {
    const faulty = JSON.stringify({ ...header, format_version: 2, published_at: '2024-01-02' });
    expect(await problems({ ...whole, 'snapshot.json': faulty })).toEqual([
      'snapshot.json format_version: expected 1, got 2',
      'snapshot.json published_at: expected a date-time in UTC like 2024-01-02T22:26:37Z, got "2024-01-02"',
    ]);
  });

  test('has a part twice', async () => {
    expect(await problems({ ...whole, 'stores.ndjson.gz': gzipSync('') })).toEqual([
      'stores.ndjson: expected either a plain or a gzip file, got stores.ndjson and stores.ndjson.gz',
    ]);
  });

  test('has times of parts that are not there', async () => {
    const shown = '{"source_updated_at":null,"retrieved_at":"2024-01-02T16:40:0…';
    expect(await problems(without('products.ndjson', 'stores.ndjson'))).toEqual([
      `snapshot.json catalog: expected null without products.ndjson, got ${shown}`,
      `snapshot.json directory: expected null without stores.ndjson, got ${shown}`,
    ]);
  });

  test('has parts without times', async () => {
    const untimed = JSON.stringify({ ...header, catalog: null, directory: null });
    expect(await problems({ ...whole, 'snapshot.json': untimed })).toEqual([
      'snapshot.json catalog: expected the times of products.ndjson, got null',
      'snapshot.json directory: expected the times of stores.ndjson, got null',
    ]);
  });

  test('has inventory without its scope, or a scope alone', async () => {
    expect(await problems(without('inventory_scope.json'))).toEqual([
      'inventory_scope.json: expected a file beside inventory.ndjson, got nothing',
    ]);
    expect(await problems(without('inventory.ndjson'))).toEqual([
      'inventory.ndjson: expected a file beside inventory_scope.json, got nothing',
    ]);
  });

  test('has several problems, all of which are told', async () => {
    const files = { ...without('products.ndjson'), 'snapshot.json.gz': '', 'curation.json.gz': '' };
    expect(await problems(files)).toEqual([
      'curation.json: expected either a plain or a gzip file, got curation.json and curation.json.gz',
      'snapshot.json: expected the header as a plain file, got snapshot.json.gz',
      'snapshot.json catalog: expected null without products.ndjson, got {"source_updated_at":null,"retrieved_at":"2024-01-02T16:40:0…',
    ]);
  });

  test.each([
    ['cut off', gzipSync(parts['curation.json'] ?? '').subarray(0, -4), 'unexpected end of file'],
    ['empty', Buffer.alloc(0), 'unexpected end of file'],
    ['not packed', parts['curation.json'] ?? '', 'incorrect header check'],
  ])('has a gzip file that is %s', async (_, content, got) => {
    expect(await problems({ ...without('curation.json'), 'curation.json.gz': content })).toEqual([
      `curation.json.gz: expected a whole gzip file, got ${got}`,
    ]);
  });

  test('has a folder for a part', async () => {
    const folder = await folderOf(without('curation.json'));
    await mkdir(join(folder, 'curation.json'));
    expect(await problemsOfFolder(folder)).toEqual(['curation.json: expected a regular file, got a folder']);
  });
});
