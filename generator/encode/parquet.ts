import { isDeepStrictEqual } from 'node:util';
import { type FileMetaData, parquetMetadata, type SchemaTree } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { schemaPathResolver } from 'hyparquet-writer/src/schema.js';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import {
  headerKey,
  type TableColumn,
  type TableHeader,
  type TableName,
  tableColumns,
} from '../contract/formats/parquet.ts';
import { StoredValues, schemaOf } from '../contract/formats/parquet-storage.ts';
import { type ColumnValues, writeColumnChunk } from './parquet-columns.ts';
import { appendChunk, shifted, type WrittenColumns } from './written-columns.ts';

/**
 * Rows of a row group. A reader that filters by the columns that a table is sorted by skips the groups without a match.
 * Smaller groups make a larger file, because each has dictionaries of its own.
 */
const rowsPerGroup = 20_000;

/**
 * Values of some columns of a row, by name. Rows with the same values should have the same object, because each object is looked
 * at once in a row group.
 */
export type RowPart = Readonly<Record<string, unknown>>;

/**
 * Takes the rows of a table one by one, and makes a Parquet file of them. Rows are encoded group by group, so that it holds
 * no more than one group and the bytes of those before.
 */
export class ParquetTable {
  readonly #columns: readonly TableColumn[];
  readonly #file: ParquetFile;
  readonly #stored = new StoredValues();
  readonly #written: WrittenColumns | null;
  #places: readonly Place[] = [];
  #waiting = 0;
  #rows = 0;

  /** `written`: columns of a table before, of the same name, whose bytes serve again where the values are the same. */
  constructor(table: TableName, written: WrittenColumns | null = null) {
    this.#columns = tableColumns(table);
    this.#file = new ParquetFile(this.#columns);
    this.#written = written;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Adds a row. Parts at the same place have values of the same columns in each row. */
  add(...parts: readonly RowPart[]): void {
    if (this.#rows === 0) this.#places = placesOf(this.#columns, parts);
    for (let index = 0; index < this.#places.length; index += 1) {
      const place = this.#places[index] as Place;
      const part = parts[index] as RowPart;
      let number = place.numbers.get(part);
      if (number === undefined) {
        number = place.numbers.size;
        place.numbers.set(part, number);
        for (const { column, values } of place.columns) values.push(this.#storedOf(column, part));
      }
      place.rows[this.#waiting] = number;
    }
    this.#rows += 1;
    this.#waiting += 1;
    if (this.#waiting === rowsPerGroup) this.#writeGroup();
  }

  /**
   * The bytes of the file. They depend on the rows, the header, and the versions of the packages that encode and compress.
   */
  end(header: TableHeader): Uint8Array {
    if (this.#waiting > 0) this.#writeGroup();
    return this.#file.end(header);
  }

  #storedOf(column: TableColumn, part: RowPart): unknown {
    const value = this.#stored.of(column, part);
    if (value === undefined) throw new Error(`expected a value of ${column.name}, got none`);
    return column.type === 'uuid bytes' ? uuidBytes(value as string) : value;
  }

  #writeGroup(): void {
    const byColumn = new Map(
      this.#places.flatMap(({ columns, rows }) =>
        columns.map(({ column, values }) => [column, { values, rows: rows.subarray(0, this.#waiting) }]),
      ),
    );
    this.#file.write(
      this.#waiting,
      this.#columns.map((column) => byColumn.get(column) as ColumnValues),
      this.#written,
    );
    for (const place of this.#places) {
      place.numbers.clear();
      for (const one of place.columns) one.values = [];
    }
    this.#waiting = 0;
  }
}

/**
 * A place among the parts of a row, in a row group: the numbers of its parts, their values of each column, and the number of each
 * row's part.
 */
type Place = {
  readonly numbers: Map<RowPart, number>;
  readonly columns: readonly { readonly column: TableColumn; values: unknown[] }[];
  readonly rows: Int32Array;
};

/** The places of a table. Each column is of the first part that has what its value is made of. */
function placesOf(columns: readonly TableColumn[], parts: readonly RowPart[]): Place[] {
  const homes = columns.map((column) => {
    const home = parts.findIndex((part) => part[column.from] !== undefined);
    if (home < 0) throw new Error(`expected a value of ${column.name}, got none`);
    return home;
  });
  return parts.map((_, index) => ({
    numbers: new Map(),
    columns: columns.filter((_column, at) => homes[at] === index).map((column) => ({ column, values: [] })),
    rows: new Int32Array(rowsPerGroup),
  }));
}

/** A UUID as its 16 bytes. The writer takes text too, but converts it slowly. */
function uuidBytes(uuid: string): Uint8Array {
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
  const joined = new ParquetFile(tableColumns(table));
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
      const part = new ParquetFile(tableColumns(table));
      part.append(file, own);
      return [value, part.end(header(own.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)))];
    }),
  );
}

type RowGroup = FileMetaData['row_groups'][number];

/** A file that is being written. */
class ParquetFile {
  readonly #writer: ParquetWriter;
  readonly #paths: readonly (readonly SchemaTree[])[];

  constructor(columns: readonly TableColumn[]) {
    const schema: FileMetaData['schema'] = schemaOf(columns);
    const pathOf = schemaPathResolver(schema);
    this.#paths = columns.map(({ name }) => pathOf([name]));
    this.#writer = new ParquetWriter({ writer: new ByteWriter(), schema, createdBy: 'shelfpress' });
  }

  /** Adds a row group with the values of each column. */
  write(rows: number, columnValues: readonly ColumnValues[], written: WrittenColumns | null): void {
    const { writer, row_groups } = this.#writer;
    const start = writer.offset;
    const columns = columnValues.map((values, index) => {
      const key = `${row_groups.length} ${index}`;
      const known = written?.find(key, values);
      if (known) return appendChunk(writer, known);
      const columnStart = writer.offset;
      const chunk = writeColumnChunk(writer, this.#paths[index] ?? [], values);
      written?.keep(key, values, chunk, writer.getBytes().slice(columnStart));
      return chunk;
    });
    this.#push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n),
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
    });
  }

  /** Adds row groups of another file, by default all. Only their places in the file change. */
  append(file: Uint8Array, groups: readonly RowGroup[] = metadataOf(file).row_groups): void {
    for (const group of groups) {
      const first = group.columns[0]?.meta_data;
      const start = Number(first?.dictionary_page_offset ?? first?.data_page_offset);
      const shift = this.#writer.writer.offset - start;
      this.#writer.writer.appendBytes(file.subarray(start, start + Number(group.total_compressed_size)));
      this.#push({ ...group, columns: group.columns.map((column) => shifted(column, shift)) });
    }
  }

  #push(group: RowGroup): void {
    this.#writer.row_groups.push(group);
    this.#writer.num_rows += group.num_rows;
  }

  /** The whole file. The header goes into its footer. */
  end(header: TableHeader): Uint8Array {
    this.#writer.kvMetadata = [{ key: headerKey, value: JSON.stringify(header) }];
    this.#writer.finish();
    return this.#writer.writer.getBytes();
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
