import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { Failure } from '../../failure.ts';
import type { Row } from './cell.ts';
import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';

export type DelimitedStyle = {
  readonly encoding: Encoding;
  readonly delimiter: string;
  readonly quote: string | null;
};

/**
 * The rows of a CSV or TSV file, blank ones included, counted as a spreadsheet counts: a quoted line break starts no row.
 * Throws a Failure where quotes do not match or a row is longer than any table has.
 */
export async function* delimitedRows(input: InputFile, style: DelimitedStyle, onBytes: OnBytes): AsyncGenerator<Row> {
  const parser = parse({
    bom: true,
    delimiter: style.delimiter,
    quote: style.quote,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: limits.rowCharacters,
  });
  const text = Readable.from(readText(input, style.encoding, onBytes), { objectMode: true });
  text.once('error', (error) => parser.destroy(error));
  text.pipe(parser);
  let number = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      number += 1;
      if (cells.length > limits.columns) throw tooWide(input, number, cells.length);
      yield { number, cells };
    }
  } catch (error) {
    if (error instanceof CsvError) {
      const [expected, got] = explained(error);
      throw fileFailure(input.path, expected, `${got} in row ${Number(error.records) + 1}`);
    }
    throw error;
  } finally {
    text.destroy();
    parser.destroy();
  }
}

function tooWide(input: InputFile, row: number, count: number): Failure {
  return fileFailure(input.path, `at most ${limits.columns} columns`, `${count} in row ${row}`);
}

function explained({ code }: CsvError): [expected: string, got: string] {
  switch (code) {
    case 'CSV_MAX_RECORD_SIZE':
      return [`rows of at most ${limits.rowCharacters} characters`, 'a longer one'];
    case 'CSV_QUOTE_NOT_CLOSED':
      return ['a closing quote for every opening quote', 'none'];
    default:
      return ['quotes only around whole values, or "quote": null in the recipe', 'another one'];
  }
}
