import type { ColumnChunk, SchemaElement, SchemaTree } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { estimateValueSize, writeDictionaryPage } from 'hyparquet-writer/src/dictionary.js';
import { encodeNestedValues } from 'hyparquet-writer/src/dremel.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import { gzipWhole } from './compression.ts';

/**
 * The values of a column in a row group. Many rows have the same: `values` are those of its parts, in the order in which
 * they appear first, and `rows` the number of the part of each row. Two parts may have equal values.
 */
export type ColumnValues = { readonly values: readonly unknown[]; readonly rows: Int32Array };

/** What takes the bytes, and what the writer writes of a column besides its values. */
type Writer = Parameters<typeof writeColumn>[0]['writer'];
type Encoder = Parameters<typeof writeColumn>[0]['column'];

/** In bytes, not compressed. */
const pageSize = 1 << 20;

/** How many values the writer looks at before it makes a dictionary, and the share of different bytes that it takes for too many. */
const sampleSize = 1_000;
const largestShare = 0.9;

const compressors = { GZIP: gzipWhole };

/**
 * Writes a column of a row group. The bytes are those of hyparquet-writer. A dictionary is made here of the values of parts,
 * while the writer would look up the value of each row. `path`: the schema from its root to the column.
 */
export function writeColumnChunk(writer: Writer, path: readonly SchemaTree[], column: ColumnValues): ColumnChunk {
  const leaf = [...path];
  for (let child = leaf.at(-1)?.children[0]; child; child = child.children[0]) leaf.push(child);
  const schemaPath = leaf.map(({ element }) => element);
  const element = schemaPath.at(-1) as SchemaElement;
  const encoder: Encoder = {
    columnName: schemaPath
      .slice(1)
      .map(({ name }) => name)
      .join('.'),
    element,
    schemaPath,
    codec: element.type === 'FIXED_LEN_BYTE_ARRAY' ? 'UNCOMPRESSED' : 'GZIP',
    compressors,
    stats: true,
    pageSize,
    columnIndex: false,
    offsetIndex: false,
  };
  const isFlat = leaf.length === 2 && (element.type === 'INT64' || element.type === 'BYTE_ARRAY');
  const dictionary = isFlat ? dictionaryOf(element, column) : null;
  if (dictionary) return writeIndexes(writer, encoder, dictionary);
  const values = new Array<unknown>(column.rows.length);
  for (let row = 0; row < values.length; row += 1) values[row] = column.values[column.rows[row] as number];
  return writeColumn({ writer, column: encoder, pageData: encodeNestedValues(leaf, values) }).chunk;
}

/** The different values of a column; none where all are null. `indexes`: of the value of each row; -1 for null. */
type Dictionary = {
  readonly values: readonly (string | bigint)[];
  readonly indexes: Int32Array;
  readonly nulls: number;
};

/** Null where the writer makes no dictionary: where it would not halve the column. */
function dictionaryOf({ type }: SchemaElement, { values, rows }: ColumnValues): Dictionary | null {
  const sizeOf = (value: unknown) => {
    if (value === null) return 0;
    return estimateValueSize(value, type ?? 'INT64') + (type === 'BYTE_ARRAY' ? 4 : 0);
  };
  if (values.every((value) => value === null)) {
    return { values: [], indexes: new Int32Array(rows.length).fill(-1), nulls: rows.length };
  }
  if (!isWorthLooking(values, rows, sizeOf)) return null;
  const different: (string | bigint)[] = [];
  const sizes: number[] = [];
  const known = new Map<unknown, number>([[null, -1]]);
  const indexOfPart = Int32Array.from(values, (value) => {
    let index = known.get(value);
    if (index === undefined) {
      index = different.push(value as string | bigint) - 1;
      known.set(value, index);
      sizes.push(sizeOf(value));
    }
    return index;
  });
  let nulls = 0;
  let plainSize = 0;
  const indexes = new Int32Array(rows.length);
  for (let row = 0; row < rows.length; row += 1) {
    const index = indexOfPart[rows[row] as number] as number;
    indexes[row] = index;
    if (index < 0) nulls += 1;
    else plainSize += sizes[index] as number;
  }
  const indexSize = Math.ceil(((rows.length - nulls) * Math.ceil(Math.log2(different.length))) / 8);
  const dictionarySize = sizes.reduce((sum, size) => sum + size, 0);
  return 2 * (dictionarySize + indexSize) > plainSize ? null : { values: different, indexes, nulls };
}

