/**
 * The work for one question, in units of about a microsecond on a usual machine. Units are counted and not measured,
 * because some hosts stop the clock while a program computes, and because a question costs the same on all hosts.
 */
export class Work {
  readonly #turns: Turns | null;
  #isWanted = () => true;
  #charged = 0;

  /** Without turns, the work never waits. */
  constructor(turns: Turns | null = null) {
    this.#turns = turns;
  }

  /** Units that the question costs its client. They do not depend on what the host has in its caches. */
  get charged(): number {
    return this.#charged;
  }

  charge(units: number): void {
    this.#charged += units;
  }

  /** From now on, the work ends before its next piece when nobody wants its result any more. */
  onlyWhile(isWanted: () => boolean): void {
    this.#isWanted = isWanted;
  }

  /**
   * Await it before a piece of work: other work may have its turn first. Throws an {@link UnwantedError} where nobody
   * wants the result any more.
   */
  pace(units: number): Promise<void> | null {
    if (!this.#isWanted()) throw new UnwantedError('nobody waits for the answer any more');
    return this.#turns?.next(units) ?? null;
  }

  /** Work in the same turns that is charged to nobody: for values that are made once and kept for all. */
  get free(): Work {
    return new Work(this.#turns);
  }

  /** Charges and paces a piece of work, for work that every such question needs. */
  spend(units: number): Promise<void> | null {
    this.charge(units);
    return this.pace(units);
  }
}

/** A client has gone, so that its answer is not computed to the end: that would only delay others. */
export class UnwantedError extends Error {
  override readonly name = 'UnwantedError';
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

/**
 * Units of work in one turn: about as many microseconds in which nobody else is answered. Node accepts one connection between
 * two turns, so that a client that comes behind a hundred others waits for as many turns.
 */
const turnUnits = 1000;

type Piece = { readonly units: number; readonly begin: () => void };

/**
 * Cuts work into turns. Between two turns the runtime does everything else that is due. `afterOthers` schedules a
 * callback after that: as a macrotask, because promises alone do not let other work run.
 */
export class Turns {
  readonly #afterOthers: (callback: () => void) => void;
  readonly #waiting: Piece[] = [];
  #spent = 0;
  #isNextDue = false;

  constructor(afterOthers: (callback: () => void) => void) {
    this.#afterOthers = afterOthers;
  }

  /**
   * Call it before a piece of `units` of work. Null: the work may start now. Otherwise it starts when the promise
   * resolves.
   */
  next(units: number): Promise<void> | null {
    if (this.#waiting.length > 0 || this.#spent >= turnUnits) {
      return new Promise((begin) => {
        this.#waiting.push({ units, begin });
        this.#callNext();
      });
    }
    this.#spent += units;
    this.#callNext();
    return null;
  }

  #callNext(): void {
    if (this.#isNextDue) return;
    this.#isNextDue = true;
    this.#afterOthers(() => this.#begin());
  }

  #begin(): void {
    this.#isNextDue = false;
    this.#spent = 0;
    while (this.#spent < turnUnits) {
      const piece = this.#waiting.shift();
      if (!piece) return;
      this.#spent += piece.units;
      this.#callNext();
      piece.begin();
    }
  }
}

/** Units of work that a point stands for: some ten milliseconds of a usual machine. */
const unitsPerPoint = 10_000;

/** The dearest question, in points. */
const mostPoints = 10;

/**
 * What a question counts, by the work that it took. One, unless it read a megabyte or more: a plain question reads a few
 * small files or a page or two, and a selection that reads a hundred pages counts as seven of them.
 */
export function pointsFor(units: number): number {
  return Math.min(mostPoints, 1 + Math.floor(units / unitsPerPoint));
}
