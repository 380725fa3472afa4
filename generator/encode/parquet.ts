import { isDeepStrictEqual } from 'node:util';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import {
  headerKey,
  type TableColumn,
  type TableHeader,
  type TableName,
  tableColumns,
} from '../contract/formats/parquet.ts';
import { StoredValues, schemaOf } from '../contract/formats/parquet-storage.ts';
import { gzipWhole } from './compression.ts';

/**
 * Rows of a row group. A reader that filters by the columns that a table is sorted by skips the groups without a match.
 * Smaller groups make a larger file, because each has dictionaries of its own.
 */
const rowsPerGroup = 20_000;

/**
 * Takes the records of a table one by one, and makes a Parquet file of them. Rows are encoded group by group, so that it holds
 * no more than one group and the bytes of those before.
 */
export class ParquetTable {
  readonly #columns: readonly TableColumn[];
  readonly #file: ParquetFile;
  readonly #stored = new StoredValues();
  #values: unknown[][];
  #waiting = 0;
  #rows = 0;

  constructor(table: TableName) {
    this.#columns = tableColumns(table);
    this.#file = new ParquetFile(schemaOf(this.#columns));
    this.#values = this.#columns.map(() => []);
  }

  get rows(): number {
    return this.#rows;
  }

  add(record: Readonly<Record<string, unknown>>): void {
    for (let index = 0; index < this.#columns.length; index += 1) {
      const column = this.#columns[index] as TableColumn;
      const value = this.#stored.of(column, record);
      if (value === undefined) throw new Error(`expected a value of ${column.name}, got none`);
      this.#values[index]?.push(column.type === 'uuid bytes' ? bytesOf(value as string) : value);
    }
    this.#rows += 1;
    this.#waiting += 1;
    if (this.#waiting === rowsPerGroup) this.#writeGroup();
  }

  /**
   * The bytes of the file. They depend on the records, the header, and the versions of the packages that encode and
   * compress.
   */
  end(header: TableHeader): Uint8Array {
    this.#writeGroup();
    return this.#file.end(header);
  }

  #writeGroup(): void {
    const columnData: ColumnSource[] = this.#columns.map(({ name, type }, index) => ({
      name,
      data: this.#values[index] ?? [],
      offsetIndex: false,
      ...(type === 'uuid bytes' ? { codec: 'UNCOMPRESSED' } : {}),
    }));
    this.#file.writer.write({ columnData, rowGroupSize: rowsPerGroup });
    this.#values = this.#columns.map(() => []);
    this.#waiting = 0;
  }
}

/** A UUID as its 16 bytes. The writer takes text too, but converts it slowly. */
function bytesOf(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

/** Whether a file has the columns that the table has today. An earlier version may have made it with others. */
export function hasColumnsOf(table: TableName, file: Uint8Array): boolean {
  const today = columnsOfToday.get(table) ?? metadataOf(emptyTable(table)).schema;
  columnsOfToday.set(table, today);
  return isDeepStrictEqual(metadataOf(file).schema, today);
}

/** The schema of each table as a reader finds it. Every part of a table over time is compared with it. */
const columnsOfToday = new Map<TableName, FileMetaData['schema']>();

function emptyTable(table: TableName): Uint8Array {
  return new ParquetTable(table).end({
    resource: table,
    schema_version: exportSchemaVersion,
    record_count: 0,
    fields: [],
  });
}

/**
 * One file with the rows of several, in their order. All of them have the columns of the table. Their row groups are taken
 * over as they are, so joining costs no more than copying bytes.
 */
export function joinTables(table: TableName, files: Iterable<Uint8Array>, header: TableHeader): Uint8Array {
  const joined = new ParquetFile(schemaOf(tableColumns(table)));
  for (const file of files) joined.append(file);
  return joined.end(header);
}

/**
 * The row groups of a file as files of their own, by the one value that their first column has. Throws when a group has
 * several.
 */
export function partsOf(
  table: TableName,
  file: Uint8Array,
  header: (rows: number) => TableHeader,
): Map<number, Uint8Array> {
  const groups = new Map<number, RowGroup[]>();
  for (const group of metadataOf(file).row_groups) {
    const { min_value, max_value } = group.columns[0]?.meta_data?.statistics ?? {};
    if (typeof min_value !== 'bigint' || min_value !== max_value)
      throw new Error(`a row group of ${table} has several values`);
    groups.set(Number(min_value), [...(groups.get(Number(min_value)) ?? []), group]);
  }
  return new Map(
    [...groups].map(([value, own]) => {
      const part = new ParquetFile(schemaOf(tableColumns(table)));
      part.append(file, own);
      return [value, part.end(header(own.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)))];
    }),
  );
}

type RowGroup = FileMetaData['row_groups'][number];

/** A file that is being written. */
class ParquetFile {
  readonly writer: ParquetWriter;

  constructor(schema: FileMetaData['schema']) {
    this.writer = new ParquetWriter({
      writer: new ByteWriter(),
      schema,
      codec: 'GZIP',
      compressors: { GZIP: gzipWhole },
      createdBy: 'shelfpress',
    });
  }

  /** Adds row groups of another file, by default all. Only their places in the file change. */
  append(file: Uint8Array, groups: readonly RowGroup[] = metadataOf(file).row_groups): void {
    for (const group of groups) {
      const first = group.columns[0]?.meta_data;
      const start = Number(first?.dictionary_page_offset ?? first?.data_page_offset);
      const shift = BigInt(this.writer.writer.offset - start);
      this.writer.writer.appendBytes(file.subarray(start, start + Number(group.total_compressed_size)));
      const columns = group.columns.map(({ meta_data, file_offset, ...column }) => {
        if (!meta_data) throw new Error('expected a column chunk with its metadata in the footer');
        const { data_page_offset, dictionary_page_offset, ...rest } = meta_data;
        return {
          ...column,
          file_offset: file_offset + shift,
          meta_data: {
            ...rest,
            data_page_offset: data_page_offset + shift,
            dictionary_page_offset: dictionary_page_offset === undefined ? undefined : dictionary_page_offset + shift,
          },
        };
      });
      this.writer.row_groups.push({ ...group, columns } as RowGroup);
      this.writer.num_rows += group.num_rows;
    }
  }

  /** The whole file. The header goes into its footer. */
  end(header: TableHeader): Uint8Array {
    this.writer.kvMetadata = [{ key: headerKey, value: JSON.stringify(header) }];
    this.writer.finish();
    return this.writer.writer.getBytes();
  }
}

/** What a Parquet file begins and ends with. */
const magic = 'PAR1';

/** The last bytes of a file: the length of the metadata, and the magic. */
const footerTail = 4 + magic.length;

/** Reads the footer of a file. Bounds of timestamps stay in microseconds, because a Date would round them. */
export function metadataOf(file: Uint8Array): FileMetaData {
  const length = new DataView(file.buffer, file.byteOffset + file.length - footerTail).getUint32(0, true);
  const footer = Uint8Array.from(file.subarray(file.length - footerTail - length));
  // Unlike the reader's own, this decoder keeps a byte order mark.
  const stringFromBytes = (bytes: Uint8Array) => Buffer.from(bytes).toString();
  return parquetMetadata(footer.buffer, { parsers: { timestampFromMicroseconds: (value) => value, stringFromBytes } });
}
