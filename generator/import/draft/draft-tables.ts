import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { parseJson } from '../../../contract/text.ts';
import { explainFile } from '../../files/failure.ts';
import { firstBytes } from '../../files/regular-file.ts';
import { useTemporaryFolder } from '../../files/temporary-folder.ts';
import type { FileRule } from '../recipe/recipe.ts';
import { ColumnStarts, linesOf } from '../tables/fixed-rows.ts';
import { fileFailure, type InputFile, readText, textCells } from '../tables/input.ts';
import { openInput } from '../tables/packed-files.ts';
import { type Cell, cellText, codeText, columnLetters, type Row, trimmed } from '../tables/table.ts';
import { openTable, tableRows } from '../tables/tables.ts';
import { sheetNames } from '../tables/workbook-rows.ts';
import { readXml } from '../tables/xml.ts';
import { statedEncoding } from '../tables/xml-rows.ts';
import type { Proof } from './column-proofs.ts';
import { decimalTexts, guessDecimalSign } from './column-values.ts';
import { innerLists, listsIn, recordsInLines } from './json-lists.ts';

/**
 * `decided`: the columns of fields that a person named or another table revealed. `reasons`: the reason for each, by
 * column.
 */
export type DraftTable = Awaited<ReturnType<typeof look>> & {
  readonly decided?: ReadonlyMap<string, string>;
  readonly reasons?: ReadonlyMap<string, string>;
  /** The columns that have the stock of one store each, with that store's code. */
  readonly stores?: ReadonlyMap<string, string>;
  /** The length of full SKUs, if the codes here lost zeros that another table has. */
  readonly padTo?: number;
  readonly proofs?: readonly Proof[];
};

const types: Readonly<Record<string, FileRule['type']>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.txt': 'tsv',
  '.prn': 'tsv',
  '.dat': 'tsv',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.xml': 'xml',
  '.xlsx': 'xlsx',
};

/** The most distinct values that are kept: enough to tell codes from other values, in a file of any length. */
const mostDistinct = 100_000;

const headerWithin = 20;

/** How many rows are sampled to prove relations between columns. */
const mostSampled = 2000;
const mostJson = 256 * 1024 * 1024;
const nothing = () => {};

/**
 * The tables of a file: one for each sheet of a workbook or list of JSON records. A table without columns has no likely
 * header.
 */
export function draftTables(path: string): Promise<DraftTable[]> {
  return useTemporaryFolder(async (folder) => {
    const isKnown = (name: string) => types[extname(name).toLowerCase()] !== undefined;
    const tables: DraftTable[] = [];
    for (const input of await openInput(path, folder, isKnown)) tables.push(...(await tablesOf(input)));
    return tables;
  });
}

async function tablesOf(input: InputFile): Promise<DraftTable[]> {
  const type = types[extname(input.name).toLowerCase()];
  if (type === undefined)
    throw fileFailure(input.path, `a name that ends in ${Object.keys(types).join(', ')}`, input.name);
  const rule: FileRule = { match: datelessName(input.name), type };
  if (type === 'xlsx') {
    const tables: DraftTable[] = [];
    const { shown: names } = await sheetNames(input);
    for (const sheet of names) {
      tables.push(await withHeader(input, names.length === 1 ? rule : { ...rule, sheet }));
    }
    return tables;
  }
  const fixed = type === 'tsv' ? await startsIn(input) : null;
  if (fixed !== null) {
    const table = await withHeader(input, { ...rule, ...fixed, type: 'fixed' });
    const { ignore: nameless = [] } = table.rule;
    // Values that all begin with a word of the same length look like two columns, and the second has no name.
    const starts = fixed.starts?.filter((_, index) => !nameless.includes(columnLetters(index)));
    return nameless.length === 0 || !starts
      ? [table]
      : [await withHeader(input, { ...rule, ...fixed, starts, type: 'fixed' })];
  }
  if (type === 'csv' || type === 'tsv') {
    return [await withHeader(input, { ...rule, ...guessStyle(input, type) })];
  }
  return type === 'xml' ? [await xmlTable(input, rule)] : jsonTables(input, rule);
}

