import { hash } from 'node:crypto';
import { v5 } from 'uuid';
import {
  type IcebergMetadata,
  type IcebergSchema,
  type IcebergSnapshot,
  type IcebergTable,
  isGrowing,
  lastFieldId,
  nameMapping,
} from '../../contract/formats/iceberg.ts';
import { icebergFolder, manifestListName, manifestName } from '../../contract/paths.ts';
import { avroFile } from './encoding/avro.ts';
import { manifestListSchema, manifestSchema } from './manifest-schemas.ts';
import { type StatedValue, type StoredColumn, TableFile } from './table-file.ts';

/** A Parquet file of a table: its address, where it is stored, and the publication that brought it. */
export type IcebergFile = {
  readonly path: string;
  readonly stored: string;
  readonly size: number;
  readonly sequence: number;
  readonly revision: string;
  /** When that was published, in milliseconds since 1970. */
  readonly published_ms: number;
};

/** Where engines find a table: the URL before the paths of its files, and that of its own folder. */
export type IcebergLocation = {
  readonly site: string;
  readonly folder: string;
};

/** What Iceberg needs beside the Parquet files of a table. `manifests` are by their names, and manifest lists too. */
type IcebergFiles = {
  readonly metadata: IcebergMetadata;
  readonly manifests: ReadonlyMap<string, Buffer>;
};

/** A manifest with the facts that a manifest list repeats. */
type Manifest = { readonly file: IcebergFile; readonly bytes: Buffer; readonly rows: number };

/**
 * Makes what Iceberg needs of a table with these files, oldest first, at least one. Everything follows from the files,
 * so the same files give the same bytes. Files without rows are left out.
 */
export function icebergFiles(
  table: IcebergTable,
  files: readonly IcebergFile[],
  schema: IcebergSchema,
  { site, folder }: IcebergLocation,
): IcebergFiles {
  const urlOf = (name: string) => `${folder}/metadata/${name}`;
  const all = files.map((file): Manifest => {
    const stored = new TableFile(file.stored, file.size);
    return { file, bytes: manifestBytes(schema, site + file.path, file, stored), rows: stored.rows };
  });
  const manifests = new Map<string, Buffer>();
  const snapshots = all.map(({ file, rows }, index): IcebergSnapshot => {
    const held = (isGrowing(table) ? all.slice(0, index + 1) : all.slice(index, index + 1)).filter(hasRows);
    const before = files[index - 1];
    const list = manifestListBytes(held, file, before ?? null, urlOf);
    const name = manifestListName(file.revision, hash('sha256', list).slice(0, 16));
    manifests.set(name, list);
    return {
      'snapshot-id': file.sequence,
      ...(before ? { 'parent-snapshot-id': before.sequence } : {}),
      'sequence-number': file.sequence,
      'timestamp-ms': file.published_ms,
      'manifest-list': urlOf(name),
      summary: {
        operation: isGrowing(table) ? 'append' : 'overwrite',
        'added-data-files': rows > 0 ? '1' : '0',
        'added-records': String(rows),
        'total-data-files': String(held.length),
        'total-records': String(held.reduce((sum, one) => sum + one.rows, 0)),
        'publication-revision': file.revision,
      },
      'schema-id': 0,
    };
  });
  for (const { file, bytes } of all.filter(hasRows)) manifests.set(manifestName(file.revision), bytes);
  return { metadata: tableMetadata(folder, schema, snapshots), manifests };
}

/** The location of a table of a site that engines find at a URL. */
export function locationInSite(site: string, table: IcebergTable): IcebergLocation {
  return { site, folder: site + icebergFolder(table) };
}

function hasRows({ rows }: Manifest): boolean {
  return rows > 0;
}

function tableMetadata(
  location: string,
  schema: IcebergSchema,
  snapshots: readonly IcebergSnapshot[],
): IcebergMetadata {
  const newest = snapshots.at(-1);
  if (!newest) throw new Error('a table of Iceberg needs a file at least');
  const id = newest['snapshot-id'];
  const tags = snapshots.map((one) => [
    one.summary['publication-revision'],
    { 'snapshot-id': one['snapshot-id'], type: 'tag' },
  ]);
  return {
    'format-version': 2,
    'table-uuid': v5(location, v5.URL),
    location,
    'last-sequence-number': newest['sequence-number'],
    'last-updated-ms': newest['timestamp-ms'],
    'last-column-id': lastFieldId(schema),
    schemas: [schema],
    'current-schema-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'default-spec-id': 0,
    // Ids of partition fields begin at 1000.
    'last-partition-id': 999,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    'default-sort-order-id': 0,
    properties: { 'schema.name-mapping.default': nameMapping(schema) },
    'current-snapshot-id': id,
    refs: { main: { 'snapshot-id': id, type: 'branch' }, ...Object.fromEntries(tags) },
    snapshots: [...snapshots],
    'snapshot-log': snapshots.map((one) => ({
      'timestamp-ms': one['timestamp-ms'],
      'snapshot-id': one['snapshot-id'],
    })),
    'metadata-log': [],
  };
}

