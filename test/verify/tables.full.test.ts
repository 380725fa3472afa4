import { statSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TableHeader, type TableName, tableColumns } from '../../generator/contract/formats/parquet.ts';
import { ParquetTable } from '../../generator/encode/parquet.ts';
import { TableFile } from '../../generator/site/table-file.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(11, 12);
});
afterAll(() => example.remove());

const manifest = '/v1/exports';
const newest = '/v1/exports/changes/newest.parquet';
const allDays = '/v1/exports/daily.parquet';
const revisionOf = (site: EditedSite, back = 0) => site.pointer.publications[back]?.revision ?? '';
const pathOf = (site: EditedSite, name: string, back = 0) => `/v1/exports/${revisionOf(site, back)}/${name}`;

type Row = Record<string, unknown>;

function fileAt(site: EditedSite, path: string): TableFile {
  const file = site.locate(site.objectOf(path));
  return new TableFile(file, statSync(file).size);
}

/** The records of a table, from what a file stores. */
async function recordsOf(site: EditedSite, path: string, table: TableName): Promise<Row[]> {
  const file = fileAt(site, path);
  const records: Row[] = Array.from({ length: file.rows }, () => ({}));
  let first = 0;
  for (const [index, rows] of file.groups.entries()) {
    const group = await file.readGroup(index);
    for (const { name, type } of tableColumns(table)) {
      for (let row = 0; row < rows; row += 1) {
        const value = group.get(name)?.[row] ?? null;
        const time = type === 'date-time' && value !== null ? instant(value as bigint) : null;
        (records[first + row] as Row)[name] = time ?? (type === 'object' ? JSON.parse(value as string) : value);
      }
    }
    first += rows;
  }
  return records;
}

const instant = (microseconds: bigint) => `${new Date(Number(microseconds / 1000n)).toISOString().slice(0, 19)}Z`;

/** Writes a file anew, with other records or another header. Every hash up to the pointer fits, and so does the manifest. */
async function rewrite(
  site: EditedSite,
  path: string,
  table: TableName,
  edit: (records: Row[]) => Row[],
  editHeader: (header: TableHeader) => object = (header) => header,
): Promise<void> {
  const records = edit(await recordsOf(site, path, table));
  const written = new ParquetTable(table);
  for (const record of records) written.add(record);
  const header: TableHeader = JSON.parse(fileAt(site, path).header ?? '');
  replace(site, path, written.end(editHeader({ ...header, record_count: records.length }) as TableHeader));
}

/** Replaces a file, and states it in the manifest as it is. */
function replace(site: EditedSite, path: string, bytes: Uint8Array): void {
  site.replace(path, Buffer.from(bytes));
  const { sha256, size, etag } = site.route(path);
  site.editDocument(manifest, ({ data: { parquet } }) => {
    for (const file of Object.values<{ url: string }>({ ...parquet.files, ...parquet.history })) {
      if (file.url === path) Object.assign(file, { sha256, size, etag });
    }
  });
}

/** Faults without those of checksums and data package, which every other file of a publication causes. */
async function faultsOf(site: EditedSite): Promise<string[]> {
  return (await site.faults()).filter((fault) => !fault.startsWith('export_companion '));
}

const change = (fields: Row) => (records: Row[]) => records.with(3, { ...records[3], ...fields });
const same = (records: Row[]) => records;

test('a file that is written anew with its own records is sound, and so is an export that is packed otherwise', async () => {
  const site = new EditedSite(example.folder);
  for (const table of ['products', 'stores', 'inventory', 'daily'] as const) {
    await rewrite(site, pathOf(site, `${table}.parquet`), table, same);
  }
  await rewrite(site, newest, 'changes', same);
  await rewrite(site, allDays, 'daily', same);
  // Its Parquet file differs from an export by what that says, not by how it is packed.
  const path = pathOf(site, 'stores.ndjson.gz');
  site.replace(path, gzipSync(gunzipSync(site.bytes(site.objectOf(path))), { level: 1 }));
  expect(await faultsOf(site)).toEqual([]);
});

test('a value changed under right hashes, and an event with another id', async () => {
  const site = new EditedSite(example.folder);
  const edits: [table: TableName, back: number, fields: Row][] = [
    ['products', 0, { price_amount_minor: 12_345n }],
    ['products', 1, { price_amount_minor: null }],
    ['products', 2, { former_skus: ['000001'] }],
    ['stores', 0, { latitude: 40.25 }],
    ['inventory', 0, { reported_quantity: 7_777n }],
    ['inventory', 1, { retrieved_at: '2025-01-01T00:00:00Z' }],
    ['inventory', 2, { meets_retrieval_policy: false }],
  ];
  const expected = [`parquet_row ${newest}`];
  for (const [table, back, fields] of edits) {
    const path = pathOf(site, `${table}.parquet`, back);
    await rewrite(site, path, table, change(fields));
    expected.push(`parquet_row ${path}`);
  }
  await rewrite(site, newest, 'changes', change({ id: '00000000-0000-4000-8000-000000000000' }));
  expect((await faultsOf(site)).sort()).toEqual(expected.sort());
});

