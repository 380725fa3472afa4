import { statSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import {
  headerKey,
  parquetSchema,
  type TableHeader,
  type TableName,
  tableColumns,
} from '../../contract/columns/parquet.ts';
import { usualProfile } from '../../contract/profile.ts';
import { TableFile } from '../../generator/tables/table-file.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(11, 12);

const manifest = '/v1/exports';
const publications = '/v1/metadata/publications';
const newest = '/v1/exports/changes/newest.parquet';

/** The address of a file of the current publication, or of one that was `back` publications before. */
const exportPath = (site: EditedSite, name: string, back = 0) =>
  `/v1/exports/${site.pointer.publications[back]?.revision}/${name}`;
const monthPath = (month: string) => `/v1/exports/daily/${month}.csv.gz`;
const ndjsonPath = (site: EditedSite, resource: string, back = 0) => exportPath(site, `${resource}.ndjson.gz`, back);

/**
 * Every fault, except for statements of documents about a file: any changed file causes those, and one test here covers
 * them.
 */
async function faultsIn(site: EditedSite): Promise<string[]> {
  return (await site.faults()).filter((fault) => !fault.startsWith('export_mismatch '));
}

/** Edits the text of an export, and rewrites gzip and the chain of hashes. */
function editLines(site: EditedSite, path: string, edit: (lines: string[]) => void): void {
  const lines = gunzipSync(site.bytes(site.objectOf(path)))
    .toString()
    .slice(0, -1)
    .split('\n');
  edit(lines);
  site.replace(path, gzipSync(lines.map((line) => `${line}\n`).join('')));
}

function editRecord(lines: string[], index: number, fields: object): void {
  lines[index] = JSON.stringify({ ...JSON.parse(lines[index] ?? ''), ...fields });
}

test('NDJSON that is not whole or not text, under right hashes', async () => {
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
    [0, 1, 2].map((back) => ndjsonPath(site, resource, back)),
  );
  for (const [i, edit] of Object.values(edits).entries()) {
    const path = paths[i] ?? '';
    site.replace(path, edit(site.bytes(site.objectOf(path))));
  }
  expect((await faultsIn(site)).sort()).toEqual(paths.map((path) => `export_compression ${path}`).sort());
});

test('records that are missing, repeated, out of order, wrong in a value or a type, or not JSON', async () => {
  const site = new EditedSite(example.folder);
  const missing = ndjsonPath(site, 'inventory');
  editLines(site, missing, (lines) => lines.splice(5, 1));
  const edits: [resource: string, back: number, codes: string[], edit: (lines: string[]) => void][] = [
    ['inventory', 1, ['order'], (lines) => lines.splice(5, 1, lines[4] ?? '')],
    ['stores', 0, ['order'], (lines) => lines.push(...lines.splice(1, 1))],
    ['products', 1, ['record'], (lines) => lines.splice(5, 1, '{')],
    [
      'products',
      0,
      ['record', 'record'],
      (lines) => {
        editRecord(lines, 3, { price_currency: 'EUR' });
        editRecord(lines, 4, { record_type: 'store' });
      },
    ],
  ];
  const expected = edits.flatMap(([resource, back, codes, edit]) => {
    const path = ndjsonPath(site, resource, back);
    editLines(site, path, edit);
    return codes.map((code) => `export_${code} ${path}`);
  });
  expected.push(`export_count ${missing}`, `parquet_count ${exportPath(site, 'inventory.parquet')}`);
  expect((await faultsIn(site)).sort()).toEqual([...expected, 'list_count /v1/metadata'].sort());
});

