import { JSONParser, TokenType } from '@streamparser/json';
import { isJsonObject, jsonStart, parseJson } from '../../contract/text.ts';
import { Failure } from '../../failure.ts';
import { cut } from '../../publish/snapshot/problem.ts';
import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';
import { type Cell, type Columns, numberCell, type Row } from './table.ts';

type JsonStyle = {
  readonly encoding: Encoding;
  /** The path to the array of records, such as `/data/items`. Empty where the file is that array. */
  readonly records: string;
  /** A list in each record that gives one row an entry, such as `stock`. Null where a record is a row. */
  readonly each: string | null;
};

/** Levels of objects in a record that are columns, such as `address.line1`. */
const deepest = 8;

/** Levels of arrays and objects in a file. */
const mostLevels = 100;

/** The records of a JSON file as rows. Their keys become columns; those of inner objects have a dot: `address.city`. */
export async function* jsonRows(
  input: InputFile,
  { encoding, records, each }: JsonStyle,
  columns: Columns,
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  const parser = new JSONParser({ paths: [`$${records.replaceAll('/', '.')}.*`], keepStack: false });
  let read: unknown[] = [];
  parser.onValue = ({ value, parent }) => read.push(Array.isArray(parent) ? value : notInArray);
  const keys = new ObjectKeys();
  parser.onToken = ({ token, value }) => {
    const repeated = keys.repeated(String(value), token === TokenType.STRING);
    if (repeated !== null)
      throw fileFailure(input.path, onceEach, `'${cut(repeated)}' twice near record ${number + read.length + 1}`);
    // The parser looks at every level for every value, so that deep nesting would take very long.
    if (keys.open.length > mostLevels)
      throw fileFailure(input.path, `at most ${mostLevels} levels of arrays and objects`, 'more');
  };
  let number = 0;
  let pending = 0;
  for await (const text of readText(input, encoding, onBytes)) {
    read = [];
    parse(parser, text, input);
    pending = read.length === 0 ? pending + text.length : 0;
    if (pending > limits.rowCharacters) throw fileFailure(input.path, 'records', `none in ${pending} characters`);
    for (const value of read) {
      if (value === notInArray) throw fileFailure(input.path, `an array at ${records || '/'}`, 'an object');
      number += 1;
      if (!isJsonObject(value))
        throw fileFailure(input.path, 'records that are objects', `${named(value)} as record ${number}`);
      yield* rowsOf(input.path, value, number, each, columns);
    }
  }
  if (!parser.isEnded) throw fileFailure(input.path, 'whole JSON', 'an end in the middle');
  if (number === 0) throw fileFailure(input.path, `records in an array at ${records || '/'}`, 'none');
}

/** A value of an object where an array of records was expected. */
const notInArray = Symbol('not in an array');

function parse(parser: JSONParser, text: string, input: InputFile): void {
  try {
    parser.write(text);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fileFailure(input.path, 'JSON', error instanceof Error ? error.message : String(error));
  }
}

const onceEach = 'each key once in an object';

/** Finds keys that an object has twice. Parsers take the last one without a word. */
class ObjectKeys {
  /** The keys of the open objects; null for an open array. */
  readonly open: (Set<string> | null)[] = [];
  #text = '';

  /** Takes the next token, a string or any other. Returns the key that it repeats, or null. */
  repeated(token: string, isString: boolean): string | null {
    const keys = this.open.at(-1);
    if (token === ':' && !isString) return keys?.size === keys?.add(this.#text).size ? this.#text : null;
    if (isString) this.#text = token;
    else if (token === '{' || token === '[') this.open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') this.open.pop();
    return null;
  }
}

/** The first key that an object in a text of JSON repeats, or null. */
export function repeatedKey(json: string): string | null {
  const keys = new ObjectKeys();
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    const repeated = keys.repeated(token.startsWith('"') ? JSON.parse(token) : token, token.startsWith('"'));
    if (repeated !== null) return repeated;
  }
  return null;
}

/** The lines of an NDJSON file as rows. A blank line is none. */
export async function* ndjsonRows(
  input: InputFile,
  { encoding, each }: JsonStyle,
  columns: Columns,
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  let number = 0;
  let rest = '';
  for await (const text of readText(input, encoding, onBytes)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > limits.rowCharacters) {
      const got = `a longer line ${number + lines.length + 1}`;
      throw fileFailure(input.path, `lines of at most ${limits.rowCharacters} characters`, got);
    }
    for (const line of lines) {
      number += 1;
      if (line.trim() !== '') yield* rowsOf(input.path, parsedLine(line, number, input), number, each, columns);
    }
  }
  if (rest.trim() !== '') yield* rowsOf(input.path, parsedLine(rest, number + 1, input), number + 1, each, columns);
}

function parsedLine(line: string, number: number, input: InputFile): Record<string, unknown> {
  const value = parseJson(line);
  const repeated = isJsonObject(value) ? repeatedKey(line) : null;
  if (repeated !== null) throw fileFailure(input.path, onceEach, `'${cut(repeated)}' twice in line ${number}`);
  if (isJsonObject(value)) return value;
  const got = value === null ? 'something else' : named(value);
  throw fileFailure(input.path, 'a JSON object a line', `${got} in line ${number}`);
}

/** What a value that is no object is called in a message. */
function named(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === undefined || value === null ? 'nothing' : isJsonObject(value) ? 'an object' : jsonStart(value, 40);
}

/**
 * The rows of a record: one, or one for each entry of its list. The column of the list has the number of its entries, or an
 * error where there is no list of objects.
 */
function* rowsOf(
  path: string,
  record: Record<string, unknown>,
  number: number,
  each: string | null,
  columns: Columns,
): Generator<Row> {
  const cells: Cell[] = [];
  fill(cells, record, '', columns, each, 0);
  const entries = each === null ? [] : at(record, each);
  if (each !== null) cells[columns.add(each)] = countCell(entries);
  if (columns.count > limits.columns) throw fileFailure(path, `at most ${limits.columns} keys`, 'more');
  if (!Array.isArray(entries) || !entries.some(isJsonObject)) yield { number, cells };
  else {
    for (const entry of entries) {
      const ofEntry = [...cells];
      fill(ofEntry, entry, `${each}.`, columns, null, 1);
      yield { number, cells: ofEntry };
    }
  }
}

function countCell(entries: unknown): Cell {
  if (!Array.isArray(entries)) return { kind: 'error', text: named(entries) };
  const odd = entries.find((entry) => !isJsonObject(entry));
  return odd === undefined ? numberCell(entries.length) : { kind: 'error', text: `${named(odd)} in a list` };
}

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined;
  }, value);
}

/** Puts the scalars of an object into cells. A list of scalars becomes text with commas. */
function fill(
  cells: Cell[],
  value: unknown,
  prefix: string,
  columns: Columns,
  skip: string | null,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (prefix !== '') put(cells, columns.add(prefix.slice(0, -1)), cellOf(value));
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix + key;
    if (name === skip) continue;
    if (isJsonObject(inner) && depth < deepest) fill(cells, inner, `${name}.`, columns, skip, depth + 1);
    else put(cells, columns.add(name), cellOf(inner));
  }
}

/** A record may have both a key `a.b` and a key `b` in an object `a`. */
function put(cells: Cell[], index: number, cell: Cell): void {
  cells[index] = cells[index] === undefined ? cell : { kind: 'error', text: 'two values of this name' };
}

function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberCell(value);
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) };
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(String).join(',');
  return { kind: 'error', text: 'an inner list or object' };
}
