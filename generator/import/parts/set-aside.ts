import { Faults } from '../../files/faults.ts';

/**
 * Faulty rows that do not stop an import, at most 1 % of a part. The snapshot has the fault instead of the value, so
 * that `publish --quarantine` sets the row aside and keeps what it knows. Leaving the row out would mean that its
 * product is gone.
 */
export class SetAside {
  readonly #isAllowed: boolean;
  readonly #refused: Faults;
  readonly #notices: Faults;
  readonly #kept = new Faults();
  #count = 0;

  /** `faults` refuse the import; `notices` only report. */
  constructor(isAllowed: boolean, { faults, notices }: { readonly faults: Faults; readonly notices: Faults }) {
    this.#isAllowed = isAllowed;
    this.#refused = faults;
    this.#notices = notices;
  }

  get count(): number {
    return this.#count;
  }

  /** Collects the faults of a row until it is refused or set aside. */
  faultsOfRow(): Faults {
    return this.#isAllowed ? new Faults() : this.#refused;
  }

  /**
   * Returns the fault for the row's line. Returns null and refuses the row if its key is unreadable or nothing may be
   * set aside.
   */
  take(faults: Faults, isNamed: boolean): { readonly fault: string } | null {
    if (!this.#isAllowed || !isNamed) {
      if (faults !== this.#refused) this.#refused.addAll(faults);
      return null;
    }
    this.#kept.addAll(faults);
    this.#count += 1;
    return { fault: faults.lines[0] ?? '' };
  }

  /** Refuses the import if more than 1 % of the lines are set aside; otherwise reports the rows. */
  settle(file: string, lines: number): void {
    if (this.#count === 0) return;
    const isMuch = this.#count > Math.floor(lines / 100);
    (isMuch ? this.#refused : this.#notices).addAll(this.#kept);
    if (!isMuch) return;
    const expected = 'at most 1 % of the lines to set aside';
    this.#refused.add({ file, line: null, field: null, expected, got: `${this.#count} of ${lines}` });
  }
}
