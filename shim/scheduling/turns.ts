import type { Pace } from './work.ts';

/** Units of work in one turn: about as many microseconds in which nobody else is answered. */
const turnUnits = 3000;

type Piece = { readonly units: number; readonly begin: () => void };

/**
 * Cuts work into turns. Between two turns the runtime does everything else that is due. `afterOthers` schedules a
 * callback after that: as a macrotask, because promises alone do not let other work run.
 */
export class Turns implements Pace {
  readonly #afterOthers: (callback: () => void) => void;
  readonly #waiting: Piece[] = [];
  #spent = 0;
  #isNextDue = false;

  constructor(afterOthers: (callback: () => void) => void) {
    this.#afterOthers = afterOthers;
  }

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
