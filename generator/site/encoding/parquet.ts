import { isDeepStrictEqual } from 'node:util';
import { type ColumnChunk, type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import {
  headerKey,
  parquetSchema,
  type TableColumn,
  type TableHeader,
  type TableName,
  type TableSources,
  tableColumns,
} from '../../../contract/formats/parquet.ts';
import type { Profile } from '../../../contract/profile.ts';
import { Failure } from '../../files/failure.ts';
import { ColumnValues } from './column-values.ts';
import { gzipWhole } from './compression.ts';
import { Pieces, type Sink } from './pieces.ts';

/**
 * Rows in a row group. A reader that filters by the columns that a table is sorted by skips the groups without a match.
 * Smaller groups make a larger file, because each has its dictionaries.
 */
const rowsPerGroup = 20_000;

/**
 * A group with fewer rows is not compressed. For the bundled snapshots, compression would be half of a build's work and
 * save a tenth of the bytes. For a hundred stores it saves two fifths.
 */
const leastCompressed = 64;

/**
 * Takes the rows of a table one by one, and makes a Parquet file of them. Rows are encoded group by group, and each
 * group goes to the sink.
 */
export class ParquetTable<Name extends TableName> {
  readonly #columns: readonly TableColumn<TableSources[Name]>[];
  readonly #file: ParquetWriter;
  readonly #values: readonly ColumnValues<TableSources[Name]>[];
  #rows = 0;

  /** `path`: the address of the records of NDJSON, for messages. */
  constructor(table: Name, profile: Profile, path: string, sink: Sink) {
    this.#columns = tableColumns(table, profile);
    this.#file = parquetWriter(table, profile, sink);
    const where = () => `${path}: record ${this.#rows + 1}`;
    this.#values = this.#columns.map((column) => new ColumnValues(column, where));
  }

  get rows(): number {
    return this.#rows;
  }

  /**
   * Adds a row. Returns the members of its record, each after a comma. Throws a Failure that names the record and the
   * column when a value does not match its schema.
   */
  add(source: TableSources[Name]): string {
    let members = '';
    for (const values of this.#values) members += values.add(source);
    this.#rows += 1;
    if (this.#rows % rowsPerGroup === 0) this.#writeGroup();
    return members;
  }

  /**
   * Ends the file. Its bytes depend on the rows, the header, and the versions of the packages that encode and compress.
   */
  end(header: TableHeader): void {
    if (this.#rows % rowsPerGroup > 0) this.#writeGroup();
    finishFile(this.#file, header);
  }

  #writeGroup(): void {
    const isSmall = (this.#values[0]?.stored.length ?? 0) < leastCompressed;
    const columnData = this.#columns.map(({ name, type }, index) => ({
      name,
      data: this.#values[index]?.stored ?? [],
      // UUIDs that are all different do not compress.
      codec: isSmall || type === 'uuid bytes' ? ('UNCOMPRESSED' as const) : ('GZIP' as const),
      columnIndex: false,
      offsetIndex: false,
    }));
    this.#file.write({ columnData, rowGroupSize: rowsPerGroup });
    for (const values of this.#values) values.stored = [];
  }
}

/** Gives its bytes to a sink after each row group. */
class GroupWriter extends ByteWriter {
  readonly #sink: Sink;

  constructor(sink: Sink) {
    super();
    this.#sink = sink;
  }

  flush(): void {
    this.#sink(this.getBytes());
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }
}

function parquetWriter(table: TableName, profile: Profile, sink: Sink): ParquetWriter {
  return new ParquetWriter({
    writer: new GroupWriter(sink),
    schema: parquetSchema(tableColumns(table, profile)),
    compressors: { GZIP: gzipWhole },
    createdBy: 'shelfpress',
  });
}

/** Ends a file. The header goes into its footer. */
function finishFile(file: ParquetWriter, header: TableHeader): void {
  file.kvMetadata = [{ key: headerKey, value: JSON.stringify(header) }];
  file.finish();
}

/**
 * Joins the rows of several files, in their order. Row groups are copied as they are. Throws a Failure when the columns
 * of a file differ from those of the table.
 */
export function joinTables(
  table: TableName,
  profile: Profile,
  files: Iterable<Uint8Array>,
  header: TableHeader,
  sink: Sink,
): void {
  const joined = parquetWriter(table, profile, sink);
  for (const file of files) append(joined, file, readMetadata(file));
  finishFile(joined, header);
}

/**
 * Splits a file by the value of its first column, which a whole row group shares. Throws when a group has several
 * values.
 */
export function splitTable(
  table: TableName,
  profile: Profile,
  file: Uint8Array,
  header: (rows: number) => TableHeader,
): Map<number, Uint8Array> {
  const metadata = readMetadata(file);
  const groups = Map.groupBy(metadata.row_groups, ({ columns }) => {
    const { min_value, max_value } = columns[0]?.meta_data?.statistics ?? {};
    if (typeof min_value === 'bigint' && min_value === max_value) return Number(min_value);
    throw new Error(`a row group of ${table} has several values`);
  });
  return new Map(
    [...groups].map(([value, row_groups]) => {
      const pieces = new Pieces();
      const part = parquetWriter(table, profile, pieces.add);
      append(part, file, { ...metadata, row_groups });
      finishFile(part, header(Number(part.num_rows)));
      return [value, pieces.bytes()];
    }),
  );
}

/** Adds row groups of another file. Only their places in the file change. */
function append(to: ParquetWriter, file: Uint8Array, { schema, row_groups }: FileMetaData): void {
  // A schema read from a file has undefined members.
  const plain = (elements: FileMetaData['schema']): unknown => JSON.parse(JSON.stringify(elements));
  if (!isDeepStrictEqual(plain(schema), plain(to.schema))) {
    throw new Failure('site_damaged', 'a table has the columns of another version: build the site again with --full');
  }
  for (const group of row_groups) {
    const first = group.columns[0]?.meta_data;
    const start = Number(first?.dictionary_page_offset ?? first?.data_page_offset);
    const shift = BigInt(to.writer.offset - start);
    to.writer.appendBytes(file.subarray(start, start + Number(group.total_compressed_size)));
    to.writer.flush?.();
    to.row_groups.push({ ...group, columns: group.columns.map((column) => shifted(column, shift)) });
    to.num_rows += group.num_rows;
  }
}

/** A column moved by this many bytes. */
function shifted({ meta_data, file_offset, ...column }: ColumnChunk, shift: bigint): ColumnChunk {
  if (!meta_data) throw new Error('expected a column chunk with its metadata in the footer');
  const { data_page_offset, dictionary_page_offset, ...rest } = meta_data;
  return {
    ...column,
    file_offset: file_offset + shift,
    meta_data: {
      ...rest,
      data_page_offset: data_page_offset + shift,
      ...(dictionary_page_offset === undefined ? {} : { dictionary_page_offset: dictionary_page_offset + shift }),
    },
  };
}

/** What a Parquet file begins and ends with. */
const magic = 'PAR1';

/** The last bytes of a file: the length of the metadata, and the magic. */
const footerTail = 4 + magic.length;

/** Reads the footer of a file. Bounds of timestamps stay in microseconds, because a Date would round them. */
export function readMetadata(file: Uint8Array): FileMetaData {
  const length = new DataView(file.buffer, file.byteOffset + file.length - footerTail).getUint32(0, true);
  const footer = Uint8Array.from(file.subarray(file.length - footerTail - length));
  // Unlike the reader's own, this decoder keeps a byte order mark.
  const stringFromBytes = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  return parquetMetadata(footer.buffer, { parsers: { timestampFromMicroseconds: (value) => value, stringFromBytes } });
}
