/** Lets others through between two pieces of work. */
export interface Pace {
  /** To be asked before a piece of so many units. Null: it may be done at once. Else the promise says when. */
  next(units: number): Promise<void> | null;
}

/**
 * What answering one question takes, in units of about a microsecond on a usual machine. Units are counted and not
 * measured: some hosts stop the clock while a program computes, and a question costs the same on all of them.
 */
export class Work {
  readonly #pace: Pace | null;
  #charged = 0;

  /** Without a pace nothing ever waits. */
  constructor(pace: Pace | null = null) {
    this.#pace = pace;
  }

  /** What the question costs whoever asked: the same whether or not the host had something in its caches. */
  get charged(): number {
    return this.#charged;
  }

  charge(units: number): void {
    this.#charged += units;
  }

  /** To be awaited before a piece of work: others may have their turn first. */
  pace(units: number): Promise<void> | null {
    return this.#pace?.next(units) ?? null;
  }

  /** The same turns, and charged to nobody: for what is made once and kept for all. */
  get free(): Work {
    return new Work(this.#pace);
  }

  /** Both: a piece of work that is done for every such question. */
  spend(units: number): Promise<void> | null {
    this.charge(units);
    return this.pace(units);
  }
}

/** Units to read and check so many bytes of JSON. */
export function readingUnits(bytes: number): number {
  return Math.ceil(bytes / 100);
}

/** A computation in steps: yields the units of each when it is done, and returns the result. */
export type Steps<Result> = Generator<number, Result>;

/** Takes the steps, and lets others through between them. */
export async function inSteps<Result>(steps: Steps<Result>, work: Work): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    // Most steps are small, and waiting for nothing would cost more than they do.
    const turn = work.spend(step.value);
    if (turn) await turn;
  }
}

/** Takes all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