/** The status of a file that its snapshot added. */
const added = 1;
/** What a manifest lists: data files, not deletions. */
const dataFiles = 0;

/** A manifest with one file. Its sequence number is null, because it inherits that of the manifest. */
function manifestBytes(schema: IcebergSchema, url: string, { sequence, size }: IcebergFile, stored: TableFile): Buffer {
  const columns = schema.fields.flatMap(({ id, name, type }) => {
    const column = stored.columns.get(name);
    return column && typeof type === 'string' ? [{ id, type, ...column }] : [];
  });
  const byField = <Value>(factOf: (column: (typeof columns)[number]) => Value | null) =>
    columns.flatMap((column) => {
      const value = factOf(column);
      return value === null ? [] : [{ key: column.id, value }];
    });
  const bound = (side: 'least' | 'greatest') =>
    byField(({ type, bounds }: StoredColumn & { readonly type: string }) => bounds && boundBytes(type, bounds[side]));
  const entry = {
    status: added,
    snapshot_id: sequence,
    sequence_number: null,
    file_sequence_number: null,
    data_file: {
      content: dataFiles,
      file_path: url,
      file_format: 'PARQUET',
      partition: {},
      record_count: stored.rows,
      file_size_in_bytes: size,
      column_sizes: byField(({ bytes }) => bytes),
      value_counts: byField(({ values }) => values),
      null_value_counts: byField(({ nulls }) => nulls),
      lower_bounds: bound('least'),
      upper_bounds: bound('greatest'),
      split_offsets: stored.groupOffsets,
    },
  };
  const meta = {
    schema: JSON.stringify(schema),
    'schema-id': '0',
    'partition-spec': '[]',
    'partition-spec-id': '0',
    'format-version': '2',
    content: 'data',
  };
  return avroFile(manifestSchema, meta, [entry]);
}

function manifestListBytes(
  manifests: readonly Manifest[],
  { sequence }: IcebergFile,
  before: IcebergFile | null,
  urlOf: (name: string) => string,
): Buffer {
  const entries = manifests.map(({ file, bytes, rows }) => ({
    manifest_path: urlOf(manifestName(file.revision)),
    manifest_length: bytes.length,
    partition_spec_id: 0,
    content: dataFiles,
    sequence_number: file.sequence,
    min_sequence_number: file.sequence,
    added_snapshot_id: file.sequence,
    added_files_count: 1,
    existing_files_count: 0,
    deleted_files_count: 0,
    added_rows_count: rows,
    existing_rows_count: 0,
    deleted_rows_count: 0,
    partitions: [],
  }));
  const meta = {
    'snapshot-id': String(sequence),
    'parent-snapshot-id': before ? String(before.sequence) : 'null',
    'sequence-number': String(sequence),
    'format-version': '2',
  };
  return avroFile(manifestListSchema, meta, entries);
}

/** A bound in the binary form that Iceberg gives single values (its specification, Appendix D). */
function boundBytes(type: string, value: StatedValue): Buffer {
  if (typeof value === 'string') return Buffer.from(value);
  if (typeof value === 'boolean') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(8);
  const scale = /^decimal\(18, (\d)\)$/.exec(type)?.[1];
  if (scale !== undefined) {
    bytes.writeBigInt64BE(BigInt(Math.round(Number(value) * 10 ** Number(scale))));
    return withoutSignExtension(bytes);
  }
  if (typeof value === 'bigint') bytes.writeBigInt64LE(value);
  else bytes.writeDoubleLE(value);
  return bytes;
}

/** The shortest two's complement of a number, of at least one byte. */
function withoutSignExtension(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1) {
    const [first = 0, second = 0] = bytes.subarray(start);
    const isExtension = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80);
    if (!isExtension) break;
    start += 1;
  }
  return bytes.subarray(start);
}
