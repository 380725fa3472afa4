import { isDeepStrictEqual } from 'node:util';
import type { ColumnChunk } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import {
  headerKey,
  parquetSchema,
  type TableColumn,
  type TableHeader,
  type TableName,
  type TableSources,
  tableColumns,
} from '../../contract/columns/parquet.ts';
import type { Profile } from '../../contract/profile.ts';
import { ColumnValues } from './column-values.ts';
import { gzipWhole } from './compression.ts';
import type { Sink } from './pieces.ts';
import type { TableFile } from './table-file.ts';

/**
 * How many rows a row group has. If a table is sorted by some columns, a reader that filters by them skips the groups
 * without a match. Smaller groups make a larger file, because each has its dictionaries, and a larger footer, which
 * every reader loads.
 */
const usualGroup = 20_000;
const [smallestGroup, largestGroup, groupsPerRun] = [5_000, 50_000, 32];

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
  #pending = 0;
  #rowsPerGroup = usualGroup;

  /** `path`: the address of the records of NDJSON, for messages. */
  constructor(table: Name, profile: Profile, path: string, sink: Sink) {
    this.#columns = tableColumns(table, profile);
    this.#file = parquetWriter(table, profile, sink);
    const where = () => `${path}: record ${this.rows + 1}`;
    this.#values = this.#columns.map((column) => new ColumnValues(column, where));
  }

  get rows(): number {
    return Number(this.#file.num_rows) + this.#pending;
  }

  /**
   * Adds a row. Returns the members of its record, each after a comma. Throws a Failure that names the record and the
   * column when a value does not match its schema.
   */
  add(source: TableSources[Name]): string {
    let members = '';
    for (const values of this.#values) members += values.add(source);
    this.#pending += 1;
    if (this.#pending === this.#rowsPerGroup) this.endGroup();
    return members;
  }

  /**
   * Begins a run of `rows` sorted rows in a group of its own. A reader that looks for a value then reads one group of
   * the run: a small part of a long run, or the few rows of a short one.
   */
  beginRun(rows: number): void {
    this.endGroup();
    this.#rowsPerGroup = Math.min(largestGroup, Math.max(smallestGroup, Math.ceil(rows / groupsPerRun)));
  }

  /** Ends the row group: the next row begins another one. */
  endGroup(): void {
    if (this.#pending === 0) return;
    const isSmall = this.#pending < leastCompressed;
    const columnData = this.#columns.map(({ name, type }, index) => ({
      name,
      data: this.#values[index]?.stored ?? [],
      // UUIDs that are all different do not compress.
      codec: isSmall || type === 'uuid bytes' ? ('UNCOMPRESSED' as const) : ('GZIP' as const),
      columnIndex: false,
      offsetIndex: false,
    }));
    this.#file.write({ columnData, rowGroupSize: this.#pending });
    for (const values of this.#values) values.stored = [];
    this.#pending = 0;
  }

  /** Whether another file has the columns of this table. */
  hasColumnsOf({ schema }: TableFile): boolean {
    // A schema read from a file has undefined members.
    return isDeepStrictEqual(JSON.parse(JSON.stringify(schema)), JSON.parse(JSON.stringify(this.#file.schema)));
  }

  /** Adds a row group of another file, which has the same columns. Only its place in the file changes. */
  copyGroup(file: TableFile, index: number): void {
    this.endGroup();
    const { start, bytes, metadata } = file.storedGroup(index);
    const shift = BigInt(this.#file.writer.offset - start);
    this.#file.writer.appendBytes(bytes);
    this.#file.writer.flush?.();
    this.#file.row_groups.push({ ...metadata, columns: metadata.columns.map((column) => shifted(column, shift)) });
    this.#file.num_rows += metadata.num_rows;
  }

  /**
   * Ends the file. Its bytes depend on the rows, the header, and the versions of the packages that encode and compress.
   */
  end(header: TableHeader): void {
    this.endGroup();
    this.#file.kvMetadata = [{ key: headerKey, value: JSON.stringify(header) }];
    this.#file.finish();
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
