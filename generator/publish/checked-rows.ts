import type * as z from 'zod';
import type { Fault } from './problem.ts';
import type { RowFaults } from './row-faults.ts';
import type { PartName, SnapshotFolder } from './snapshot-folder.ts';
import { parseJson } from './snapshot-json.ts';
import { limits } from './snapshot-limits.ts';
import { type RowOptions, readRows } from './snapshot-rows.ts';

type Checks<Row> = {
  readonly unique: NonNullable<RowOptions<Row>['unique']>;
  /** Lines that the file may have, where that is not what any file may. */
  readonly atMost?: number;
  /** Faults that only the rest of the snapshot, or what stands, can tell. */
  readonly faultsOf?: (row: Row) => Fault[];
  readonly onGood?: (row: Row) => void;
  /** Called with the raw fields of every row that is not good. */
  readonly onRejected?: (fields: Readonly<Record<string, unknown>>) => void;
};

/** Memory for rows between their check and their use, counted in characters of their lines. */
export class Room {
  #left: number = limits.heldCharacters;

  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }

  giveBack(characters: number): void {
    this.#left += characters;
  }
}

/** The good rows of a part that was read to its end: held in memory where there is room for them, else read again. */
export class CheckedRows<Row> implements AsyncIterable<Row> {
  readonly #path: string | null;
  readonly #schema: z.ZodType<Row>;
  readonly #held: readonly Row[] | null;
  readonly #rejected: ReadonlySet<number>;

  private constructor(
    path: string | null,
    schema: z.ZodType<Row>,
    held: readonly Row[] | null,
    rejected: ReadonlySet<number>,
  ) {
    this.#path = path;
    this.#schema = schema;
    this.#held = held;
    this.#rejected = rejected;
  }

  /** Reads a part of the snapshot, which has no rows when it is not there. Every row that is not good goes to the faults. */
  static async check<Row>(
    { parts }: SnapshotFolder,
    part: PartName,
    schema: z.ZodType<Row>,
    faults: RowFaults,
    room: Room,
    { unique, atMost = limits.lines, faultsOf, onGood, onRejected }: Checks<Row>,
  ): Promise<CheckedRows<Row>> {
    const path = parts[part];
    const rejected = new Set<number>();
    let held: Row[] | null = [];
    if (path === null) return new CheckedRows(path, schema, held, rejected);
    const file = `${part}.ndjson`;
    const reject = (line: number, text: string, found: readonly Fault[]) => {
      rejected.add(line);
      faults.reject(file, line, text, found);
      onRejected?.(fieldsOf(text));
    };
    const rows = readRows(path, schema, {
      unique,
      atMost,
      onBad: ({ line, text }, problems) => reject(line ?? 0, text, problems),
    });
    let taken = 0;
    for await (const { line, row, text } of rows) {
      const found = faultsOf?.(row) ?? [];
      if (found.length > 0) {
        reject(line, text, found);
        continue;
      }
      faults.accept(file);
      onGood?.(row);
      if (held === null) continue;
      taken += text.length;
      if (room.take(text.length)) held.push(row);
      else {
        held = null;
        room.giveBack(taken);
      }
    }
    return new CheckedRows(path, schema, held, rejected);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Row> {
    if (this.#held !== null) yield* this.#held;
    else if (this.#path !== null) {
      const rows = readRows(this.#path, this.#schema, { onBad: () => {} });
      for await (const { line, row } of rows) if (!this.#rejected.has(line)) yield row;
    }
  }
}

/** What a faulty line still says: its fields, or of a line that is no JSON its first texts, as of one cut short. */
function fieldsOf(text: string): Record<string, unknown> {
  const { value, fault } = parseJson(text, 'a JSON object', limits.lineValues);
  if (fault === null) return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const texts = [...text.slice(0, limits.setAsideText).matchAll(/"(\w+)"\s*:\s*"([^"\\]*)"/g)];
  return Object.fromEntries(texts.reverse().map(([, field, said]) => [field, said]));
}
