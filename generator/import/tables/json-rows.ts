import { JSONParser, TokenType } from '@streamparser/json';
import { cut } from '../../../contract/schemas/checked-value.ts';
import { isJsonObject, parseJson } from '../../../contract/text.ts';
import { Failure } from '../../files/failure.ts';
import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';
import { named, recordRows } from './records.ts';
import type { Columns, Row } from './table.ts';

type JsonStyle = {
  readonly encoding: Encoding;
  /** The path to the records, such as `/data/items`. Empty if the file itself is the list. */
  readonly records: string;
  /** The column for the records' names, if they are members of an object. Null for an array. */
  readonly key: string | null;
  /** A list in records whose entries become rows, such as `stock`. Null if each record is a row. */
  readonly each: string | null;
};

const mostLevels = 100;

/** Yields a row for each record. Keys become columns. Keys of inner objects have a dot: `address.city`. */
export async function* jsonRows(
  input: InputFile,
  { encoding, records, key, each }: JsonStyle,
  columns: Columns,
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  const parser = new JSONParser({ paths: [`$${records.replaceAll('/', '.')}.*`], keepStack: false });
  let read: unknown[] = [];
  parser.onValue = ({ value, parent, key: name }) => {
    if (Array.isArray(parent) !== (key === null)) throw fileFailure(input.path, ...otherShape(records, key));
    read.push(key === null || !isJsonObject(value) ? value : withKey(value, key, String(name)));
  };
  const keys = new ObjectKeys();
  parser.onToken = ({ token, value }) => {
    const repeated = keys.repeated(String(value), token === TokenType.STRING);
    if (repeated !== null)
      throw fileFailure(input.path, onceEach, `'${cut(repeated)}' twice near record ${number + read.length + 1}`);
    // The parser looks at every level for every value, so deep nesting would take very long.
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
      number += 1;
      if (!isJsonObject(value))
        throw fileFailure(input.path, 'records that are objects', `${named(value)} as record ${number}`);
      yield* recordRows(input.path, value, number, each, columns);
    }
  }
  if (!parser.isEnded) throw fileFailure(input.path, 'whole JSON', 'an end in the middle');
  const place = `${key === null ? 'an array' : 'an object'} at ${records || '/'}`;
  if (number === 0) throw fileFailure(input.path, `records in ${place}`, 'none');
}

function otherShape(records: string, key: string | null): [expected: string, got: string] {
  if (key !== null) return [`an object at ${records || '/'}, as "key" in the recipe says`, 'an array'];
  return [
    `an array at ${records || '/'}`,
    'an object; "key" in the recipe reads its members, with their names as a column',
  ];
}

/** Adds a record's name as a value. If the record already has a value there, the column gets an error. */
function withKey(record: Record<string, unknown>, key: string, name: string): Record<string, unknown> {
  return { ...record, [key]: Object.hasOwn(record, key) ? [{}] : name };
}

function parse(parser: JSONParser, text: string, input: InputFile): void {
  try {
    parser.write(text);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw fileFailure(input.path, 'JSON', error instanceof Error ? error.message : String(error));
  }
}

const onceEach = 'each key once in an object';

/** Finds keys that an object has twice. Parsers silently take the last one. */
class ObjectKeys {
  /** The keys of open objects; null for an open array. */
  readonly open: (Set<string> | null)[] = [];
  #text = '';

  /** Returns the key that the token repeats, or null. */
  repeated(token: string, isString: boolean): string | null {
    const keys = this.open.at(-1);
    if (token === ':' && !isString) return keys?.size === keys?.add(this.#text).size ? this.#text : null;
    if (isString) this.#text = token;
    else if (token === '{' || token === '[') this.open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') this.open.pop();
    return null;
  }
}

/** The first key that an object repeats; null if there is none. */
export function repeatedKey(json: string): string | null {
  const keys = new ObjectKeys();
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g)) {
    const repeated = keys.repeated(token.startsWith('"') ? JSON.parse(token) : token, token.startsWith('"'));
    if (repeated !== null) return repeated;
  }
  return null;
}

/** Yields a row for each line, and skips blank lines. */
export async function* ndjsonRows(
  input: InputFile,
  { encoding, each }: Omit<JsonStyle, 'records' | 'key'>,
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
      if (line.trim() !== '') yield* recordRows(input.path, parsedLine(line, number, input), number, each, columns);
    }
  }
  if (rest.trim() !== '') yield* recordRows(input.path, parsedLine(rest, number + 1, input), number + 1, each, columns);
}

function parsedLine(line: string, number: number, input: InputFile): Record<string, unknown> {
  const value = parseJson(line);
  const repeated = isJsonObject(value) ? repeatedKey(line) : null;
  if (repeated !== null) throw fileFailure(input.path, onceEach, `'${cut(repeated)}' twice in line ${number}`);
  if (isJsonObject(value)) return value;
  const got = value === null ? 'something else' : named(value);
  throw fileFailure(input.path, 'a JSON object a line', `${got} in line ${number}`);
}
