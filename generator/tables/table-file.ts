import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { type ColumnMetaData, type FileMetaData, parquetMetadata, parquetRead, type RowGroup } from 'hyparquet';
import { headerKey } from '../../contract/columns/parquet.ts';
import { BrokenFile } from './broken-file.ts';
import { FileBytes } from './file-bytes.ts';

/**
 * The columns of a row group by name. Each has a value for each row, as stored: a bigint for integers, instants and
 * decimals. A null may be `undefined`.
 */
export type GroupColumns = ReadonlyMap<string, ArrayLike<unknown>>;

/** A value as the metadata of a file states it: a decimal as a number, an instant as microseconds since 1970. */
export type StatedValue = string | bigint | number | boolean;

/**
 * What a file states about a column: how many bytes it takes, how many values it has, how many of these are null, and
 * the bounds of the others. Long texts are cut in the bounds, but all values are within them. `bounds` is null if all
 * values are null, or if the file states no bounds.
 */
export type StoredColumn = {
  readonly bytes: number;
  readonly values: number;
  readonly nulls: number;
  readonly bounds: { readonly least: StatedValue; readonly greatest: StatedValue } | null;
};

/** How many bytes end a file: the length of its metadata, and Parquet's magic number. */
const tail = 8;

/** A Parquet file on this machine, of `size` bytes. Its row groups are read one at a time. */
export class TableFile {
  readonly #file: FileBytes;
  readonly #metadata: FileMetaData;
  readonly #reading: FileMetaData;

  /** Reads the metadata. Throws a {@link BrokenFile} when it cannot. */
  constructor(file: string, size: number) {
    this.#file = new FileBytes(file, size);
    this.#metadata = broken(() => {
      const end = this.#file.slice(Math.max(0, size - tail), size);
      if (end.byteLength < tail) throw new Error(`a file of ${size} bytes`);
      const length = new DataView(end).getUint32(0, true);
      if (length > size - tail) throw new Error(`metadata of ${length} bytes in a file of ${size}`);
      const parsers = { timestampFromMicroseconds: (value: bigint) => value, stringFromBytes: textOfBytes };
      return parquetMetadata(this.#file.slice(size - tail - length, size), { parsers });
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

  /** Where the row groups begin in the file. */
  get groupOffsets(): readonly number[] {
    return this.groups.map((_, index) => this.storedGroup(index).start);
  }

  /** What the metadata states of each column that holds plain values, over all row groups. */
  get columns(): ReadonlyMap<string, StoredColumn> {
    const columns = new Map<string, StoredColumn>();
    for (const { meta_data: chunk } of this.#metadata.row_groups.flatMap((group) => group.columns)) {
      const [name = '', ...inner] = chunk?.path_in_schema ?? [];
      if (chunk && inner.length === 0) columns.set(name, withChunk(columns.get(name), chunk));
    }
    return columns;
  }

  /** A row group as it is stored: its bytes, which begin at `start`, and what the metadata says of it. */
  storedGroup(index: number): { readonly start: number; readonly bytes: Uint8Array; readonly metadata: RowGroup } {
    const metadata = this.#metadata.row_groups[index];
    if (!metadata) throw new BrokenFile(`no row group ${index} in ${this.groups.length}`);
    const chunks = metadata.columns.map(({ meta_data }) => meta_data);
    const offsets = chunks.flatMap((chunk) => [chunk?.data_page_offset, chunk?.dictionary_page_offset]);
    const start = Math.min(...offsets.flatMap((offset) => (offset === undefined ? [] : [Number(offset)])));
    const size = chunks.reduce((sum, chunk) => sum + Number(chunk?.total_compressed_size), 0);
    return { start, bytes: new Uint8Array(this.#file.slice(start, start + size)), metadata };
  }

  /** A hash of the bytes of a row group, and of what the metadata says of it, wherever in a file the group is. */
  hashGroup(index: number): string {
    const { start, bytes, metadata } = this.storedGroup(index);
    const isOffset = (key: string) => key.endsWith('offset');
    const stated = JSON.stringify(metadata, (key, value) =>
      typeof value === 'bigint' ? String(isOffset(key) ? Number(value) - start : value) : value,
    );
    return hash('sha256', stated) + hash('sha256', bytes);
  }

  /**
   * Decodes a row group, or only the columns with these names. Throws a {@link BrokenFile} when it cannot, or when a
   * column does not have as many values as the group has rows.
   */
  async readGroup(index: number, names?: string[]): Promise<GroupColumns> {
    const rows = this.groups[index] ?? 0;
    const rowStart = this.groups.slice(0, index).reduce((sum, count) => sum + count, 0);
    const found = new Map<string, ArrayLike<unknown>[]>();
    const reading = parquetRead({
      file: { byteLength: this.#file.size, slice: (start, end) => this.#file.slice(start, end ?? this.#file.size) },
      metadata: this.#reading,
      ...(names && { columns: names }),
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
      if (length !== rows) throw new BrokenFile(`${length} values of ${name} in a group of ${rows} rows`);
    }
    return columns;
  }
}

/** What is known of a column when one more of its chunks is added. */
function withChunk(before: StoredColumn | undefined, chunk: ColumnMetaData): StoredColumn {
  const { statistics, num_values, total_compressed_size } = chunk;
  const values = Number(num_values);
  const nulls = Number(statistics?.null_count ?? 0);
  const [least, greatest] = [statistics?.min_value, statistics?.max_value].map(statedValue);
  const own = least == null || greatest == null ? null : { least, greatest };
  const known = before ?? { bytes: 0, values: 0, nulls: 0, bounds: null };
  // A chunk with nothing but nulls has no bounds and changes none.
  const isUnknown = (own === null && nulls < values) || (known.bounds === null && known.nulls < known.values);
  return {
    bytes: known.bytes + Number(total_compressed_size),
    values: known.values + values,
    nulls: known.nulls + nulls,
    bounds: isUnknown ? null : joinedBounds(known.bounds, own),
  };
}

/** A text that was cut within a character is no bound. */
function statedValue(value: unknown): StatedValue | null {
  if (typeof value === 'string') return value.includes('\ufffd') ? null : value;
  return typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function joinedBounds(one: StoredColumn['bounds'], other: StoredColumn['bounds']): StoredColumn['bounds'] {
  if (one === null || other === null) return one ?? other;
  const isLess = (a: StatedValue, b: StatedValue) =>
    typeof a === 'string' && typeof b === 'string' ? Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0 : a < b;
  return {
    least: isLess(one.least, other.least) ? one.least : other.least,
    greatest: isLess(one.greatest, other.greatest) ? other.greatest : one.greatest,
  };
}

/**
 * A schema element without its logical type. This way, decimals and instants are read as the exact integers that they
 * are stored as.
 */
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

/**
 * Throws a {@link BrokenFile} for an error of decoding. An error of the system stays as it is, because it is not damage
 * of the file.
 */
function refuse(error: unknown): never {
  if (!(error instanceof Error) || 'syscall' in error || error instanceof BrokenFile) throw error;
  throw new BrokenFile(error.message, { cause: error });
}