/** Whether few of the bytes of some rows are different, as the writer finds out. */
function isWorthLooking(values: readonly unknown[], rows: Int32Array, sizeOf: (value: unknown) => number): boolean {
  const count = Math.min(rows.length, sampleSize);
  const sizes = new Map<unknown, number>();
  let different = 0;
  let all = 0;
  for (let index = 0; index < count; index += 1) {
    const row = count === 1 ? 0 : Math.floor((index * (rows.length - 1)) / (count - 1));
    const value = values[rows[row] as number];
    let size = sizes.get(value);
    if (size === undefined) {
      size = sizeOf(value);
      sizes.set(value, size);
      different += size;
    }
    all += size;
  }
  return all > 0 && different / all <= largestShare;
}

/** Writes the dictionary as one page, unless it is empty, and the place of each row's value in it as another. */
function writeIndexes(writer: Writer, encoder: Encoder, { values, indexes, nulls }: Dictionary): ColumnChunk {
  const { element, schemaPath, codec } = encoder;
  const start = writer.offset;
  const stored = values.map((value) => (typeof value === 'string' ? Buffer.from(value) : value));
  const isEmpty = stored.length === 0;
  const dictionarySize = isEmpty ? 0 : writeDictionaryPage(writer, encoder, stored);
  const dataStart = writer.offset;
  const encoding = isEmpty ? 'PLAIN' : 'RLE_DICTIONARY';
  const levels = new ByteWriter();
  if (element.repetition_type === 'OPTIONAL') {
    const isThere = indexes.map((index) => (index < 0 ? 0 : 1));
    writeRleBitPackedHybrid(levels, isThere, 1);
  }
  const page = new ByteWriter();
  if (!isEmpty) {
    const width = Math.ceil(Math.log2(values.length));
    page.appendUint8(width);
    writeRleBitPackedHybrid(page, nulls > 0 ? indexes.filter((index) => index >= 0) : indexes, width);
  }
  const compressed = gzipWhole(page.getBytes());
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: levels.offset + page.offset,
    compressed_page_size: levels.offset + compressed.length,
    data_page_header_v2: {
      num_values: indexes.length,
      num_nulls: nulls,
      num_rows: indexes.length,
      encoding,
      definition_levels_byte_length: levels.offset,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  const headerSize = writer.offset - dataStart;
  writer.appendBytes(levels.getBytes());
  writer.appendBytes(compressed);
  return {
    meta_data: {
      type: element.type ?? 'INT64',
      encodings: isEmpty ? ['PLAIN'] : ['PLAIN', 'RLE_DICTIONARY'],
      path_in_schema: schemaPath.slice(1).map(({ name }) => name),
      codec,
      num_values: BigInt(indexes.length),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt(dictionarySize + headerSize + levels.offset + page.offset),
      data_page_offset: BigInt(dataStart),
      ...(isEmpty ? {} : { dictionary_page_offset: BigInt(start) }),
      statistics: { ...(isEmpty ? {} : boundsOf(stored)), null_count: BigInt(nulls) },
      encoding_stats: [
        ...(isEmpty ? [] : [{ page_type: 'DICTIONARY_PAGE', encoding: 'PLAIN', count: 1 } as const]),
        { page_type: 'DATA_PAGE_V2', encoding, count: 1 },
      ],
    },
    file_offset: BigInt(start),
  };
}

/** The least and the greatest of some values, texts as their bytes. */
function boundsOf(values: readonly (Uint8Array | bigint)[]) {
  let [min_value] = values as readonly [Uint8Array | bigint];
  let max_value = min_value;
  for (const value of values) {
    if (compare(value, min_value) < 0) min_value = value;
    if (compare(value, max_value) > 0) max_value = value;
  }
  return { min_value, max_value };
}

function compare(a: Uint8Array | bigint, b: Uint8Array | bigint): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  return Number(a > b) - Number(a < b);
}
