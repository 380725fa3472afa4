import { hash } from 'node:crypto';
import { v5 } from 'uuid';
import { deletionsName, icebergFolder, manifestListName, manifestName } from '../../contract/paths.ts';
import type { IcebergMetadata, IcebergSchema, IcebergSnapshot } from '../../contract/schemas/iceberg.ts';
import type { IcebergTable } from '../../contract/vocabulary.ts';
import { type StatedValue, type StoredColumn, TableFile } from '../tables/table-file.ts';
import { avroFile } from './avro.ts';
import { isGrowing, lastFieldId, nameMapping } from './iceberg-schema.ts';
import { manifestListSchema, manifestSchema } from './manifest-schemas.ts';

/** The file's address, where it is stored, and the publication that brought it. */
export type IcebergFile = {
  readonly path: string;
  readonly stored: string;
  readonly size: number;
  readonly sequence: number;
  readonly revision: string;
  /** When that publication was published, in milliseconds since 1970. */
  readonly published_ms: number;
};

/** Where engines find a table: the URL before the paths of its files, and the URL of its own folder. */
export type IcebergLocation = {
  readonly site: string;
  readonly folder: string;
};

/** Iceberg's files beside the Parquet files. `manifests` are by name, and include manifest lists. */
type IcebergFiles = {
  readonly metadata: IcebergMetadata;
  readonly manifests: ReadonlyMap<string, Buffer>;
};

/** Lists one file, with the facts that a manifest list repeats. */
type Manifest = {
  readonly name: string;
  readonly bytes: Buffer;
  /** The number of the publication that added or deleted the file. */
  readonly sequence: number;
  readonly isDeleted: boolean;
  readonly rows: number;
};

/**
 * Makes Iceberg's metadata of a table with these files, oldest first, at least one. Everything follows from the files,
 * so the same files give the same bytes. Files without rows are left out. If a publication's file replaces an earlier
 * one, that publication lists the earlier one as deleted, so that engines can tell what left.
 */
export function icebergFiles(
  table: IcebergTable,
  files: readonly IcebergFile[],
  schema: IcebergSchema,
  { site, folder }: IcebergLocation,
): IcebergFiles {
  const urlOf = (name: string) => `${folder}/metadata/${name}`;
  const stored = files.map((file) => new TableFile(file.stored, file.size));
  /** Publication `by` adds its own file, and deletes another one's. Empty for a file without rows. */
  const manifestOf = (index: number, by: IcebergFile): Manifest[] => {
    const [file, content] = [files[index], stored[index]];
    if (!file || !content || content.rows === 0) return [];
    const isDeleted = by !== file;
    const name = isDeleted ? deletionsName(by.revision) : manifestName(by.revision);
    const bytes = manifestBytes(schema, site + file.path, file, content, by);
    return [{ name, bytes, sequence: by.sequence, isDeleted, rows: content.rows }];
  };
  const added = files.map((file, index) => manifestOf(index, file));
  const manifests = new Map<string, Buffer>();
  const snapshots = files.map((file, index): IcebergSnapshot => {
    const before = files[index - 1];
    const live = isGrowing(table) ? added.slice(0, index + 1).flat() : (added[index] ?? []);
    const deleted = isGrowing(table) ? [] : manifestOf(index - 1, file);
    const list = manifestListBytes([...live, ...deleted], file, before ?? null, urlOf);
    const name = manifestListName(file.revision, hash('sha256', list).slice(0, 16));
    for (const one of [...(added[index] ?? []), ...deleted]) manifests.set(one.name, one.bytes);
    manifests.set(name, list);
    const sumOf = (of: readonly Manifest[]) => String(of.reduce((sum, { rows }) => sum + rows, 0));
    return {
      'snapshot-id': file.sequence,
      ...(before ? { 'parent-snapshot-id': before.sequence } : {}),
      'sequence-number': file.sequence,
      'timestamp-ms': file.published_ms,
      'manifest-list': urlOf(name),
      summary: {
        operation: isGrowing(table) ? 'append' : 'overwrite',
        'added-data-files': String(added[index]?.length ?? 0),
        'added-records': sumOf(added[index] ?? []),
        'deleted-data-files': String(deleted.length),
        'deleted-records': sumOf(deleted),
        'total-data-files': String(live.length),
        'total-records': sumOf(live),
        'publication-revision': file.revision,
      },
      'schema-id': 0,
    };
  });
  return { metadata: tableMetadata(folder, schema, snapshots), manifests };
}

export function locationInSite(site: string, table: IcebergTable): IcebergLocation {
  return { site, folder: site + icebergFolder(table) };
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

const status = { added: 1, deleted: 2 } as const;
/** The manifest lists data files, not deletions of rows. */
const dataFiles = 0;

/**
 * Lists one file, which publication `by` added or, if it is another one's, deleted. The sequence number of an added
 * file is null, because it inherits the manifest's.
 */
function manifestBytes(
  schema: IcebergSchema,
  url: string,
  file: IcebergFile,
  stored: TableFile,
  by: IcebergFile,
): Buffer {
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
    status: by === file ? status.added : status.deleted,
    snapshot_id: by.sequence,
    sequence_number: by === file ? null : file.sequence,
    file_sequence_number: by === file ? null : file.sequence,
    data_file: {
      content: dataFiles,
      file_path: url,
      file_format: 'PARQUET',
      partition: {},
      record_count: stored.rows,
      file_size_in_bytes: file.size,
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
  const entries = manifests.map((one) => ({
    manifest_path: urlOf(one.name),
    manifest_length: one.bytes.length,
    partition_spec_id: 0,
    content: dataFiles,
    sequence_number: one.sequence,
    min_sequence_number: one.sequence,
    added_snapshot_id: one.sequence,
    added_files_count: one.isDeleted ? 0 : 1,
    existing_files_count: 0,
    deleted_files_count: one.isDeleted ? 1 : 0,
    added_rows_count: one.isDeleted ? 0 : one.rows,
    existing_rows_count: 0,
    deleted_rows_count: one.isDeleted ? one.rows : 0,
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

/** The binary form of single values (Iceberg's specification, Appendix D). */
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