test('CSV with other names, cells, rows or quotes, or with another number of rows', async () => {
  const site = new EditedSite(example.folder);
  const edits: [path: string, codes: string[], edit: (lines: string[]) => void][] = [
    [
      exportPath(site, 'products.csv.gz'),
      ['header'],
      (lines) => lines.splice(0, 1, (lines[0] ?? '').replace('name', 'title')),
    ],
    [
      exportPath(site, 'products.csv.gz', 1),
      ['record', 'record', 'record'],
      (lines) => {
        lines[1] = (lines[1] ?? '').replace(/\d+\.\d\d/, '12.9');
        lines[2] = (lines[2] ?? '').replace(',', ',=1+1');
        lines[3] = `${lines[3]?.trimEnd()},\r`;
      },
    ],
    [exportPath(site, 'products.csv.gz', 2), ['count', 'order'], (lines) => lines.splice(5, 0, lines[4] ?? '')],
    ['/v1/exports/prices.csv.gz', ['record'], (lines) => lines.push('"open')],
    [monthPath('2025-03'), ['count'], (lines) => lines.splice(2, 1)],
  ];
  const expected = edits.flatMap(([path, codes, edit]) => {
    editLines(site, path, edit);
    return codes.map((code) => `export_${code} ${path}`);
  });
  const packed = exportPath(site, 'products.csv.gz', 3);
  site.replace(packed, gunzipSync(site.bytes(site.objectOf(packed))));
  expected.push(`export_compression ${packed}`);
  expect((await faultsIn(site)).sort()).toEqual(expected.sort());
});

/** Positions of the rows of a publication in the lines of a month of daily.csv. */
function rowsOf(lines: readonly string[], publication: number): number[] {
  return [...lines.keys()].filter((index) => lines[index]?.startsWith(`${publication},`));
}

test.each<[string, string, (lines: string[], publication: number) => void]>([
  [
    'a cell of an early publication',
    'record',
    (lines, publication) => {
      const middle = rowsOf(lines, publication)[3] ?? 0;
      lines[middle] = (lines[middle] ?? '').replace(/,(true|false),/, ',yes,');
    },
  ],
  [
    'two rows of an early publication',
    'order',
    (lines, publication) => {
      const [, , third = 0, fourth = 0] = rowsOf(lines, publication);
      [lines[third], lines[fourth]] = [lines[fourth] ?? '', lines[third] ?? ''];
    },
  ],
  [
    'a whole publication that comes too late',
    'order',
    (lines, publication) => {
      const rows = rowsOf(lines, publication);
      const moved = lines.splice(rows[0] ?? 0, rows.length);
      lines.splice((rowsOf(lines, publication + 1).at(-1) ?? 0) + 1, 0, ...moved);
    },
  ],
  [
    'a whole publication that is there twice',
    'order',
    (lines, publication) => {
      const rows = rowsOf(lines, publication);
      lines.splice((rows.at(-1) ?? 0) + 1, 0, ...lines.slice(rows[0], (rows.at(-1) ?? 0) + 1));
    },
  ],
])('in daily.csv, %s', async (_, code, edit) => {
  const site = new EditedSite(example.folder);
  const path = monthPath('2025-05');
  editLines(site, path, (lines) => edit(lines, Number.parseInt(lines[1] ?? '', 10) + 1));
  expect(await faultsIn(site)).toContain(`export_${code} ${path}`);
});

test('months of daily.csv with a publication of another month, with one twice and without one', async () => {
  const site = new EditedSite(example.folder);
  const [april, may] = [monthPath('2025-04'), monthPath('2025-05')];
  let moved: string[] = [];
  editLines(site, april, (lines) => {
    moved = lines.splice(1, rowsOf(lines, 6).length);
  });
  editLines(site, may, (lines) => lines.splice(1, 0, ...moved));
  const misplaced = Array.from({ length: moved.length }, () => `export_record ${may}`);
  expect(misplaced.length).toBeGreaterThan(20);
  expect(await faultsIn(site)).toEqual(misplaced);
  editLines(site, april, (lines) => lines.splice(1, 0, ...moved));
  expect(await faultsIn(site)).toEqual([`export_count ${may}`, ...misplaced]);
  for (const path of [april, may]) editLines(site, path, (lines) => lines.splice(1, moved.length));
  // No file has the publication, so the fault has the address of them all.
  expect(await faultsIn(site)).toEqual(['export_count /v1/exports/daily.csv.gz']);
});