test('a price of a day that the products of that day do not have, and one that its own file does not have', async () => {
  const site = new EditedSite(example.folder);
  const part = pathOf(site, 'daily.parquet', 1);
  await rewrite(site, part, 'daily', change({ price_amount: 1n }));
  expect(await faultsOf(site)).toEqual([`parquet_row ${allDays}`, `parquet_row ${part}`].sort());
  const other = new EditedSite(example.folder);
  await rewrite(other, allDays, 'daily', (records) => [
    ...records.slice(0, -1),
    { ...records.at(-1), reported_quantity: 1_000_000n },
  ]);
  expect(await other.faults()).toEqual([`parquet_row ${allDays}`]);
});

test('a row of a day before the retained publications that is there twice', async () => {
  const site = new EditedSite(example.folder);
  await rewrite(site, allDays, 'daily', (records) => [records[0] ?? {}, ...records]);
  expect(await faultsOf(site)).toContain(`parquet_row ${allDays}`);
});

test('rows missing, too many, and in another order', async () => {
  const site = new EditedSite(example.folder);
  const [products, stores, inventory] = ['products', 'stores', 'inventory'].map((name) =>
    pathOf(site, `${name}.parquet`),
  );
  await rewrite(site, products ?? '', 'products', (records) => records.slice(0, -1));
  await rewrite(site, stores ?? '', 'stores', (records) => [...records, records.at(-1) ?? {}]);
  await rewrite(site, inventory ?? '', 'inventory', (records) => records.toReversed());
  await rewrite(site, newest, 'changes', (records) => records.slice(0, -1));
  await rewrite(site, allDays, 'daily', (records) => [...records, records.at(-1) ?? {}]);
  expect(await faultsOf(site)).toEqual([
    'parquet_mismatch /v1/exports',
    'parquet_mismatch /v1/exports',
    'parquet_mismatch /v1/exports',
    'parquet_mismatch /v1/exports',
    `parquet_row ${inventory}`,
    `parquet_count ${products}`,
    `parquet_count ${stores}`,
    `parquet_count ${newest}`,
    `parquet_row ${allDays}`,
  ]);
});

test("two files in each other's place", async () => {
  const site = new EditedSite(example.folder);
  const [today, before] = [pathOf(site, 'stores.parquet'), pathOf(site, 'stores.parquet', 1)];
  const [own, other] = [today, before].map((path) => Buffer.from(site.bytes(site.objectOf(path))));
  // Bytes of one object are replaced at all its addresses, so the two are never the same meanwhile.
  replace(site, today, Buffer.of());
  replace(site, before, own ?? Buffer.of());
  replace(site, today, other ?? Buffer.of());
  expect(await faultsOf(site)).toEqual(
    [today, before].sort().flatMap((path) => [`parquet_header ${path}`, `parquet_row ${path}`]),
  );
});

test('a header that says otherwise', async () => {
  const site = new EditedSite(example.folder);
  const reworded = ({ fields, ...header }: TableHeader) => ({
    ...header,
    fields: fields.map((field) => ({ ...field, meaning: 'Told otherwise' })),
  });
  const withoutFirst = ({ fields, ...header }: TableHeader) => ({ ...header, fields: fields.slice(1) });
  const edits: [table: TableName, back: number, code: string | null, edit: (header: TableHeader) => object][] = [
    ['stores', 0, 'parquet_header', withoutFirst],
    ['products', 0, 'parquet_header', reworded],
    ['inventory', 0, 'parquet_header', ({ fields, ...header }) => ({ ...header, fields: [...fields, fields[0]] })],
    ['stores', 1, 'parquet_header', (header) => ({ ...header, resource: 'inventory' })],
    [
      'products',
      1,
      'parquet_header',
      (header) => ({ ...header, publication_revision: header.publication_revision?.replace(/^./, '0') }),
    ],
    ['inventory', 1, 'parquet_header', (header) => ({ ...header, published_at: '2025-01-01T00:00:00Z' })],
    ['stores', 2, 'parquet_header', (header) => ({ ...header, more: 1 })],
    ['products', 2, 'parquet_count', (header) => ({ ...header, record_count: 1 })],
    // A file of before may say less of its columns, but has those that it names.
    ['inventory', 2, null, reworded],
    ['stores', 3, 'parquet_schema', withoutFirst],
  ];
  const expected: string[] = [];
  for (const [table, back, code, edit] of edits) {
    const path = pathOf(site, `${table}.parquet`, back);
    await rewrite(site, path, table, same, edit);
    if (code !== null) expected.push(`${code} ${path}`);
  }
  expect((await faultsOf(site)).sort()).toEqual(expected.sort());
});

