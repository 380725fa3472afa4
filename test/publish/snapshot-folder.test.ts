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

/** The problems that are printed when a folder is opened. */
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
  const gz = gzipSync(JSON.stringify(header));
  const untimed = JSON.stringify({ ...header, catalog: null, directory: null });
  const shown = '{"source_updated_at":null,"retrieved_at":"2024-01-02T16:40:0…';

  test.each<[what: string, files: Files, problems: string[]]>([
    ['no header', parts, ['snapshot.json: expected the header of the snapshot, got nothing']],
    [
      'a packed header',
      { ...parts, 'snapshot.json.gz': gz },
      ['snapshot.json: expected the header as a plain file, got snapshot.json.gz'],
    ],
    [
      'a part twice',
      { ...whole, 'stores.ndjson.gz': gzipSync('') },
      ['stores.ndjson: expected either a plain or a gzip file, got stores.ndjson and stores.ndjson.gz'],
    ],
    [
      'times of parts that are not there',
      without('products.ndjson', 'stores.ndjson'),
      [
        `snapshot.json catalog: expected null without products.ndjson, got ${shown}`,
        `snapshot.json directory: expected null without stores.ndjson, got ${shown}`,
      ],
    ],
    [
      'parts without times',
      { ...whole, 'snapshot.json': untimed },
      [
        'snapshot.json catalog: expected the times of products.ndjson, got null',
        'snapshot.json directory: expected the times of stores.ndjson, got null',
      ],
    ],
    [
      'inventory without its scope',
      without('inventory_scope.json'),
      ['inventory_scope.json: expected a file next to inventory.ndjson, got nothing'],
    ],
    [
      'a scope alone',
      without('inventory.ndjson'),
      ['inventory.ndjson: expected a file next to inventory_scope.json, got nothing'],
    ],
    [
      'several problems',
      { ...without('products.ndjson'), 'snapshot.json.gz': '', 'curation.json.gz': '' },
      [
        'curation.json: expected either a plain or a gzip file, got curation.json and curation.json.gz',
        'snapshot.json: expected the header as a plain file, got snapshot.json.gz',
        `snapshot.json catalog: expected null without products.ndjson, got ${shown}`,
      ],
    ],
    [
      'a gzip file that is cut off',
      { ...without('curation.json'), 'curation.json.gz': gzipSync('{}').subarray(0, -4) },
      ['curation.json.gz: expected a whole gzip file, got unexpected end of file'],
    ],
    [
      'an empty gzip file',
      { ...without('curation.json'), 'curation.json.gz': '' },
      ['curation.json.gz: expected a whole gzip file, got unexpected end of file'],
    ],
  ])('has %s', async (_, files, expected) => {
    expect(await problemsOfFolder(await folderOf(files))).toEqual(expected);
  });

  test.each([
    ['', 'a JSON document, got unexpected end of input'],
    ['{"format":}', `a JSON document, got unexpected token '}', "{"format":}"`],
    ['[]', 'an object, got []'],
    [Buffer.from([0x22, 0x43, 0xe2, 0x22]), 'valid UTF-8, got "C\uFFFD"'],
  ])('has a header that is %j', async (content, expected) => {
    const folder = await folderOf({ ...whole, 'snapshot.json': content });
    expect(await problemsOfFolder(folder)).toEqual([`snapshot.json: expected ${expected}`]);
  });

  test('is missing', async () => {
    const folder = join(await folderOf({}), 'none');
    expect(await problemsOfFolder(folder)).toEqual(['none: expected a snapshot folder, got nothing']);
  });
});
