/** Lets other requests run between two pieces of work. */
export interface Pace {
  /**
   * Call it before a piece of `units` of work. Null: the work may start now. Otherwise it starts when the promise
   * resolves.
   */
  next(units: number): Promise<void> | null;
}

/**
 * The work for one question, in units of about a microsecond on a usual machine. Units are counted and not measured,
 * because some hosts stop the clock while a program computes, and because a question costs the same on all hosts.
 */
export class Work {
  readonly #pace: Pace | null;
  #charged = 0;

  /** Without a pace, the work never waits. */
  constructor(pace: Pace | null = null) {
    this.#pace = pace;
  }

  /** Units that the question costs its client. They do not depend on what the host has in its caches. */
  get charged(): number {
    return this.#charged;
  }

  charge(units: number): void {
    this.#charged += units;
  }

  /** Await it before a piece of work: other work may have its turn first. */
  pace(units: number): Promise<void> | null {
    return this.#pace?.next(units) ?? null;
  }

  /** Work in the same turns that is charged to nobody: for values that are made once and kept for all. */
  get free(): Work {
    return new Work(this.#pace);
  }

  /** Charges and paces a piece of work, for work that every such question needs. */
  spend(units: number): Promise<void> | null {
    this.charge(units);
    return this.pace(units);
  }
}

/** Units of work to read and check this many bytes of JSON. */
export function readingUnits(bytes: number): number {
  return Math.ceil(bytes / 100);
}

/** A computation in steps. It yields the units of each step after doing it, and returns the result. */
export type Steps<Result> = Generator<number, Result>;

/** Runs the steps, and lets other requests run between them. */
export async function inSteps<Result>(steps: Steps<Result>, work: Work): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Most steps are small. To await each of them would cost more than the steps do.
    const turn = work.spend(step.value);
    if (turn) await turn;
  }
}

/** Runs all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
