import type { Failure } from '../../failure.ts';
import { copyOf } from '../../publish/snapshot/problem.ts';
import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';
import type { Row } from './table.ts';

type DelimitedStyle = {
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly quote: string | null;
};

type OnFailure = (row: number, expected: string, got: string) => Failure;

/**
 * The rows of a CSV or TSV file, blank ones included, counted as a spreadsheet counts: a quoted line break starts no row.
 * Throws a Failure where quotes do not match or a row is longer than any table has. csv-parse takes seconds for files with
 * many uneven rows, because it makes an error with its stack for each, also where such rows are allowed.
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
  /** A value in quotes with what closes it, or a value without, and what follows: a delimiter, a line break or the end. */
  readonly #value: RegExp;
  readonly #quotes: string;
  readonly #delimiter: string;
  readonly #failure: OnFailure;
  #text = '';
  #number = 0;

  constructor({ delimiter, quote }: Omit<DelimitedStyle, 'encoding'>, failure: OnFailure) {
    const [d = '', q = ''] = [delimiter, quote ?? ''].map((character) => character.replace(/[^\w\s]/, '\\$&'));
    const quoted = q === '' ? '()()(?!)' : `${q}([^${q}]*(?:${q}${q}[^${q}]*)*)(${q}|$)`;
    this.#value = new RegExp(`(?:${quoted}|([^${q}${d}\\r\\n]*))(${d}|\\r\\n?|\\n)?`, 'y');
    this.#quotes = `${quote}${quote}`;
    this.#delimiter = delimiter;
    this.#failure = failure;
  }

  /** The rows that a piece of text completes. Null is the end of the text. */
  *rows(piece: string | null): Generator<Row> {
    this.#text += piece ?? '';
    this.#value.lastIndex = 0;
    let start = 0;
    while (start < this.#text.length) {
      const row = this.#row(piece === null);
      if (row === null) break;
      start = this.#value.lastIndex;
      this.#number = row.number;
      yield row;
    }
    this.#text = this.#text.slice(start);
    if (this.#text.length > limits.rowCharacters)
      throw this.#failure(this.#number + 1, `rows of at most ${limits.rowCharacters} characters`, 'a longer one');
  }

  /** The next row, or null if its end may be in text to come. */
  #row(isLast: boolean): Row | null {
    const number = this.#number + 1;
    const cells: string[] = [];
    for (;;) {
      const [, quoted, closing, bare = '', next] = this.#value.exec(this.#text) ?? [];
      const isEnd = this.#value.lastIndex === this.#text.length;
      if (isEnd && !isLast && (next === undefined || next === '\r')) return null;
      if (closing === '') throw this.#failure(number, 'a closing quote for every opening quote', 'none');
      if (next === undefined && !isEnd)
        throw this.#failure(number, 'quotes only around whole values, or "quote": null in the recipe', 'another one');
      // A slice of a long text would keep all of it in memory.
      cells.push(copyOf(quoted?.replaceAll(this.#quotes, this.#quotes.charAt(0)) ?? bare));
      if (cells.length > limits.columns) throw this.#failure(number, `at most ${limits.columns} columns`, 'more');
      if (next !== this.#delimiter) return { number, cells, isUnended: next === undefined };
    }
  }
}
