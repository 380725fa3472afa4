import type * as z from 'zod';
import { jsonStart } from './json-start.ts';
import { type Fault, formatFaults, type OnBad, problemsOf, rendering } from './problem.ts';
import { limits } from './snapshot-limits.ts';

/** Where entries stand (`brands` of `curation.json`), and who hears of the bad ones. */
export type EntrySource = { file: string; list: string; values: readonly unknown[]; onBad: OnBad };

/**
 * The entries of an array in a whole-file part. Each faulty one is reported once and left out, so that what is left
 * can be used whatever was wrong with the rest.
 */
export class EntryList<T> {
  readonly #source: EntrySource;
  readonly #kept = new Map<number, T>();

  constructor(source: EntrySource, schema: z.ZodType<T>) {
    this.#source = source;
    source.values.forEach((value, index) => {
      const checked = schema.safeParse(value);
      if (checked.success) this.#kept.set(index, checked.data);
      else this.#leaveOut(index, problemsOf(checked.error, value));
    });
  }

  get entries(): T[] {
    return [...this.#kept.values()];
  }

  /** Leaves out what `faultOf` finds a fault with. */
  sift(faultOf: (entry: T) => Fault | null): void {
    for (const [index, entry] of this.#kept) {
      const fault = faultOf(entry);
      if (fault !== null) this.#leaveOut(index, [fault]);
    }
  }

  /** Leaves out the entries whose key an entry before has. */
  siftRepeats(field: string | null, keyOf: (entry: T) => string): void {
    const first = new Map<string, number>();
    for (const [index, entry] of this.#kept) {
      const key = keyOf(entry);
      const before = first.get(key);
      if (before === undefined) {
        first.set(key, index);
        continue;
      }
      const got = `${rendering(key)}, which ${this.#source.list}[${before}] has too`;
      this.#leaveOut(index, [{ field, expected: 'a value of its own', got }]);
    }
  }

  #leaveOut(index: number, faults: readonly Fault[]): void {
    const { file, list, values, onBad } = this.#source;
    this.#kept.delete(index);
    const row = { line: null, text: jsonStart(values[index], limits.setAsideText), reason: formatFaults(faults) };
    const place = `${list}[${index}]`;
    onBad(
      row,
      faults.map(({ field, ...said }) => ({ file, line: null, field: innerField(place, field), ...said })),
    );
  }
}

function innerField(place: string, field: string | null): string {
  if (field === null) return place;
  return field.startsWith('[') ? `${place}${field}` : `${place}.${field}`;
}
