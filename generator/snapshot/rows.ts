import * as z from 'zod';
import { explainIssues, parsedValue, shown, type ValueFault } from '../../contract/schemas/checked-value.ts';
import { listUpTo } from './fields.ts';
import type { Curation, PartSchemas } from './format.ts';
import { parseWithin, readJsonFile } from './json-file.ts';
import { limits } from './limits.ts';
import { type PartFiles, readLines, type TextLine } from './lines.ts';
import type { OnBad, RowFaults } from './row-faults.ts';
import { entryList, soundCuration, uncheckedCuration } from './sound-curation.ts';

type Checks<Row> = {
  readonly unique: UniqueFields<Row>;
  /** Lines that the file may have, if fewer than `limits.lines`. */
  readonly atMost?: number;
  /** Finds faults that only the rest of the snapshot or the database can show. */
  readonly faultsOf?: (row: Row) => ValueFault[];
  readonly onGood?: (row: Row) => void;
  /** Called with the raw fields of every faulty row. */
  readonly onRejected?: (fields: Readonly<Record<string, unknown>>) => void;
};

/** The good rows of a part, in batches. Each use reads the file again. */
export type CheckedRows<Row> = AsyncIterable<Iterable<Row>>;

/**
 * Reads a part of a snapshot to its end. Faulty rows go to `faults`. Good rows are not kept: a large agency's take
 * hundreds of megabytes, and reading them again takes a few percent of the time of a publication.
 */
export async function checkRows<Row>(
  part: 'products' | 'stores' | 'inventory',
  files: PartFiles,
  schema: z.ZodType<Row>,
  faults: RowFaults,
  { unique, atMost = limits.lines, faultsOf = () => [], onGood, onRejected }: Checks<Row>,
): Promise<CheckedRows<Row>> {
  const rejected = new Set<number>();
  const file = `${part}.ndjson`;
  const reject = (line: number, text: string, found: readonly ValueFault[]) => {
    rejected.add(line);
    faults.reject(file, line, text, found);
    onRejected?.(readableFields(text));
  };
  const onBad: OnBad = ({ line, text }, found) => reject(line ?? 0, text, found);
  function* accepted(rows: Iterable<ReadRow<Row>>): Generator<Row> {
    for (const { line, row } of rows) if (!rejected.has(line)) yield row;
  }
  for await (const rows of readRows(files, schema, { unique, onBad, atMost })) {
    for (const { line, row, text } of rows) {
      const found = faultsOf(row);
      if (found.length > 0) {
        reject(line, text, found);
        continue;
      }
      faults.accept(file);
      onGood?.(row);
    }
  }
  return {
    async *[Symbol.asyncIterator]() {
      for await (const rows of readRows(files, schema, { onBad: () => {} })) yield accepted(rows);
    },
  };
}

/** The fields that a faulty line still has. Without valid JSON, they are the string fields at its beginning. */
function readableFields(text: string): Record<string, unknown> {
  const { value, fault } = parseWithin(text, 'a JSON object', limits.lineValues);
  if (fault === null) return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const texts = [...text.slice(0, limits.setAsideText).matchAll(/"(\w+)"\s*:\s*"([^"\\]*)"/g)];
  return Object.fromEntries(texts.reverse().map(([, field, said]) => [field, said]));
}

/** Fields whose values no two rows may share, except null. */
export type UniqueFields<T> = (row: T) => (readonly [field: string, value: string | null])[];

/** `atMost`: lines that the file may have, blank ones included. */
type RowOptions<T> = { readonly onBad: OnBad; readonly unique?: UniqueFields<T>; readonly atMost?: number };

type ReadRow<T> = { readonly line: number; readonly row: T; readonly text: string };

/**
 * The good rows of an NDJSON part, in file order. They come in batches, so that not every row costs a turn of the event
 * loop. A batch must be used before the next one is asked for. Bad lines go to `onBad`. Throws a FaultyInput if the
 * file cannot be read to its end; earlier rows must not be used then.
 */
export async function* readRows<T>(
  files: PartFiles,
  schema: z.ZodType<T>,
  { onBad, unique = () => [], atMost = limits.lines }: RowOptions<T>,
): AsyncGenerator<Iterable<ReadRow<T>>> {
  const findRepeats = repeatFinder();
  function* good(lines: readonly TextLine[]): Generator<ReadRow<T>> {
    for (const read of lines) {
      const { line, text } = read;
      const checked = checkLine(read, schema);
      const faults = checked.faults ?? findRepeats(line, unique(checked.row));
      if (checked.faults === null && faults.length === 0) yield { line, row: checked.row, text };
      else onBad({ line, text }, faults);
    }
  }
  for await (const lines of readLines(files, atMost)) yield good(lines);
}

/** The store codes of inventory_scope.json. Throws a FaultyInput if the file is not a scope at all. */
export async function readScope(path: string, onBad: OnBad, { inventoryScope }: PartSchemas): Promise<string[]> {
  const unchecked = z.object({ inventory_store_codes: listUpTo(limits.storeCodes, z.unknown()) });
  const values = (await readJsonFile(path, unchecked)).inventory_store_codes;
  const source = { list: 'inventory_store_codes', values, onBad };
  const codes = entryList(source, inventoryScope.shape.inventory_store_codes.element);
  codes.siftRepeats(null, (code) => code);
  return codes.entries();
}

/** The sound entries. Faults of `about` go to `refuse`. Throws a FaultyInput if the file is not a curation at all. */
export async function readCuration(
  path: string,
  onBad: OnBad,
  refuse: (fault: ValueFault) => void,
  schemas: PartSchemas,
): Promise<Curation> {
  return soundCuration(await readJsonFile(path, uncheckedCuration), onBad, refuse, schemas);
}

type CheckedLine<T> = { row: T; faults: null } | { row: null; faults: ValueFault[] };

function checkLine<T>({ text, fault }: TextLine, schema: z.ZodType<T>): CheckedLine<T> {
  if (fault !== null) return { row: null, faults: [{ field: null, ...fault }] };
  const parsed = parseWithin(text, 'a JSON object', limits.lineValues);
  if (parsed.fault !== null) return { row: null, faults: [parsed.fault] };
  const checked = parsedValue(schema, parsed.value);
  if (checked.success) return { row: checked.data, faults: null };
  return { row: null, faults: explainIssues(checked.error.issues, parsed.value) };
}

/**
 * Returns a function that remembers the first line of each value, and returns faults for repeated values. Only a line
 * without such faults becomes the first line of its values.
 */
function repeatFinder(): (line: number, values: ReturnType<UniqueFields<unknown>>) => ValueFault[] {
  const lines = new Map<string, number>();
  return (line, values) => {
    const given = values.filter(([, value]) => value !== null);
    const faults = given.flatMap(([field, value]) => {
      const before = lines.get(`${field} ${value}`);
      if (before === undefined) return [];
      return { field, expected: 'a value of its own', got: `${shown(value)}, which line ${before} has too` };
    });
    if (faults.length === 0) for (const [field, value] of given) lines.set(`${field} ${value}`, line);
    return faults;
  };
}
