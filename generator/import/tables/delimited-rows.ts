import type { Failure } from '../../failure.ts';
import { copyOf } from '../../publish/snapshot/problem.ts';
import type { Row } from './cell.ts';
import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';

export type DelimitedStyle = {
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly quote: string | null;
};

type OnFailure = (row: number, expected: string, got: string) => Failure;

/**
 * The rows of a CSV or TSV file, blank ones included, counted as a spreadsheet counts: a quoted line break starts no row.
 * Throws a Failure where quotes do not match or a row is longer than any table has.
 */
export async function* delimitedRows(input: InputFile, style: DelimitedStyle, onBytes: OnBytes): AsyncGenerator<Row> {
  const splitter = new RowSplitter(style, (row, expected, got) =>
    fileFailure(input.path, expected, `${got} in row ${row}`),
  );
  for await (const text of readText(input, style.encoding, onBytes)) yield* splitter.rows(text);
  yield* splitter.rows(null);
}

/** Splits text into rows, piece by piece. It holds the row that is not yet whole. */
export class RowSplitter {
  readonly #delimiter: string;
  readonly #quote: string | null;
  readonly #ends: RegExp;
  readonly #failure: OnFailure;
  #text = '';
  #number = 0;

  constructor({ delimiter, quote }: Omit<DelimitedStyle, 'encoding'>, failure: OnFailure) {
    this.#delimiter = delimiter;
    this.#quote = quote;
    this.#ends = new RegExp(`[\\r\\n${`${delimiter}${quote ?? ''}`.replace(/[\\\]^-]/g, '\\$&')}]`, 'g');
    this.#failure = failure;
  }

  /** The rows that a piece of text completes. Null is the end of the text. */
  *rows(piece: string | null): Generator<Row> {
    this.#text += piece ?? '';
    let start = 0;
    while (start < this.#text.length) {
      const cells: string[] = [];
      const end = this.#readRow(start, cells, piece === null);
      if (end === null) break;
      this.#number += 1;
      if (cells.length > limits.columns)
        throw this.#failure(this.#number, `at most ${limits.columns} columns`, `${cells.length}`);
      yield { number: this.#number, cells, isUnended: end === this.#text.length };
      start = end + (this.#text.startsWith('\r\n', end) ? 2 : 1);
    }
    this.#text = this.#text.slice(start);
    if (this.#text.length > limits.rowCharacters)
      throw this.#failure(this.#number + 1, `rows of at most ${limits.rowCharacters} characters`, 'a longer one');
  }

  /** Reads the values of the row at `start`. Returns where it ends, or null if that may be in text to come. */
  #readRow(start: number, cells: string[], isLast: boolean): number | null {
    const text = this.#text;
    for (let at = start; ; at += 1) {
      const isQuoted = text[at] === this.#quote;
      const end = isQuoted ? this.#afterQuotes(at, isLast) : this.#endOfValue(at);
      if (!isLast && (end === text.length || (end === text.length - 1 && text[end] === '\r'))) return null;
      // A slice of a long text would keep all of it in memory.
      const value = copyOf(isQuoted ? text.slice(at + 1, end - 1) : text.slice(at, end));
      cells.push(isQuoted ? value.replaceAll(`${this.#quote}${this.#quote}`, this.#quote ?? '') : value);
      if (end === text.length || text[end] === '\r' || text[end] === '\n') return end;
      if (text[end] !== this.#delimiter)
        throw this.#failure(
          this.#number + 1,
          'quotes only around whole values, or "quote": null in the recipe',
          'another one',
        );
      at = end;
    }
  }

  /** Where a value without quotes ends: at a delimiter, a line break, a quote that is wrong there, or with the text. */
  #endOfValue(at: number): number {
    this.#ends.lastIndex = at;
    return this.#ends.exec(this.#text)?.index ?? this.#text.length;
  }

  /** Where a value in quotes ends. A doubled quote is one of its characters. */
  #afterQuotes(at: number, isLast: boolean): number {
    const quote = this.#quote ?? '';
    let end = this.#text.indexOf(quote, at + 1);
    while (end !== -1 && this.#text[end + 1] === quote) end = this.#text.indexOf(quote, end + 2);
    if (end !== -1) return end + 1;
    if (isLast) throw this.#failure(this.#number + 1, 'a closing quote for every opening quote', 'none');
    return this.#text.length;
  }
}
