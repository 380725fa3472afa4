import * as z from 'zod';
import { type Fault, formatFaults, type OnBad, problemsOf, rendering } from './problem.ts';
import { partFileName } from './snapshot-bytes.ts';
import { soundCuration, uncheckedCuration } from './snapshot-curation.ts';
import { EntryList } from './snapshot-entries.ts';
import { listUpTo } from './snapshot-fields.ts';
import { type Curation, inventoryScope } from './snapshot-format.ts';
import { parseJson, readJsonFile } from './snapshot-json.ts';
import { limits } from './snapshot-limits.ts';
import { readLines, type TextLine } from './snapshot-lines.ts';

export type { BadRow, OnBad } from './problem.ts';

export type RowOf<T> = { line: number; row: T; text: string };

/** The fields in which no two rows may agree; a null agrees with nothing. */
export type UniqueFields<T> = (row: T) => (readonly [field: string, value: string | null])[];

/** `atMost`: lines that the file may have, blank ones included. */
export type RowOptions<T> = { onBad: OnBad; unique?: UniqueFields<T>; atMost?: number };

/**
 * The good rows of an NDJSON part, in file order, as they are read; every bad line goes to `onBad` instead. Throws a
 * SnapshotError when the file cannot be read to its end: rows handed out before are then worth nothing.
 */
export async function* readRows<T>(
  path: string,
  schema: z.ZodType<T>,
  { onBad, unique = () => [], atMost = limits.lines }: RowOptions<T>,
): AsyncGenerator<RowOf<T>> {
  const file = partFileName(path);
  const repeats = new RepeatedValues();
  for await (const lines of readLines(path, atMost)) {
    for (const read of lines) {
      const { line, text } = read;
      const checked = checkLine(read, schema);
      const faults = checked.faults ?? repeats.faultsOf(line, unique(checked.row));
      if (checked.faults === null && faults.length === 0) {
        yield { line, row: checked.row, text };
        continue;
      }
      const problems = faults.map((fault) => ({ file, line, ...fault }));
      onBad({ line, text, reason: formatFaults(faults) }, problems);
    }
  }
}

/** The store codes of inventory_scope.json. Throws a SnapshotError when the file is not a scope at all. */
export async function readScope(path: string, onBad: OnBad): Promise<string[]> {
  const unchecked = z.object({ inventory_store_codes: listUpTo(limits.storeCodes, z.unknown()) });
  const values = (await readJsonFile(path, unchecked)).inventory_store_codes;
  const source = { file: partFileName(path), list: 'inventory_store_codes', values, onBad };
  const codes = new EntryList(source, inventoryScope.shape.inventory_store_codes.element);
  codes.siftRepeats(null, (code) => code);
  return codes.entries;
}

/** The sound entries of curation.json. Throws a SnapshotError when the file is not a curation at all. */
export async function readCuration(path: string, onBad: OnBad): Promise<Curation> {
  return soundCuration(await readJsonFile(path, uncheckedCuration), partFileName(path), onBad);
}

type CheckedLine<T> = { row: T; faults: null } | { row: null; faults: Fault[] };

function checkLine<T>({ text, fault }: TextLine, schema: z.ZodType<T>): CheckedLine<T> {
  if (fault !== null) return { row: null, faults: [{ field: null, ...fault }] };
  const parsed = parseJson(text, 'a JSON object', limits.lineValues);
  if (parsed.fault !== null) return { row: null, faults: [parsed.fault] };
  const checked = schema.safeParse(parsed.value);
  if (checked.success) return { row: checked.data, faults: null };
  return { row: null, faults: problemsOf(checked.error, parsed.value) };
}

/** Remembers in which line each value stood first. */
class RepeatedValues {
  readonly #lines = new Map<string, Map<string, number>>();

  /** The values that a line before has; only a line without any counts as the first one of its values. */
  faultsOf(line: number, values: ReturnType<UniqueFields<unknown>>): Fault[] {
    const faults: Fault[] = [];
    for (const [field, value] of values) {
      const before = value === null ? undefined : this.#lines.get(field)?.get(value);
      if (before === undefined) continue;
      faults.push({ field, expected: 'a value of its own', got: `${rendering(value)}, which line ${before} has too` });
    }
    if (faults.length === 0) for (const [field, value] of values) this.#remember(line, field, value);
    return faults;
  }

  #remember(line: number, field: string, value: string | null): void {
    if (value === null) return;
    const lines = this.#lines.get(field) ?? new Map<string, number>();
    lines.set(value, line);
    this.#lines.set(field, lines);
  }
}
