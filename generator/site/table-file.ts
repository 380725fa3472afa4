import { closeSync, openSync, readSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { type FileMetaData, parquetMetadata, parquetRead } from 'hyparquet';
import { headerKey } from '../contract/formats/parquet.ts';
import { boundsProblem } from './table-bounds.ts';

/** A file that is not a Parquet file, or whose columns cannot be decoded. */
export class BrokenTable extends Error {
  override readonly name = 'BrokenTable';
}

/**
 * The columns of a row group by name, each a value for each row, as stored: a bigint for integers, instants and decimals.
 * Null may be undefined there.
 */
export type GroupColumns = ReadonlyMap<string, ArrayLike<unknown>>;

/** The last bytes of a file: the length of its metadata, and the magic. */
const tail = 8;

/** A Parquet file on this machine, of `size` bytes. Its row groups are read one at a time. */
export class TableFile {
  readonly #file: string;
  readonly #size: number;
  readonly #metadata: FileMetaData;
  readonly #reading: FileMetaData;

  /** Reads the metadata. Throws a {@link BrokenTable} when it cannot. */
  constructor(file: string, size: number) {
    this.#file = file;
    this.#size = size;
    this.#metadata = broken(() => {
      const end = this.#slice(Math.max(0, size - tail), size);
      if (end.byteLength < tail) throw new Error(`a file of ${size} bytes`);
      const length = new DataView(end).getUint32(0, true);
      if (length > size - tail) throw new Error(`metadata of ${length} bytes in a file of ${size}`);
      const parsers = { timestampFromMicroseconds: (value: bigint) => value, stringFromBytes: textOfBytes };
      return parquetMetadata(this.#slice(size - tail - length, size), { parsers });
    });
    this.#reading = { ...this.#metadata, schema: this.#metadata.schema.map(asStored) };
  }

  get schema(): FileMetaData['schema'] {
    return this.#metadata.schema;
  }

  /** The JSON text of its header; undefined for none. */
  get header(): string | undefined {
    return this.#metadata.key_value_metadata?.find(({ key }) => key === headerKey)?.value;
  }

  get rows(): number {
    return Number(this.#metadata.num_rows);
  }

  /** How many rows each of its row groups has. */
  get groups(): readonly number[] {
    return this.#metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  }

  /** Decodes a row group. Throws a {@link BrokenTable} when it cannot, or when a column has not as many rows as the group. */
  async readGroup(index: number): Promise<GroupColumns> {
    const rows = this.groups[index] ?? 0;
    const rowStart = this.groups.slice(0, index).reduce((sum, count) => sum + count, 0);
    const found = new Map<string, ArrayLike<unknown>[]>();
    const reading = parquetRead({
      file: { byteLength: this.#size, slice: (start, end) => this.#slice(start, end ?? this.#size) },
      metadata: this.#reading,
      rowStart,
      rowEnd: rowStart + rows,
      compressors: { GZIP: unpacked },
      parsers: { stringFromBytes: textOfBytes, uuidFromBytes: uuidOfBytes },
      onChunk: ({ columnName, columnData }) => {
        const chunks = found.get(columnName);
        if (chunks) chunks.push(columnData);
        else found.set(columnName, [columnData]);
      },
    });
    await reading.catch(refuse);
    const columns = new Map([...found].map(([name, chunks]) => [name, joined(chunks)]));
    for (const [name, { length }] of columns) {
      if (length !== rows) throw new BrokenTable(`${length} values of ${name} in a group of ${rows} rows`);
    }
    return columns;
  }

  /** What is wrong with the statistics of a decoded row group; null for nothing. */
  problemOfBounds(index: number, columns: GroupColumns): string | null {
    const scales = new Map(this.schema.map(({ name, scale }) => [name, scale]));
    for (const { path_in_schema, statistics } of this.#chunks(index)) {
      const [name = '', ...inList] = path_in_schema;
      if (!statistics) continue;
      const { null_count: _, ...bounds } = statistics;
      // Those of a list count what is in it.
      const checked = inList.length > 0 ? bounds : statistics;
      const problem = boundsProblem(checked, columns.get(name) ?? [], scales.get(name));
      if (problem) return `${name}: ${problem}`;
    }
    return null;
  }

  /** Whether a row group has the bytes and the metadata of a group of another file, apart from their places. */
  hasGroupOf(index: number, other: TableFile, otherIndex: number): boolean {
    if (!isDeepStrictEqual(this.schema, other.schema)) return false;
    const [own, its] = [this.#chunks(index), other.#chunks(otherIndex)];
    if (!isDeepStrictEqual(own.map(withoutPlace), its.map(withoutPlace))) return false;
    return own.every((chunk, i) => {
      const [left, right] = [this.#bytesOf(chunk), other.#bytesOf(its[i] ?? chunk)];
      return Buffer.from(left).equals(Buffer.from(right));
    });
  }

  #chunks(index: number): Chunk[] {
    return (this.#metadata.row_groups[index]?.columns ?? []).map(({ meta_data }) => {
      if (!meta_data) throw new BrokenTable('a column chunk without metadata in the footer');
      return meta_data;
    });
  }

  #bytesOf(chunk: Chunk): ArrayBuffer {
    const start = startOf(chunk);
    return this.#slice(start, start + Number(chunk.total_compressed_size));
  }

  /** Bytes of the file. Fewer where it ends before, which the metadata then does not fit. */
  #slice(start: number, end: number): ArrayBuffer {
    const length = Math.min(end, this.#size) - start;
    if (start < 0 || length < 0) throw new BrokenTable(`bytes ${start} to ${end} of a file of ${this.#size}`);
    const bytes = new ArrayBuffer(length);
    const descriptor = openSync(this.#file, 'r');
    try {
      const got = readSync(descriptor, new Uint8Array(bytes), 0, length, start);
      return got === length ? bytes : bytes.slice(0, got);
    } finally {
      closeSync(descriptor);
    }
  }
}

type Chunk = NonNullable<FileMetaData['row_groups'][number]['columns'][number]['meta_data']>;

function startOf({ data_page_offset, dictionary_page_offset }: Chunk): number {
  return Number(dictionary_page_offset ?? data_page_offset);
}

function withoutPlace({ data_page_offset, dictionary_page_offset, ...rest }: Chunk): object {
  const hasDictionary = dictionary_page_offset !== undefined;
  return { ...rest, dictionary: hasDictionary && Number(data_page_offset) - Number(dictionary_page_offset) };
}

/** Without their logical types, decimals and instants are read as the exact integers that they are stored as. */
function asStored(element: FileMetaData['schema'][number]): FileMetaData['schema'][number] {
  if (element.type !== 'INT64') return element;
  const { converted_type: _, logical_type: __, ...stored } = element;
  return stored;
}

/** An empty page has no bytes, but the limit must be one at least. */
function unpacked(bytes: Uint8Array, size: number): Uint8Array {
  return gunzipSync(bytes, { maxOutputLength: Math.max(1, size) });
}

/** Unlike TextDecoder, this keeps a byte order mark. */
function textOfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function uuidOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function joined(chunks: readonly ArrayLike<unknown>[]): ArrayLike<unknown> {
  const [only] = chunks;
  return only && chunks.length === 1 ? only : chunks.flatMap((chunk) => Array.from(chunk));
}

function broken<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    return refuse(error);
  }
}

/** What the system refuses is no damage of the file. */
function refuse(error: unknown): never {
  if (!(error instanceof Error) || 'syscall' in error || error instanceof BrokenTable) throw error;
  throw new BrokenTable(error.message, { cause: error });
}