test('a month of daily.csv that nothing lists, one that is missing, and an older one as the newest', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(manifest, ({ data: { csv } }) => {
    csv.daily_months.splice(1, 1);
    csv.daily_months[0].size += 1;
    csv.daily.record_count += 1;
  });
  expect(await site.faults()).toEqual([
    ...Array(2).fill(`export_mismatch ${manifest}`),
    `publication_mismatch ${manifest}`,
  ]);
  const other = new EditedSite(example.folder);
  const { sha256, size, etag } = other.route(monthPath('2025-05'));
  other.editRoute('/v1/exports/daily.csv.gz', (route) => Object.assign(route, { sha256, size, etag }));
  other.removeRoute(monthPath('2025-03'));
  expect([...new Set(await other.faults())]).toEqual([
    `export_mismatch ${manifest}`,
    'export_count /v1/exports/daily.csv.gz',
    'export_mismatch /v1/exports/daily.csv.gz',
    // The manifest has two addresses.
    `address_unresolved ${manifest}/latest.json`,
    `checkout_content ${other.checkoutOf('/v1/exports/daily.csv.gz')}`,
  ]);
});

test('a data package and checksums from before there was CSV are sound', async () => {
  const site = new EditedSite(example.folder);
  const [sums, described] = ['SHA256SUMS', 'datapackage.json'].map((name) => exportPath(site, name, 1));
  type Package = { resources: { format: string }[] };
  site.editDocument(described ?? '', (document: Package) => {
    document.resources = document.resources.filter(({ format }) => format !== 'csv');
  });
  const lines = site.bytes(site.objectOf(sums ?? '')).toString();
  site.replace(sums ?? '', Buffer.from(lines.replace(/^.*products\S*\.csv(\.gz)?\n/gm, '')));
  expect(await site.faults()).toEqual([]);
  // Nor did they have the names that browsers give to Parquet.
  site.replace(sums ?? '', Buffer.from(lines.replace(/^.*products\S*\.csv(\.gz)?\n|^.*\d\.parquet\n/gm, '')));
  expect(await site.faults()).toEqual([]);
  // One that names CSV and one that does not contradict each other.
  site.replace(sums ?? '', Buffer.from(lines));
  expect(await site.faults()).toEqual([`export_mismatch ${sums}`]);
});

