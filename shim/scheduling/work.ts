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
