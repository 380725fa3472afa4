import { isDeepStrictEqual } from 'node:util';
import { type FileMetaData, parquetMetadata } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { exportSchemaVersion } from '../contract/formats/export.ts';
import {
  type ColumnType,
  headerKey,
  type TableColumn,
  type TableHeader,
  type TableName,
  tableColumns,
} from '../contract/formats/parquet.ts';
import { epochMicroseconds } from '../contract/instant.ts';
import { gzipWhole } from './compression.ts';

type SchemaElement = FileMetaData['schema'][number];

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
  readonly #microseconds = new Map<string, bigint>();
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
      const { of, type } = this.#columns[index] as TableColumn;
      const value = of(record);
      this.#values[index]?.push(value === null ? null : this.#physical(type, value));
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

  /** A value as Parquet stores its type. Decimals are given in their smallest unit. */
  #physical(type: ColumnType, value: unknown): unknown {
    switch (type) {
      case 'integer':
      case 'decimal':
        return BigInt(value as number);
      case 'date-time': {
        const known = this.#microseconds.get(value as string);
        if (known !== undefined) return known;
        const microseconds = epochMicroseconds(value as string);
        this.#microseconds.set(value as string, microseconds);
        return microseconds;
      }
      case 'object':
        return JSON.stringify(value);
      case 'uuid bytes':
        return Buffer.from((value as string).replaceAll('-', ''), 'hex');
      default:
        return value;
    }
  }
}

/** Whether a file has the columns that the table has today. An earlier version may have made it with others. */
export function hasColumnsOf(table: TableName, file: Uint8Array): boolean {
  const header: TableHeader = { resource: table, schema_version: exportSchemaVersion, record_count: 0, fields: [] };
  return isDeepStrictEqual(metadataOf(file).schema, metadataOf(new ParquetTable(table).end(header)).schema);
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

/** A file that is being written. */
class ParquetFile {
  readonly writer: ParquetWriter;

  constructor(schema: SchemaElement[]) {
    this.writer = new ParquetWriter({
      writer: new ByteWriter(),
      schema,
      codec: 'GZIP',
      compressors: { GZIP: gzipWhole },
      createdBy: 'shelfpress',
    });
  }

  /** Adds the row groups of another file. Only their places in the file change. */
  append(file: Uint8Array): void {
    const { row_groups, metadata_length } = metadataOf(file);
    const start = magic.length;
    const shift = BigInt(this.writer.writer.offset - start);
    this.writer.writer.appendBytes(file.subarray(start, file.length - metadata_length - footerTail));
    for (const group of row_groups) {
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
      this.writer.row_groups.push({ ...group, columns } as FileMetaData['row_groups'][number]);
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
  return parquetMetadata(footer.buffer, { parsers: { timestampFromMicroseconds: (value) => value } });
}

function schemaOf(columns: readonly TableColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
}

function elementsOf({ name, type, isNullable }: TableColumn): SchemaElement[] {
  const own = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const;
  switch (type) {
    case 'uuid':
    case 'string':
    case 'object':
      return [{ ...own, ...textElement }];
    case 'uuid bytes':
      return [{ ...own, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, logical_type: { type: 'UUID' } }];
    case 'integer':
      return [{ ...own, type: 'INT64' }];
    case 'decimal':
      return [{ ...own, type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 2 }];
    case 'number':
      return [{ ...own, type: 'DOUBLE' }];
    case 'boolean':
      return [{ ...own, type: 'BOOLEAN' }];
    case 'date-time':
      return [{ ...own, type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: microsecondsInUtc }];
    case 'array of string':
      return [
        { ...own, converted_type: 'LIST', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', repetition_type: 'REQUIRED', ...textElement },
      ];
  }
}

const textElement = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const microsecondsInUtc = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } as const;
