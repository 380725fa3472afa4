import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const exportPath = (site: EditedSite, resource = 'inventory', back = 0) =>
  `/v1/exports/${site.pointer.publications[back]?.revision}/${resource}.ndjson.gz`;

const tablePath = (site: EditedSite, resource = 'inventory') =>
  `/v1/exports/${site.pointer.revision}/${resource}.parquet`;

/**
 * Faults of a site, without those of the checksums and the data package. Every edit of an export causes these too, and
 * export-companions.full.test.ts covers them.
 */
async function faultsOf(site: EditedSite): Promise<string[]> {
  return (await site.faults()).filter((fault) => !fault.startsWith('export_companion '));
}

/** Edits the text of an export, and rewrites gzip and the chain of hashes. */
function editLines(site: EditedSite, path: string, edit: (lines: string[]) => void): void {
  const lines = gunzipSync(site.bytes(site.objectOf(path)))
    .toString()
    .trimEnd()
    .split('\n');
  edit(lines);
  site.replace(path, gzipSync(lines.map((line) => `${line}\n`).join('')));
}

function editRecord(lines: string[], index: number, fields: object): void {
  lines[index] = JSON.stringify({ ...JSON.parse(lines[index] ?? ''), ...fields });
}

function editHeader(lines: string[], fields: object): void {
  editRecord(lines, 0, { header: { ...JSON.parse(lines[0] ?? '').header, ...fields } });
}

test('exports that are not whole or not text, under right hashes', async () => {
  const site = new EditedSite(example.folder);
  const edits: Record<string, (bytes: Buffer) => Buffer> = {
    'truncated before its checksum': (bytes) => bytes.subarray(0, -8),
    'truncated by one byte': (bytes) => bytes.subarray(0, -1),
    'cut in the middle': (bytes) => bytes.subarray(0, bytes.length >> 1),
    'followed by zeros': (bytes) => Buffer.concat([bytes, Buffer.alloc(9)]),
    'followed by text': (bytes) => Buffer.concat([bytes, Buffer.from('end')]),
    empty: () => Buffer.alloc(0),
    'not compressed': (bytes) => gunzipSync(bytes),
    'without its last line feed': (bytes) => gzipSync(gunzipSync(bytes).subarray(0, -1)),
    'not UTF-8': (bytes) => gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.from([0xff, 0x0a])])),
  };
  const paths = ['inventory', 'products', 'stores'].flatMap((resource) =>
    [0, 1, 2].map((back) => exportPath(site, resource, back)),
  );
  for (const [i, edit] of Object.values(edits).entries()) {
    const path = paths[i] ?? '';
    site.replace(path, edit(site.bytes(site.objectOf(path))));
  }
  expect((await faultsOf(site)).sort()).toEqual(paths.map((path) => `export_compression ${path}`).sort());
});

test('a record missing', async () => {
  const site = new EditedSite(example.folder);
  const path = exportPath(site);
  editLines(site, path, (lines) => lines.splice(5, 1));
  expect(await faultsOf(site)).toEqual([
    `export_count ${path}`,
    `export_mismatch ${path}`,
    `parquet_row ${tablePath(site)}`,
    'list_count /v1/metadata',
    'export_count /v1/metadata/publications',
  ]);
});

test('a record repeated, and one out of order', async () => {
  const site = new EditedSite(example.folder);
  editLines(site, exportPath(site), (lines) => lines.splice(5, 1, lines[4] ?? ''));
  editLines(site, exportPath(site, 'stores'), (lines) => lines.push(...lines.splice(1, 1)));
  expect(await faultsOf(site)).toEqual([
    `export_mismatch ${exportPath(site)}`,
    `export_order ${exportPath(site)}`,
    `parquet_row ${tablePath(site)}`,
    `export_order ${exportPath(site, 'stores')}`,
    `parquet_row ${tablePath(site, 'stores')}`,
  ]);
});

test('records with a wrong value, of another type, and that are no JSON', async () => {
  const site = new EditedSite(example.folder);
  const path = exportPath(site, 'products');
  editLines(site, path, (lines) => {
    editRecord(lines, 3, { price_currency: 'EUR' });
    editRecord(lines, 4, { record_type: 'store' });
    lines[5] = '{';
  });
  expect(await faultsOf(site)).toEqual([1, 2, 3].map(() => `export_record ${path}`));
});

test('headers that say otherwise', async () => {
  const site = new EditedSite(example.folder);
  const edits: [path: string, code: string, fields: object][] = [
    [exportPath(site, 'inventory'), 'export_count', { record_count: 3 }],
    [exportPath(site, 'products'), 'export_header', { resource: 'stores' }],
    [exportPath(site, 'stores'), 'export_header', { fields: [] }],
    [
      exportPath(site, 'inventory', 1),
      'export_header',
      { publication_revision: '00000000-0000-4000-8000-000000000000' },
    ],
    [exportPath(site, 'products', 1), 'export_header', { published_at: '2025-06-05T22:00:01Z' }],
    [exportPath(site, 'stores', 1), 'export_header', { schema_version: 2 }],
  ];
  for (const [path, , fields] of edits) editLines(site, path, (lines) => editHeader(lines, fields));
  expect((await faultsOf(site)).sort()).toEqual(edits.map(([path, code]) => `${code} ${path}`).sort());
});

test('a wrong record count in the manifest and in the list of publications', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/exports', ({ data }) => Object.assign(data.files.stores, { record_count: 1 }));
  site.editDocument('/v1/metadata/publications', ({ data }) =>
    Object.assign(data[1].exports.products, { record_count: 1 }),
  );
  expect(await faultsOf(site)).toEqual(['export_count /v1/exports', 'export_count /v1/metadata/publications']);
});
