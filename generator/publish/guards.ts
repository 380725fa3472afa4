import { countText } from '../contract/counts.ts';
import { compareInstants, epochSeconds } from '../contract/instant.ts';
import { Failure } from '../failure.ts';
import type { InventoryChange } from './inventory.ts';
import type { CatalogChange } from './products.ts';
import type { SnapshotHeader } from './snapshot/format.ts';

/** What the guards look at, once a snapshot is applied and before it is committed. */
export type GuardFacts = {
  readonly header: SnapshotHeader;
  /** The latest `published_at` that is not of the future, UTC. Null if any time is accepted. */
  readonly notAfter: string | null;
  readonly catalog: CatalogChange;
  readonly inventory: InventoryChange;
  /** Prices of products that stay listed. */
  readonly prices: Moves;
  /** Positive quantities of pairs that stay positive. */
  readonly quantities: Moves;
};

/** Stops a snapshot that is valid but probably a mistake. A person may accept it. */
type Guard = {
  readonly name: string;
  /** When it stops a snapshot, for the documentation. */
  readonly limit: string;
  /** Another option that accepts it, as `--accept <name>` does. */
  readonly flag?: string;
  /** What the snapshot does against the limit, as the rest of a sentence; null if it keeps to it. */
  readonly trips: (facts: GuardFacts) => string | null;
};

const day = 86_400;

export const guards = [
  {
    name: 'catalog',
    flag: '--accept-shrink',
    limit: 'more than 20 % of the listed products leave the catalog',
    trips: ({ catalog: { gone, listedBefore } }) =>
      gone > listedBefore * 0.2 ? `lost ${gone} of ${listedBefore} catalog products: expected at most 20 %` : null,
  },
  {
    name: 'inventory',
    flag: '--accept-shrink',
    limit: 'more than half of the positive inventory rows are lost',
    trips: ({ inventory: { lost, retrievedPositive, positiveBefore } }) => {
      // Only products that were retrieved lose rows, so counting the rows of all products is rarely needed.
      if (lost <= retrievedPositive * 0.5) return null;
      const before = positiveBefore();
      return lost <= before * 0.5 ? null : `lost ${lost} of ${before} positive inventory rows: expected at most half`;
    },
  },
  {
    name: 'prices',
    limit:
      'at least 10 prices move by more than half or are lost, and these are more than a fifth of the prices of products that stay listed; or at least 10 prices move fivefold, up or down',
    trips: ({ prices: { compared, far, fivefold } }) => {
      if (far >= 10 && far > compared * 0.2) {
        return `moves ${countText(far)} of ${countText(compared)} prices by more than half: expected at most a fifth of them`;
      }
      return fivefold >= 10 ? `moves ${countText(fivefold)} prices fivefold or more: expected fewer than 10` : null;
    },
  },
  {
    name: 'price-factor',
    limit: 'at least 20 prices change, more than a fifth of all, and 90 % of these by one factor',
    trips: ({ prices }) => {
      if (prices.changed < 20 || prices.changed <= prices.compared * 0.2) return null;
      return byOneFactor('prices', prices.commonFactor());
    },
  },
  {
    name: 'quantity-factor',
    limit:
      'at least 20 quantities change that are 10 or more before or after, and 90 % of these by one factor, to two thirds or less or to one and a half or more',
    trips: ({ quantities }) => {
      const common = quantities.commonFactor(10);
      if (common === null || (common.factor > 2 / 3 && common.factor < 3 / 2)) return null;
      return byOneFactor('quantities', common);
    },
  },
  {
    name: 'repeat',
    limit: 'each of at least 10 lines of `inventory.ndjson` is as old as the last one of its product, or older',
    trips: ({ inventory: { attempts, newerAttempts } }) =>
      attempts < 10 || newerAttempts > 0
        ? null
        : `repeats an older inventory: expected an attempted_at after that of the last attempt for the product, got none in ${countText(attempts)} lines`,
  },
  {
    name: 'times',
    limit: 'a part was retrieved more than a day after `published_at`, or more than 25 days before it',
    trips: ({ header, inventory }) => {
      const times: readonly (readonly [string, string | null])[] = [
        ['catalog.retrieved_at', header.catalog?.retrieved_at ?? null],
        ['directory.retrieved_at', header.directory?.retrieved_at ?? null],
        ['the last attempted_at of inventory.ndjson', inventory.lastAttempt],
      ];
      for (const [field, time] of times) {
        if (time === null) continue;
        const age = epochSeconds(header.published_at) - epochSeconds(time);
        if (age >= -day && age <= 25 * day) continue;
        const expected = 'at most a day after published_at and at most 25 days before it';
        return `has times that do not belong together: expected ${field} ${expected}, got ${time} and ${header.published_at}`;
      }
      return null;
    },
  },
  {
    name: 'future',
    flag: '--accept-future',
    limit: '`published_at` is more than a day ahead of the clock; every later snapshot would then be older',
    trips: ({ header, notAfter }) => {
      if (notAfter === null || compareInstants(header.published_at, notAfter) <= 0) return null;
      return `is of the future: expected published_at up to ${notAfter}, a day from now, got ${header.published_at}`;
    },
  },
] as const satisfies readonly Guard[];

