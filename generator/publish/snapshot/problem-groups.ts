import { limits } from './limits.ts';
import type { SnapshotProblem } from './problem.ts';

/** Problems of one kind: in the same file and field, with the same expectation. */
export type ProblemGroup = {
  readonly file: string;
  /** The field without indexes, such as `rows[][0]` or `brands[].slug`. */
  readonly field: string | null;
  readonly expected: string;
  /** Problems, and the lines that have them. No lines in a file that is one document. */
  readonly count: number;
  readonly line_count: number;
  /** The first places. Of each line only the first field. */
  readonly first: readonly { readonly line: number | null; readonly field: string | null }[];
  /** What came at the first place. */
  readonly got: string;
};

const shownPlaces = 3;

/** Sorts problems into groups. Keeps at most `limits.problemGroups` of them, and counts the problems of all others. */
export class ProblemGroups {
  readonly #groups = new Map<string, ProblemGroup>();
  readonly #lastLines = new Map<string, number>();
  #ungrouped = 0;

  /** The groups in the order of their first problems. */
  get all(): readonly ProblemGroup[] {
    return [...this.#groups.values()];
  }

  /** Problems of groups that were not kept. */
  get ungrouped(): number {
    return this.#ungrouped;
  }

  add({ file, line, field, expected, got }: SnapshotProblem): void {
    const pattern = field?.replace(/\[\d+\]/g, '[]') ?? null;
    const key = keyOf({ file, field: pattern, expected });
    const isNewLine = line !== null && this.#lastLines.get(key) !== line;
    const place = isNewLine || line === null ? [{ line, field }] : [];
    const one = { file, field: pattern, expected, count: 1, line_count: Number(isNewLine), first: place, got };
    if (this.#put(key, one) && line !== null) this.#lastLines.set(key, line);
  }

  addAll({ all, ungrouped }: ProblemGroups): void {
    for (const group of all) this.#put(keyOf(group), group);
    this.#ungrouped += ungrouped;
  }

  /** Adds to a group, or begins one. Returns false if the group is not kept. */
  #put(key: string, more: ProblemGroup): boolean {
    const before = this.#groups.get(key);
    if (before === undefined && this.#groups.size >= limits.problemGroups) {
      this.#ungrouped += more.count;
      return false;
    }
    this.#groups.set(key, before === undefined ? more : joined(before, more));
    return true;
  }
}

function keyOf({ file, field, expected }: Pick<ProblemGroup, 'file' | 'field' | 'expected'>): string {
  return JSON.stringify([file, field, expected]);
}

function joined(before: ProblemGroup, more: ProblemGroup): ProblemGroup {
  const { first } = before;
  return {
    ...before,
    count: before.count + more.count,
    line_count: before.line_count + more.line_count,
    first: first.length < shownPlaces ? [...first, ...more.first].slice(0, shownPlaces) : first,
  };
}