/** The records are the most frequent elements among those nearest to the root. */
async function xmlTable(input: InputFile, rule: FileRule): Promise<DraftTable> {
  const counts = new Map<string, number>();
  const names: string[] = [];
  const open = (name: string) => {
    const path = `/${names.concat(name).join('/')}`;
    names.push(name);
    if (names.length === 2 || names.length === 3) counts.set(path, (counts.get(path) ?? 0) + 1);
  };
  const start = explainFile(input.path, 'a file', () => firstBytes(input.source, 200).toString('latin1'));
  const encoding = statedEncoding(/^<\?xml[^>]*encoding=["']([^"']+)/.exec(start)?.[1] ?? 'utf-8') ?? 'utf-8';
  const reading = readXml(input, readText(input, encoding, nothing), 'whole XML', {
    open,
    close: () => void names.pop(),
  });
  while (!(await reading.next()).done);
  const depth = (path: string) => path.split('/').length;
  const [most] = [...counts].sort(([a, x], [b, y]) => Number(y > 1) - Number(x > 1) || depth(a) - depth(b) || y - x);
  if (most === undefined) throw fileFailure(input.path, 'an element in the root', 'none');
  return look(input, { ...rule, ...(encoding === 'utf-8' ? {} : { encoding }), records: most[0] }, null);
}

/** The header is the first row with the most texts. */
async function withHeader(input: InputFile, rule: FileRule): Promise<DraftTable> {
  const first: Row[] = [];
  for await (const row of tableRows(input, rule, nothing)) {
    if (first.push(row) === headerWithin) break;
  }
  const textsIn = ({ cells }: Row) => cells.filter((cell) => typeof cell === 'string' && /\p{L}/u.test(cell)).length;
  const [best] = first.filter((row) => textsIn(row) > 1).sort((a, b) => textsIn(b) - textsIn(a) || a.number - b.number);
  if (best !== undefined && isData(best, first)) {
    return withDecimal(await look(input, { ...rule, header_row: null }, null));
  }
  if (best === undefined)
    return {
      path: input.path,
      file: input.name,
      rule,
      each: null,
      columns: [],
      count: 0,
      titles: null,
      values: () => [],
      counts: () => [],
      filled: () => 0,
      decimalOf: () => undefined,
      sample: () => [],
    };
  const headerRow = headerRows(best, first);
  return withDecimal(await look(input, headerRow === 1 ? rule : { ...rule, header_row: headerRow }, null));
}

/**
 * The rows of the header. The row of groups above it is included if names need it: `Retail` and `Warehouse` above
 * `Units`.
 */
function headerRows(best: Row, first: readonly Row[]): number | number[] {
  const names = textCells(best.cells).map((text) => text.trim());
  const isRepeated = names.some((name, index) => name !== '' && names.indexOf(name) !== index);
  const above = first.find(({ number }) => number === best.number - 1);
  const groups = above === undefined ? [] : textCells(above.cells).filter((text) => text.trim() !== '');
  return isRepeated && groups.length > 1 ? [best.number - 1, best.number] : best.number;
}

/**
 * Whether a candidate header is a row of data: it has a size or an amount where most rows below have one. A number of a
 * store is not an amount, because it is whole.
 */
function isData(row: Row, rows: readonly Row[]): boolean {
  const below = rows.filter(({ number }) => number !== row.number);
  const isValue = (text: string) => /^\D{0,3}\d+[.,]\d{1,2}\D{0,4}$|^\d+(?:[.,]\d+)?\s?(?:ml|cl|l|oz)$/i.test(text);
  return row.cells.some((cell, index) => {
    const like = below.filter(({ cells }) => isValue(cellText(cells[index]).trim()));
    return isValue(cellText(cell).trim()) && below.length >= 2 && like.length >= 0.8 * below.length;
  });
}

/** A sample that spreads evenly over a file of any length. */
class SampledRows {
  #rows: (readonly (Cell | undefined)[])[] = [];
  #step = 1;
  #count = 0;

  add(cells: readonly (Cell | undefined)[]): void {
    if (this.#count % this.#step === 0) this.#rows.push(cells);
    this.#count += 1;
    if (this.#rows.length < 2 * mostSampled) return;
    this.#rows = this.#rows.filter((_, index) => index % 2 === 0);
    this.#step *= 2;
  }

  get rows(): readonly (readonly (Cell | undefined)[])[] {
    return this.#rows;
  }
}

async function look(input: InputFile, rule: FileRule, each: string | null) {
  const table = await openTable(input, rule, each, nothing);
  const values = new Map<number, Map<string, { readonly cell: Cell; count: number }>>();
  const filled = new Map<number, number>();
  const sampled = new SampledRows();
  let count = 0;
  let filledRows = 0;
  const alone: { readonly cells: Row['cells']; readonly text: string; readonly index: number }[] = [];
  const add = (cells: Row['cells']) => {
    count += 1;
    sampled.add(cells);
    const texts = textCells(cells);
    if (texts.some((text) => text.trim() !== '')) filledRows += 1;
    for (const [index, cell] of cells.entries()) {
      const text = texts[index]?.trim() ?? '';
      const seen = values.get(index) ?? new Map<string, { cell: Cell; count: number }>();
      values.set(index, seen);
      if (text === '' || cell === undefined) continue;
      filled.set(index, (filled.get(index) ?? 0) + 1);
      const known = seen.get(text);
      if (known !== undefined) known.count += 1;
      else if (seen.size < mostDistinct) seen.set(text, { cell, count: 1 });
    }
  };
  const { columns } = table;
  const mayHaveTitles =
    each === null && ['csv', 'tsv', 'fixed', 'xlsx'].includes(rule.type) && columns.names.length > 2;
  for await (const { cells } of table.rows) {
    const [only, other] = mayHaveTitles
      ? textCells(cells).flatMap((text, index) => (text.trim() === '' ? [] : [{ cells, text: text.trim(), index }]))
      : [];
    if (only !== undefined && other === undefined) alone.push(only);
    else add(cells);
  }
  // Titles of sections stand alone in rows that lack a value which all other rows have.
  const ofRecords = columns.names.find((name) => {
    const at = columns.indexOf(name) ?? -1;
    return filled.get(at) === filledRows && alone.every(({ index }) => index !== at);
  });
  const hasTitles = alone.length > 0 && alone.length < filledRows && ofRecords !== undefined;
  if (!hasTitles) for (const { cells } of alone) add(cells);
  const valuesIn = (column: string) => [...(values.get(columns.indexOf(column) ?? -1)?.values() ?? [])];
  // No rule reads a column without a name, such as the row numbers of a data frame.
  const ignore = columns.nameless.filter((index) => filled.has(index)).map(columnLetters);
  return {
    path: input.path,
    file: input.name,
    rule: ignore.length === 0 ? rule : { ...rule, ignore },
    each,
    columns: columns.names.filter((name) => name !== each),
    /** The distinct values of each column, without blanks. */
    values: (column: string): readonly Cell[] => valuesIn(column).map(({ cell }) => cell),
    counts: (column: string): readonly number[] => valuesIn(column).map(({ count }) => count),
    count,
    /** Rows that are not records: the column that only they lack, and their texts. */
    titles: hasTitles ? { lacking: ofRecords, texts: alone.map(({ text }) => text) } : null,
    filled: (column: string): number => filled.get(columns.indexOf(column) ?? -1) ?? 0,
    decimalOf: (_column: string): FileRule['decimal'] => undefined,
    /** Sampled rows of the whole file: their cells in these columns. */
    sample: (names: readonly string[]): readonly (readonly (Cell | undefined)[])[] => {
      const indexes = names.map((name) => columns.indexOf(name) ?? -1);
      return sampled.rows.map((cells) => indexes.map((index) => cells[index]));
    },
  };
}

function withDecimal(table: DraftTable): DraftTable {
  const decimal = guessDecimalSign(table.columns.map((column) => decimalTexts(table.values(column), '.')));
  return decimal === undefined ? table : { ...table, rule: { ...table.rule, decimal }, decimalOf: () => decimal };
}

/** A pattern for a file's name on other days: `prices-*.csv` for `prices-2025-03-01.csv` and `prices-march.csv`. */
function datelessName(name: string): string {
  const month = /(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}(?![a-z])/gi;
  return name
    .replace(month, '*')
    .replace(/\d+(?:[-_.]\d+)*/g, '*')
    .replace(/\*(?:[-_. ]?\*)+/g, '*');
}

/**
 * Tells two encodings apart: in windows-1252, the letters ą, ł and ż of windows-1250 are signs, which nobody writes
 * within a word.
 */
function eastOrWest(bytes: Uint8Array): 'windows-1250' | 'windows-1252' {
  const western = new TextDecoder('windows-1252').decode(bytes);
  const strange = western.match(/\p{L}[³¹¿¾¼º¯£¥][\p{L} ]|[³¹¿¾¼º¯£¥]\p{Ll}/gu) ?? [];
  return strange.length >= 2 ? 'windows-1250' : 'windows-1252';
}

/** Guesses the encoding of a file. Also returns the beginning of its text. */
function guessEncoding(input: InputFile) {
  const bytes = explainFile(input.path, 'a file', () => firstBytes(input.source, 64 * 1024));
  const isWide =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff) ||
    bytes.subarray(0, 1000).includes(0);
  // The last character may be cut off.
  const isUnicode = [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
  const encoding = isWide ? 'utf-16' : isUnicode ? 'utf-8' : eastOrWest(bytes);
  const text = new TextDecoder(isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : encoding).decode(bytes);
  return { encoding, text } as const;
}

function guessStyle(input: InputFile, type: 'csv' | 'tsv'): Pick<FileRule, 'encoding' | 'delimiter'> {
  const { encoding, text } = guessEncoding(input);
  const lines = text.split(/\r?\n/).slice(0, headerWithin);
  const occurrences = (delimiter: string) => lines.reduce((sum, line) => sum + line.split(delimiter).length - 1, 0);
  const [delimiter = ','] = [',', '\t', ';', '|'].sort((a, b) => occurrences(b) - occurrences(a));
  const usual = type === 'csv' ? ',' : '\t';
  return { ...(encoding === 'utf-8' ? {} : { encoding }), ...(delimiter === usual ? {} : { delimiter }) };
}

/** Guesses where fixed columns begin, from all lines. Null if the file has delimiters. */
async function startsIn(input: InputFile): Promise<Pick<FileRule, 'encoding' | 'starts'> | null> {
  const { encoding, text } = guessEncoding(input);
  const first = text.split(/\r?\n/).slice(0, headerWithin);
  if (first.every((line) => line === '' || /[\t;|]/.test(line))) return null;
  const columns = new ColumnStarts();
  for await (const line of linesOf(input, encoding, nothing)) columns.add(line);
  const starts = columns.found();
  return starts && { ...(encoding === 'utf-8' ? {} : { encoding }), starts };
}

async function jsonTables(input: InputFile, named: FileRule): Promise<DraftTable[]> {
  if (input.size > mostJson)
    throw fileFailure(input.path, `at most ${mostJson} bytes of JSON to draft from`, `${input.size}`);
  const text = explainFile(input.path, 'a file', () => readFileSync(input.source, 'utf8'));
  const lines = recordsInLines(text);
  const rule: FileRule = lines === null ? named : { ...named, type: 'ndjson' };
  const document = lines === null ? parseJson(text) : null;
  const lists = lines === null ? listsIn(document) : [{ path: '', list: lines }];
  if (lists.length === 0) {
    const got = document === null ? 'something else than one JSON document, or one in each line' : 'none';
    throw fileFailure(input.path, 'an array of objects', got);
  }
  const tables: DraftTable[] = [];
  for (const { path, list, key } of lists) {
    const ruleOfRecords = path === '' ? rule : { ...rule, records: path };
    if (key) tables.push(await look(input, { ...ruleOfRecords, key: 'key' }, null));
    else {
      tables.push(await look(input, ruleOfRecords, null));
      for (const each of innerLists(list)) tables.push(await look(input, ruleOfRecords, each));
    }
  }
  return tables;
}

/** The name of a table for a person: its file, and the sheet or the path of its JSON records. */
export function tableName({ file, rule }: DraftTable): string {
  return [file, rule.sheet, rule.type === 'json' ? rule.records : undefined].filter(Boolean).join(', ');
}

/** The distinct values of a column, with a decimal point. */
export function textsIn(table: DraftTable, column: string): string[] {
  return decimalTexts(table.values(column), table.decimalOf(column));
}

/** The distinct codes of a column, as the reader of a workbook sees them. */
export function codesIn(table: DraftTable, column: string): string[] {
  return table.values(column).map((cell) => trimmed(codeText(cell)));
}
