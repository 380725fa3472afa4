import { usualProfile } from '../../../contract/profile.ts';
import type { FileRule } from '../recipe/recipe.ts';
import { delimitedRows } from './delimited-rows.ts';
import { fixedRows } from './fixed-rows.ts';
import { fileFailure, type InputFile, type OnBytes, textCells } from './input.ts';
import { jsonRows, ndjsonRows } from './json-rows.ts';
import type { Table } from './table.ts';
import { Columns, isBlank, type Row } from './table.ts';
import { workbookRows } from './workbook-rows.ts';
import { xmlRows } from './xml-rows.ts';

/**
 * Opens a file as a table: its columns, and the rows below its header that are not blank. `each`: a list in JSON
 * records whose entries become rows. `currency`: the currency of amounts in workbooks.
 */
export async function openTable(
  input: InputFile,
  rule: FileRule,
  each: string | null,
  onBytes: OnBytes,
  currency: string = usualProfile.currency,
): Promise<Table> {
  if (rule.type === 'json' || rule.type === 'ndjson' || rule.type === 'xml') {
    const columns = new Columns();
    const rows = recordRows(input, { ...rule, type: rule.type }, each, columns, onBytes);
    const unit = rule.type === 'ndjson' ? 'line' : 'record';
    return { file: input.name, unit, columns, hasHeader: false, rows: notBlank(rows) };
  }
  const rows = tableRows(input, rule, onBytes, currency);
  const headerRow = rule.header_row === undefined ? 1 : rule.header_row;
  if (headerRow === null) {
    const columns = new Columns();
    return { file: input.name, unit: 'row', columns, hasHeader: false, rows: lettered(input, notBlank(rows), columns) };
  }
  const { columns, below } = await readHeader(input, rows, [headerRow].flat());
  return { file: input.name, unit: 'row', columns, hasHeader: true, rows: notBlank(below) };
}

function recordRows(
  input: InputFile,
  { type, encoding = 'utf-8', records = '', key }: FileRule & { readonly type: 'json' | 'ndjson' | 'xml' },
  each: string | null,
  columns: Columns,
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  if (type === 'xml') return xmlRows(input, { encoding, records, each }, columns, onBytes);
  if (type === 'json') return jsonRows(input, { encoding, records, key: key ?? null, each }, columns, onBytes);
  return ndjsonRows(input, { encoding, each }, columns, onBytes);
}

export function tableRows(
  input: InputFile,
  rule: FileRule,
  onBytes: OnBytes,
  currency: string = usualProfile.currency,
): AsyncGenerator<Row> {
  if (rule.type === 'xlsx') return workbookRows(input, rule, currency, onBytes);
  if (rule.type === 'fixed')
    return fixedRows(input, { encoding: rule.encoding ?? 'utf-8', starts: rule.starts ?? [1] }, onBytes);
  const delimiter = rule.delimiter ?? (rule.type === 'tsv' ? '\t' : ',');
  const quote = rule.quote === undefined ? '"' : rule.quote;
  return delimitedRows(input, { encoding: rule.encoding ?? 'utf-8', delimiter, quote }, onBytes);
}

type Below = { readonly columns: Columns; readonly below: AsyncIterable<Row> };

/** With several header rows, a column's name has parts from top to bottom. */
async function readHeader(input: InputFile, rows: AsyncGenerator<Row>, headerRows: readonly number[]): Promise<Below> {
  const last = Math.max(...headerRows);
  const parts: string[][] = [];
  for (;;) {
    const { value: row, done } = await rows.next();
    if (done) throw fileFailure(input.path, `a header in row ${last}`, 'fewer rows');
    if (row.number > last || (row.number === last && isBlank(row.cells))) {
      await rows.return(undefined);
      throw fileFailure(input.path, `a header in row ${last}`, 'a blank row');
    }
    if (headerRows.includes(row.number)) parts.push(textCells(row.cells));
    if (row.number < last) continue;
    const length = Math.max(...parts.map((part) => part.length));
    const names = Array.from({ length }, (_, index) => parts.map((part) => part[index] ?? '').join(' '));
    return { columns: Columns.ofHeader(names), below: rows };
  }
}

/**
 * Gives the columns of a file without a header letters as names. Titles above the rows, and rows without a last value,
 * have fewer cells.
 */
async function* lettered(input: InputFile, rows: AsyncIterable<Row>, columns: Columns): AsyncGenerator<Row> {
  for await (const row of rows) {
    columns.addLetters(row.cells.length);
    yield row;
  }
  if (columns.count === 0) throw fileFailure(input.path, 'rows', 'none');
}

/** Spreadsheets often end with rows that were emptied. */
async function* notBlank(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  for await (const row of rows) if (!isBlank(row.cells)) yield row;
}