test('a data package and checksums from before they named unpacked files are sound, and what they state must be right', async () => {
  const site = new EditedSite(example.folder);
  const files = (back: number) => ['SHA256SUMS', 'datapackage.json'].map((name) => exportPath(site, name, back));
  type Package = { resources: { unpacked?: { bytes: number } }[] };
  const readText = (path = '') => site.bytes(site.objectOf(path)).toString();
  const packed = /^.*\.(ndjson|csv)\n|^.*\d\.parquet\n/gm;
  const [sums = '', described = ''] = files(1);
  const lines = readText(sums);
  expect(lines.match(packed)).toHaveLength(12);
  site.editDocument(described, ({ resources }: Package) => {
    for (const resource of resources) delete resource.unpacked;
  });
  site.replace(sums, Buffer.from(lines.replace(packed, '')));
  expect(await site.faults()).toEqual([]);
  site.replace(sums, Buffer.from(lines));
  const [otherSums = '', otherDescribed = ''] = files(2);
  site.replace(
    otherSums,
    Buffer.from(readText(otherSums).replace(/^.(?=.*products\.ndjson\n)/m, (digit) => (digit === '0' ? '1' : '0'))),
  );
  site.editDocument(otherDescribed, ({ resources }: Package) => {
    Object.assign(resources.find(({ unpacked }) => unpacked)?.unpacked ?? {}, { bytes: 1 });
  });
  const expected = [sums, otherSums, otherDescribed].map((path) => `export_mismatch ${path}`);
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

test('headers of NDJSON that say something else', async () => {
  const site = new EditedSite(example.folder);
  const nobody = '00000000-0000-4000-8000-000000000000';
  const edits: [path: string, code: string, fields: object][] = [
    [ndjsonPath(site, 'inventory'), 'export_count', { record_count: 3 }],
    [ndjsonPath(site, 'products'), 'export_header', { resource: 'stores' }],
    [ndjsonPath(site, 'stores'), 'export_header', { fields: [] }],
    [ndjsonPath(site, 'inventory', 1), 'export_header', { publication_revision: nobody }],
    [ndjsonPath(site, 'products', 1), 'publication_mismatch', { published_at: '2025-06-05T22:00:01Z' }],
    [ndjsonPath(site, 'stores', 1), 'export_header', { schema_version: 2 }],
  ];
  for (const [path, , fields] of edits) {
    editLines(site, path, (lines) =>
      editRecord(lines, 0, { header: { ...JSON.parse(lines[0] ?? '').header, ...fields } }),
    );
  }
  expect((await faultsIn(site)).sort()).toEqual(edits.map(([path, code]) => `${code} ${path}`).sort());
});

test('documents that state something else about the files', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(manifest, ({ data: { csv, files, parquet } }) => {
    files.stores.record_count += 1;
    parquet.files.stores.record_count += 1;
    csv.prices.record_count += 1;
    parquet.history.daily.size += 1;
    parquet.history.changes.url = parquet.history.newest_changes.url;
  });
  site.editDocument(publications, ({ data }) => Object.assign(data[1].exports.products, { record_count: 1 }));
  site.editDocument('/v1/exports/changes.json', (document) => {
    document.parquet.newest_url = document.parquet.url;
    document.after.first_event += 100;
    document.after.first_page += 1;
  });
  const paths: string[] = [];
  const checksums: ((text: string) => string)[] = [
    // Another digest, another name, a line missing, a line more.
    (text) => text.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0')),
    (text) => text.replace('stores', 'shops'),
    (text) => text.split('\n').slice(1).join('\n'),
    (text) => `${text}${text.split('\n')[0]}\n`,
  ];
  for (const [back, edit] of checksums.entries()) {
    const path = exportPath(site, 'SHA256SUMS', back);
    site.replace(path, Buffer.from(edit(site.bytes(site.objectOf(path)).toString())));
    paths.push(path);
  }
  type Package = { created: string; resources: Record<string, unknown>[] };
  const packages: ((document: Package) => unknown)[] = [
    (document) => Object.assign(document, { created: '2025-06-05T22:00:01Z' }),
    ({ resources }) => Object.assign(resources[1] ?? {}, { bytes: 1 }),
    ({ resources }) => Object.assign(resources[2] ?? {}, { hash: `sha256:${'0'.repeat(64)}` }),
    // Not Parquet, and not CSV.
    (document) => Object.assign(document, { resources: document.resources.slice(0, 3) }),
  ];
  for (const [back, edit] of packages.entries()) {
    const path = exportPath(site, 'datapackage.json', back);
    site.editDocument(path, edit);
    paths.push(path);
  }
  const [changes, ...others] = ['/v1/exports/changes.json', publications, manifest];
  expect((await site.faults()).sort()).toEqual(
    [
      `export_mismatch ${changes}`,
      `publication_mismatch ${changes}`,
      `publication_mismatch ${changes}`,
      ...others.map((path) => `export_mismatch ${path}`),
      ...Array(4).fill(`export_mismatch ${manifest}`),
      ...paths.map((path) => `export_mismatch ${path}`),
    ].sort(),
  );
});

test('missing files, and bytes that differ from their checksums and data package', async () => {
  const site = new EditedSite(example.folder);
  const packed = ndjsonPath(site, 'stores', 2);
  site.replace(packed, gzipSync(gunzipSync(site.bytes(site.objectOf(packed))), { level: 1 }));
  const missing = [
    exportPath(site, 'daily.parquet'),
    exportPath(site, 'inventory.parquet', 1),
    exportPath(site, 'SHA256SUMS'),
    exportPath(site, 'datapackage.json'),
    newest,
    '/v1/exports/coverage.parquet',
  ];
  const latest = '/v1/exports/latest';
  for (const path of [...missing, `${latest}/stores.parquet`]) site.removeRoute(path);
  expect([...new Set(await site.faults())].sort()).toEqual(
    [
      ...missing.map((path) => `route_missing ${path}`),
      `export_mismatch ${exportPath(site, 'SHA256SUMS', 2)}`,
      `export_mismatch ${exportPath(site, 'datapackage.json', 2)}`,
      `export_mismatch ${latest}/stores.parquet`,
      // The manifest has two addresses.
      `address_unresolved ${manifest}/latest.json`,
      'address_unresolved /v1',
    ].sort(),
  );
});

/** Writes a file again, with another header or other rows. Every hash up to the pointer is right. */
async function rewrite(
  site: EditedSite,
  path: string,
  table: TableName,
  editHeader: (header: TableHeader) => object,
  edit: (values: unknown[]) => unknown[] = (values) => values,
): Promise<void> {
  const original = site.locate(site.objectOf(path));
  const file = new TableFile(original, statSync(original).size);
  const group = await file.readGroup(0);
  const columns = tableColumns(table, usualProfile);
  const columnData = columns.map(({ name }) => ({ name, data: edit(Array.from(group.get(name) ?? [])) }));
  const header = editHeader({ ...JSON.parse(file.header ?? ''), record_count: columnData[0]?.data.length });
  const writer = new ByteWriter();
  const kvMetadata = [{ key: headerKey, value: JSON.stringify(header) }];
  const written = new ParquetWriter({ writer, schema: parquetSchema(columns), codec: 'UNCOMPRESSED', kvMetadata });
  written.write({ columnData });
  written.finish();
  site.replace(path, Buffer.from(writer.getBytes()));
}

test('Parquet whose header, columns or number of rows differ from the NDJSON', async () => {
  const site = new EditedSite(example.folder);
  const same = (header: TableHeader) => header;
  const withoutFirst = ({ fields, ...header }: TableHeader) => ({ ...header, fields: fields.slice(1) });
  const edits: [table: TableName, back: number, code: string | null, edit: (header: TableHeader) => object][] = [
    ['stores', 0, 'parquet_header', withoutFirst],
    ['products', 0, 'parquet_header', ({ fields, ...rest }) => ({ ...rest, fields: [...fields, fields[0]] })],
    ['inventory', 0, null, same],
    ['stores', 1, 'parquet_header', (header) => ({ ...header, resource: 'inventory' })],
    ['products', 1, 'parquet_header', (header) => ({ ...header, publication_revision: site.route(newest).etag })],
    ['inventory', 1, 'publication_mismatch', (header) => ({ ...header, published_at: '2025-01-01T00:00:00Z' })],
    ['stores', 2, 'parquet_header', (header) => ({ ...header, more: 1 })],
    ['products', 2, 'parquet_count', (header) => ({ ...header, record_count: 1 })],
  ];
  const expected: string[] = [];
  for (const [table, back, code, edit] of edits) {
    const path = exportPath(site, `${table}.parquet`, back);
    await rewrite(site, path, table, edit);
    if (code !== null) expected.push(`${code} ${path}`);
  }
  const [fewer, more, other] = [
    exportPath(site, 'inventory.parquet', 2),
    exportPath(site, 'daily.parquet', 1),
    exportPath(site, 'stores.parquet', 3),
  ];
  await rewrite(site, fewer, 'inventory', same, (values) => values.slice(1));
  await rewrite(site, more, 'daily', same, (values) => [...values, values.at(-1)]);
  site.replace(other, site.bytes(site.objectOf(exportPath(site, 'daily.parquet', 3))));
  expected.push(`parquet_count ${fewer}`, `parquet_count ${more}`, `parquet_schema ${other}`);
  // The file of another table also has other rows.
  expected.push(`parquet_header ${other}`, `parquet_count ${other}`);
  expected.push('publication_mismatch /v1/exports/datapackage.json', 'publication_mismatch /v1/exports/croissant.json');
  expect(new Set(await faultsIn(site))).toEqual(new Set(expected));
});

test('files that are not Parquet, under right hashes', async () => {
  const site = new EditedSite(example.folder);
  const edits: [path: string, edit: (bytes: Buffer) => Buffer][] = [
    [exportPath(site, 'inventory.parquet'), () => Buffer.alloc(0)],
    [exportPath(site, 'inventory.parquet', 1), (bytes) => bytes.subarray(0, -100)],
    // All zeros before its metadata.
    [exportPath(site, 'products.parquet', 1), (bytes) => Buffer.concat([Buffer.alloc(2_000), bytes.subarray(2_000)])],
    // A length of its metadata beyond the file.
    [
      exportPath(site, 'products.parquet', 2),
      (bytes) => Buffer.from(bytes).fill('7fffffff', bytes.length - 8, bytes.length - 4, 'hex'),
    ],
  ];
  for (const [path, edit] of edits) site.replace(path, edit(site.bytes(site.objectOf(path))));
  const stated = ['datapackage', 'datapackage', 'croissant', 'croissant'].map(
    (name) => `publication_mismatch /v1/exports/${name}.json`,
  );
  expect((await faultsIn(site)).sort()).toEqual(
    [...edits.map(([path]) => `parquet_unreadable ${path}`), ...stated].sort(),
  );
});