test('files that are no Parquet, and statistics that are not true, under right hashes', async () => {
  const site = new EditedSite(example.folder);
  const edits: [name: string, back: number, code: string, edit: (bytes: Buffer) => Buffer][] = [
    ['inventory', 0, 'unreadable', () => Buffer.alloc(0)],
    ['inventory', 1, 'unreadable', (bytes) => bytes.subarray(0, -100)],
    ['products', 0, 'unreadable', () => Buffer.from('neither rows nor columns')],
    // All zeros before its metadata.
    ['products', 1, 'unreadable', (bytes) => Buffer.concat([Buffer.alloc(2_000), bytes.subarray(2_000)])],
    // A length of its metadata beyond the file.
    [
      'products',
      2,
      'unreadable',
      (bytes) => Buffer.concat([bytes.subarray(0, -8), Buffer.from('7fffffff', 'hex'), bytes.subarray(-4)]),
    ],
    // A least value above one of its rows, and a greatest below one.
    ['inventory', 2, 'statistics', (bytes) => rewriteBound(bytes, 'reported_positiv', 'sold_out_or_less')],
    ['inventory', 3, 'statistics', (bytes) => rewriteBound(bytes, 'row_absent', 'row_absenc')],
  ];
  const expected: string[] = [];
  for (const [name, back, code, edit] of edits) {
    const path = pathOf(site, `${name}.parquet`, back);
    replace(site, path, edit(Buffer.from(site.bytes(site.objectOf(path)))));
    expected.push(`parquet_${code} ${path}`);
  }
  expect((await faultsOf(site)).sort()).toEqual(expected.sort());
});

function rewriteBound(bytes: Buffer, bound: string, wrong: string): Buffer {
  const metadata = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  bytes.write(wrong, bytes.indexOf(bound, metadata));
  return bytes;
}

test('a wrong count, size and address in the manifest, and a wrong address in the list of pieces', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(manifest, ({ data: { parquet } }) => {
    parquet.files.stores.record_count += 1;
    parquet.history.daily.size += 1;
    parquet.history.changes.url = parquet.history.newest_changes.url;
  });
  site.editDocument('/v1/exports/changes.json', ({ parquet }) => {
    parquet.newest_url = parquet.url;
  });
  expect(await site.faults()).toEqual([
    ...Array(3).fill(`parquet_mismatch ${manifest}`),
    'piece_mismatch /v1/exports/changes.json',
  ]);
});

test('files that are not there', async () => {
  const site = new EditedSite(example.folder);
  const [part, before] = [pathOf(site, 'daily.parquet'), pathOf(site, 'inventory.parquet', 1)];
  for (const path of [part, before, newest]) site.removeRoute(path);
  expect([...new Set(await faultsOf(site))]).toEqual(
    [
      `address_unresolved ${manifest}`,
      'address_unresolved /v1',
      ...[part, before, newest].map((path) => `route_missing ${path}`),
    ].sort((a, b) => ((a.split(' ')[1] ?? '') < (b.split(' ')[1] ?? '') ? -1 : 1)),
  );
});

/** Rewrites the checksums of a publication without some files, and its data package without others. */
function keepListed(site: EditedSite, back: number, sums: RegExp, resources: RegExp): string[] {
  const [checksums = '', description = ''] = ['SHA256SUMS', 'datapackage.json'].map((name) => pathOf(site, name, back));
  const lines = site.bytes(site.objectOf(checksums)).toString().trimEnd().split('\n');
  const kept = lines.filter((line) => sums.test(line)).map((line) => `${line}\n`);
  site.replace(checksums, Buffer.from(kept.join('')));
  site.editDocument(description, (document) => {
    document.resources = document.resources.filter(({ path }: { path: string }) => resources.test(path));
  });
  return [`export_companion ${checksums}`, `export_companion ${description}`];
}

test('companions that were made before there was Parquet list the other files alone, and both the same', async () => {
  const site = new EditedSite(example.folder);
  keepListed(site, 0, /ndjson/, /ndjson/);
  const [, ofSums] = keepListed(site, 1, /ndjson/, /./);
  const [, ofPackage] = keepListed(site, 2, /./, /ndjson/);
  const [ofOne] = keepListed(site, 3, /ndjson|stores|products|inventory/, /./);
  expect((await site.faults()).sort()).toEqual([ofSums, ofPackage, ofOne].sort());
});
