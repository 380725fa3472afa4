import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';
import { recordRows } from './records.ts';
import type { Columns, Row } from './table.ts';
import { readXml, type XmlHandler } from './xml.ts';

type XmlStyle = {
  readonly encoding: Encoding;
  /** The path to the record elements, such as `/artiklar/artikel`. */
  readonly records: string;
  /** An element that gives a row each time it occurs in a record. Null if each record is a row. */
  readonly each: string | null;
};

/** The encoding, as recipes name it, that an XML declaration states. Null if it is not supported. */
export function statedEncoding(declared: string): Encoding | null {
  const name = declared.toLowerCase();
  if (/^(iso-8859-1|latin1|windows-1252)$/.test(name)) return 'windows-1252';
  if (name === 'windows-1250') return 'windows-1250';
  return name === 'utf-8' || name === 'us-ascii' ? 'utf-8' : name.startsWith('utf-16') ? 'utf-16' : null;
}

const mostLevels = 100;

/**
 * Inner elements become columns. Deeper ones have a dot, `address.city`, and attributes an at sign, `price.@currency`.
 * A repeated element becomes text with commas.
 */
export async function* xmlRows(
  input: InputFile,
  { encoding, records, each }: XmlStyle,
  columns: Columns,
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  const reader = new RecordReader(input, encoding, records, each);
  let number = 0;
  const texts = readText(input, encoding, onBytes);
  for await (const _ of readXml(input, texts, 'whole XML', reader.handler)) {
    for (const record of reader.newRecords()) {
      number += 1;
      yield* recordRows(input.path, record, number, each, columns);
    }
  }
  if (number === 0) throw fileFailure(input.path, `elements at ${records}`, `none; its elements are ${reader.paths()}`);
}

/** A text, or elements and attributes by name. Repeated ones are a list. */
type Content = string | Record<string, unknown>;

type Element = { readonly name: string; text: string; readonly members: Members };

/** No prototype, because an element may have any name. */
type Members = Record<string, unknown>;
const noMembers = (): Members => Object.create(null);

class RecordReader {
  readonly #input: InputFile;
  readonly #encoding: Encoding;
  readonly #path: string;
  readonly #each: readonly string[];
  #records: Record<string, unknown>[] = [];
  /** Open elements, from the root. */
  readonly #names: string[] = [];
  /** Open elements of the current record, with their content so far. */
  readonly #open: Element[] = [];
  #length = 0;
  readonly #seen = new Set<string>();

  constructor(input: InputFile, encoding: Encoding, records: string, each: string | null) {
    this.#input = input;
    this.#encoding = encoding;
    this.#path = records;
    this.#each = each?.split('.') ?? [];
  }

  newRecords(): Record<string, unknown>[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  paths(): string {
    return [...this.#seen].join(', ');
  }

  readonly handler: XmlHandler = {
    encoding: (declared) => {
      if (statedEncoding(declared) === this.#encoding) return;
      throw fileFailure(
        this.#input.path,
        `text in ${this.#encoding}`,
        `XML that says it is in ${declared}; "encoding" in the recipe names another`,
      );
    },
    open: (name, attributes) => {
      this.#names.push(name);
      if (this.#names.length > mostLevels)
        throw fileFailure(this.#input.path, `at most ${mostLevels} levels of elements`, 'more');
      const path = `/${this.#names.join('/')}`;
      if (this.#seen.size < 5) this.#seen.add(path);
      if (this.#open.length === 0 && path !== this.#path) return;
      const members = noMembers();
      for (const [key, value] of Object.entries(attributes)) members[`@${key}`] = value;
      this.#open.push({ name, text: '', members });
    },
    text: (text) => {
      const element = this.#open.at(-1);
      if (element === undefined) return;
      element.text += text;
      this.#length += text.length;
      if (this.#length > limits.rowCharacters)
        throw fileFailure(this.#input.path, `records of at most ${limits.rowCharacters} characters`, 'a longer one');
    },
    close: () => {
      this.#names.pop();
      const element = this.#open.pop();
      if (element === undefined) return;
      const parent = this.#open.at(-1);
      if (parent === undefined) this.#end(element);
      else add(parent.members, element.name, elementContent(element));
    },
  };

  #end(element: Element): void {
    const content = elementContent(element);
    const record = typeof content === 'string' ? { '#text': content } : content;
    if (this.#each.length > 0) asList(record, this.#each);
    this.#records.push(record);
    this.#length = 0;
  }
}

function elementContent({ text, members }: Element): Content {
  if (Object.keys(members).length === 0) return text;
  return text.trim() === '' ? members : Object.assign(members, { '#text': text });
}

function add(members: Members, name: string, content: Content): void {
  const before = members[name];
  members[name] = before === undefined ? content : [...(Array.isArray(before) ? before : [before]), content];
}

/** Makes a list of the elements at a path, even for one or none. */
function asList(record: Record<string, unknown>, [name = '', ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    record[name] = record[name] === undefined ? [] : [record[name]].flat();
    return;
  }
  if (record[name] === '') record[name] = noMembers();
  const inner = record[name];
  if (typeof inner === 'object' && inner !== null) asList(inner as Members, rest);
}
