import type { ColumnChunk } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import type { ColumnValues } from './parquet-columns.ts';

/** A column of a row group, with its bytes as they were written. */
type WrittenColumn = { readonly values: ColumnValues; readonly chunk: ColumnChunk; readonly bytes: Uint8Array };

/** The columns of the last of several tables in which many columns stay the same. */
export class WrittenColumns {
  readonly #columns = new Map<string, WrittenColumn>();

  /** The column at the same place, if it has the same values. */
  find(key: string, { values, rows }: ColumnValues): WrittenColumn | null {
    const known = this.#columns.get(key);
    if (known?.values.values.length !== values.length || !isEqual(known.values.rows, rows)) return null;
    return values.every((value, index) => value === known.values.values[index]) ? known : null;
  }

  /** Remembers a column. The array of its rows may be used again afterwards. */
  keep(key: string, { values, rows }: ColumnValues, chunk: ColumnChunk, bytes: Uint8Array): void {
    this.#columns.set(key, { values: { values, rows: rows.slice() }, chunk, bytes });
  }
}

function isEqual(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

/** Writes a column once more, somewhere else. */
export function appendChunk(
  writer: Pick<ByteWriter, 'offset' | 'appendBytes'>,
  { chunk, bytes }: WrittenColumn,
): ColumnChunk {
  const shift = writer.offset - Number(chunk.file_offset);
  writer.appendBytes(bytes);
  return shifted(chunk, shift);
}

/** A column that lies so many bytes further on. */
export function shifted({ meta_data, file_offset, ...column }: ColumnChunk, bytes: number): ColumnChunk {
  if (!meta_data) throw new Error('expected a column chunk with its metadata in the footer');
  const shift = BigInt(bytes);
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
