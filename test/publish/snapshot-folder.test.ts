import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { FaultyInput, formatFault } from '../../generator/files/faults.ts';
import { openSnapshot } from '../../generator/snapshot/folder.ts';
import { headerOf } from '../support/snapshot-writer.ts';

const header = headerOf({ published_at: '2024-01-02T22:00:00Z' }, { products: [], stores: [] });

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

async function folderOf(files: Files): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, '001-2024-01-02');
  await mkdir(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

test('the hash of a snapshot changes with every byte of every file, and with nothing else', async () => {
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

test('a part in several files is the same as in one', async () => {
  const lines = ['{"a":1}', '{"b":2}', '{"c":3}'];
  const together = { ...whole, 'products.ndjson': `${lines.join('\n')}\n` };
  const divided = {
    ...without('products.ndjson'),
    'products.1.ndjson': lines[0] ?? '',
    'products.2.ndjson.gz': gzipSync(`${lines[1]}\n`),
    'products.10.ndjson': '',
  };
  const files = (last: string): Files => ({ ...divided, 'products.3.ndjson': `${last}\n` });
  const nine = Object.fromEntries([4, 5, 6, 7, 8, 9].map((number) => [`products.${number}.ndjson`, '']));
  const opened = await openSnapshot(await folderOf({ ...files(lines[2] ?? ''), ...nine }));
  expect(opened.contentHash).toBe((await openSnapshot(await folderOf(together))).contentHash);
  const [first] = opened.parts.products ?? [];
  expect([first && basename(first), opened.parts.products?.length]).toEqual(['products.1.ndjson', 10]);
  const other = await openSnapshot(await folderOf({ ...files('{"d":4}'), ...nine }));
  expect(other.contentHash).not.toBe(opened.contentHash);
});

test.each<[what: string, files: Files, problems: string[]]>([
  [
    'a part in one file and in several, of which one is missing',
    { ...whole, 'products.2.ndjson': '', 'stores.1.ndjson': '', 'stores.1.ndjson.gz': gzipSync('') },
    [
      'products.ndjson: expected one file, or numbered ones, got both',
      'products.ndjson: expected files numbered from 1 without gaps: products.1.ndjson, got none',
      'stores.1.ndjson: expected either a plain or a gzip file, got stores.1.ndjson and stores.1.ndjson.gz',
      'stores.ndjson: expected one file, or numbered ones, got both',
    ],
  ],
  ['no header', parts, ['snapshot.json: expected the header of the snapshot, got nothing']],
  [
    'a packed header and a part twice',
    { ...parts, 'snapshot.json.gz': gzipSync(JSON.stringify(header)), 'stores.ndjson.gz': gzipSync('') },
    [
      'stores.ndjson: expected either a plain or a gzip file, got stores.ndjson and stores.ndjson.gz',
      'snapshot.json: expected the header as a plain file, got snapshot.json.gz',
    ],
  ],
  [
    'times of parts that are not there',
    without('products.ndjson', 'stores.ndjson'),
    ['catalog', 'directory'].map(
      (part, index) =>
        `snapshot.json ${part}: expected null without ${index === 0 ? 'products' : 'stores'}.ndjson, ` +
        'got {"source_updated_at":null,"retrieved_at":"2024-01-02T22:00:00Z"}',
    ),
  ],
  [
    'parts without times',
    { ...whole, 'snapshot.json': JSON.stringify({ ...header, catalog: null, directory: null }) },
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
    'a gzip file that is cut off',
    { ...without('curation.json'), 'curation.json.gz': gzipSync('{}').subarray(0, -4) },
    ['curation.json.gz: expected a whole gzip file, got unexpected end of file'],
  ],
  ['a header that is a list', { ...whole, 'snapshot.json': '[]' }, ['snapshot.json: expected an object, got []']],
  [
    'a header in another encoding',
    { ...whole, 'snapshot.json': Buffer.from([0x22, 0x43, 0xe2, 0x22]) },
    ['snapshot.json: expected valid UTF-8, got "C\uFFFD"'],
  ],
])('no snapshot has %s', async (_, files, expected) => {
  const folder = await folderOf(files);
  const error = await openSnapshot(folder).catch((thrown: unknown) => thrown);
  if (!(error instanceof FaultyInput)) throw new Error(`opened, or failed otherwise: ${JSON.stringify(error)}`);
  expect(error.faults.first().map(formatFault)).toEqual(expected);
});