export type GuardName = (typeof guards)[number]['name'];

function byOneFactor(what: string, common: ReturnType<Moves['commonFactor']>): string | null {
  if (common === null || common.moves < 20 || common.agreeing < common.moves * 0.9) return null;
  const factor = Number(common.factor.toPrecision(3));
  return `multiplies ${countText(common.agreeing)} of ${countText(common.moves)} changed ${what} by ${factor}: expected different changes`;
}

/** A guard that stops a snapshot, and the option that accepts it. */
export type TrippedGuard = { readonly guard: GuardName; readonly option: string; readonly message: string };

/** The guards that stop a snapshot, except those that are accepted. */
export function trippedGuards(facts: GuardFacts, accepted: ReadonlySet<GuardName>): TrippedGuard[] {
  return guards.flatMap((guard: Guard & { readonly name: GuardName }) => {
    const message = accepted.has(guard.name) ? null : guard.trips(facts);
    return message === null ? [] : [{ guard: guard.name, option: optionOf(guard), message }];
  });
}

/** The option that accepts what a guard stops. */
export function optionOf({ name, flag }: Pick<Guard, 'name' | 'flag'>): string {
  return flag ?? `--accept ${name}`;
}

/** A snapshot that guards stop. */
export class GuardError extends Failure {
  override readonly name = 'GuardError';
  readonly #snapshot: string;
  readonly #tripped: readonly TrippedGuard[];

  constructor(snapshot: string, tripped: readonly TrippedGuard[]) {
    const [first] = tripped;
    const more = tripped.length > 1 ? ` (and ${tripped.length - 1} more)` : '';
    super(first === undefined ? `snapshot ${snapshot} was stopped` : `${explained(snapshot, first)}${more}`);
    this.#snapshot = snapshot;
    this.#tripped = tripped;
  }

  override get lines(): readonly string[] {
    const lines = this.#tripped.map((guard) => explained(this.#snapshot, guard));
    if (lines.length === 1) return lines;
    return [...lines, `snapshot ${this.#snapshot} was not published: ${lines.length} guards stop it`];
  }

  override get facts(): Readonly<Record<string, unknown>> {
    return { snapshot: this.#snapshot, guards: this.#tripped };
  }
}

function explained(snapshot: string, { message, option }: TrippedGuard): string {
  return `snapshot ${snapshot} ${message}; ${option} publishes it all the same`;
}

/** Moves that are kept to look for a common factor. */
const sampleSize = 50_000;

/** A factor by which most of the numbers moved. */
export type CommonFactor = { readonly factor: number; readonly moves: number; readonly agreeing: number };

/**
 * How numbers, such as prices, moved from one publication to the next. Counts are exact. The moves themselves are a
 * sample, evenly spread and the same every time, so that memory stays bounded.
 */
export class Moves {
  /** Numbers that were compared, also those that did not move. */
  compared = 0;
  /** Numbers that moved, or were lost. */
  changed = 0;
  /** Of these, those that moved by more than half of what they were, or were lost. */
  far = 0;
  /** Of these, those that are at least five times, or at most a fifth, of what they were. Zero is not among them. */
  fivefold = 0;
  #sample: (readonly [before: number, now: number])[] = [];
  #stride = 1;
  #positive = 0;

  add(before: number, now: number | null): void {
    this.compared += 1;
    if (before === now) return;
    this.changed += 1;
    if (now === null || Math.abs(now - before) > before / 2) this.far += 1;
    if (now === null || now === 0 || before === 0) return;
    if (now >= before * 5 || before >= now * 5) this.fivefold += 1;
    this.#positive += 1;
    if (this.#positive % this.#stride !== 0) return;
    this.#sample.push([before, now]);
    if (this.#sample.length < sampleSize) return;
    this.#sample = this.#sample.filter((_, index) => index % 2 === 1);
    this.#stride *= 2;
  }

  /**
   * The factor by which the numbers moved that are at least `least` before or after, and how many of these moves agree
   * with it. A move agrees if it differs by at most 1 or half a percent, because numbers are rounded. Null without such
   * moves.
   */
  commonFactor(least = 0): CommonFactor | null {
    const moves = this.#sample.filter(([before, now]) => Math.max(before, now) >= least);
    if (moves.length === 0) return null;
    // Rounding changes the ratio of small numbers most, so that of the larger half counts.
    const middle = median(moves.map(([before, now]) => Math.max(before, now)));
    const large = moves.filter(([before, now]) => Math.max(before, now) >= middle);
    const factor = median(large.map(([before, now]) => now / before));
    const agrees = ([before, now]: readonly [number, number]) =>
      Math.abs(now - before * factor) <= Math.max(1, 0.005 * before * factor);
    return { factor, moves: moves.length, agreeing: moves.filter(agrees).length };
  }
}

/** The middle one of some numbers, or the higher of the two in the middle. */
function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
