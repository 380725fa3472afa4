import { type Encoding, fileFailure, type InputFile, limits, type OnBytes, readText } from './input.ts';
import type { Row } from './table.ts';

/**
 * The rows of a text file whose columns begin at the same character in every line. `starts`: these characters, counted
 * from 1. Values are trimmed. Blank lines are rows too. Throws a Failure for an overlong line.
 */
export async function* fixedRows(
  input: InputFile,
  { encoding, starts }: { readonly encoding: Encoding; readonly starts: readonly number[] },
  onBytes: OnBytes,
): AsyncGenerator<Row> {
  let number = 0;
  for await (const line of linesOf(input, encoding, onBytes)) {
    number += 1;
    yield {
      number,
      cells: starts.map((start, index) => line.slice(start - 1, (starts[index + 1] ?? Infinity) - 1).trim()),
    };
  }
}

/** Lines without their ends. */
export async function* linesOf(input: InputFile, encoding: Encoding, onBytes: OnBytes): AsyncGenerator<string> {
  let rest = '';
  let count = 0;
  for await (const text of readText(input, encoding, onBytes)) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > limits.rowCharacters)
      throw fileFailure(
        input.path,
        `lines of at most ${limits.rowCharacters} characters`,
        `a longer one in row ${count + 1}`,
      );
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/**
 * Learns where columns begin, counted from 1: after characters that are blank in all lines. A single blank may be
 * chance, so few lines need two. Values that end at the same character are right-aligned: their column begins right
 * after the one before it, because a larger number needs more room.
 */
export class ColumnStarts {
  readonly #counts: number[] = [];
  #lines = 0;
  #hasTabs = false;

  add(line: string): void {
    if (line.trim() === '') return;
    this.#lines += 1;
    this.#hasTabs ||= line.includes('\t');
    for (let at = 0; at < Math.min(line.length, mostCharacters); at += 1)
      this.#counts[at] = (this.#counts[at] ?? 0) + (line[at] === ' ' ? 0 : 1);
  }

  /** Where columns begin; null if the lines do not show at least three columns. */
  found(): number[] | null {
    if (this.#hasTabs || this.#lines < 10) return null;
    const count = (at: number) => this.#counts[at] ?? 0;
    const gap = this.#lines < 50 ? 2 : 1;
    const isAfterGap = (at: number) =>
      Array.from({ length: gap }, (_, index) => count(at - 1 - index)).every((one) => one === 0);
    const starts = [...this.#counts.keys()].filter((at) => count(at) > 0 && (at === 0 || isAfterGap(at)));
    if (starts.length < 3) return null;
    return starts.map((start, index) => {
      const end = lastFilled(this.#counts, start, starts[index + 1] ?? this.#counts.length);
      const before = starts[index - 1];
      if (before === undefined) return 1;
      return (count(end) > count(start) ? lastFilled(this.#counts, before, start) + 1 : start) + 1;
    });
  }
}

function lastFilled(counts: readonly number[], start: number, next: number): number {
  let at = next - 1;
  while (at > start && (counts[at] ?? 0) === 0) at -= 1;
  return at;
}

/** The most characters of a line. Printed tables have no longer lines. */
const mostCharacters = 10_000;
