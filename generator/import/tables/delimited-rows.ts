import { detached } from '../../files/detached-text.ts';
import type { Failure } from '../../files/failure.ts';
import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';
import type { Row } from './table.ts';

type DelimitedStyle = {
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly quote: string | null;
};

type OnFailure = (row: number, expected: string, got: string) => Failure;

/**
 * The rows of a CSV or TSV file, including blank ones, counted as in a spreadsheet: a quoted line break starts no row.
 * `="00009"`, which keeps zeros in spreadsheets, is 00009. Undoubled quotes within a value are text. Throws a Failure
 * for a quote that is never closed, or an overlong row. This does not use csv-parse, which takes seconds for files with
 * many uneven rows: it makes an error with a stack for each, even if they are allowed.
 */
export async function* delimitedRows(input: InputFile, style: DelimitedStyle, onBytes: OnBytes): AsyncGenerator<Row> {
  const splitter = new RowSplitter(style, (row, expected, got) =>
    fileFailure(input.path, expected, `${got} in row ${row}`),
  );
  for await (const text of readText(input, style.encoding, onBytes)) yield* splitter.rows(text);
  yield* splitter.rows(null);
}

/** Splits text into rows, piece by piece, and keeps the incomplete row. */
export class RowSplitter {
  /** A quoted or bare value, and what follows: a delimiter, a line break or the end. */
  readonly #value: RegExp;
  /** The same for values with undoubled quotes: up to a nearby closing quote in the line, or without one. */
  readonly #loose: RegExp;
  readonly #quotes: string;
  readonly #delimiter: string;
  readonly #failure: OnFailure;
  #text = '';
  #number = 0;

  constructor({ delimiter, quote }: Omit<DelimitedStyle, 'encoding'>, failure: OnFailure) {
    const [d = '', q = ''] = [delimiter, quote ?? ''].map((character) => character.replace(/[^\w\s]/, '\\$&'));
    const quoted = q === '' ? '()()(?!)' : `=?${q}([^${q}]*(?:${q}${q}[^${q}]*)*)(${q}|$)`;
    const end = `(${d}|\\r\\n?|\\n)`;
    this.#value = new RegExp(`(?:${quoted}|([^${q}${d}\\r\\n]*))${end}?`, 'y');
    this.#loose = new RegExp(`(?:${q}([^\\r\\n]{0,1000}?)(${q})|([^${d}\\r\\n]*))(?:${end}|$)`, 'y');
    this.#quotes = `${quote}${quote}`;
    this.#delimiter = delimiter;
    this.#failure = failure;
  }

  /** The rows that a piece of text completes. Null means the end of the text. */
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

  /** The next row; null if it may end in the next piece. */
  #row(isLast: boolean): Row | null {
    const number = this.#number + 1;
    const cells: string[] = [];
    let isRepaired = false;
    for (;;) {
      const start = this.#value.lastIndex;
      let match = this.#value.exec(this.#text);
      if (match?.[4] === undefined && this.#value.lastIndex < this.#text.length) {
        this.#loose.lastIndex = start;
        match = this.#loose.exec(this.#text);
        this.#value.lastIndex = this.#loose.lastIndex;
        isRepaired = true;
      }
      const [, quoted, closing, bare = '', next] = match ?? [];
      const isEnd = this.#value.lastIndex === this.#text.length;
      if (isEnd && !isLast && (next === undefined || next === '\r')) return null;
      if (closing === '') throw this.#failure(number, 'a closing quote for every opening quote', 'none');
      cells.push(detached(quoted?.replaceAll(this.#quotes, this.#quotes.charAt(0)) ?? bare));
      if (cells.length > limits.columns) throw this.#failure(number, `at most ${limits.columns} columns`, 'more');
      if (next !== this.#delimiter) return { number, cells, isUnended: next === undefined, isRepaired };
    }
  }
}
