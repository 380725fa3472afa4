import { countText } from '../contract/counts.ts';
import { compareInstants, epochSeconds } from '../contract/instant.ts';
import { Failure } from '../failure.ts';
import type { InventoryChange } from './inventory.ts';
import type { Moves } from './moves.ts';
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
  /** A flag of its own, besides `--accept <name>`. */
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
    trips: ({ catalog: { left, listedBefore } }) =>
      left > listedBefore * 0.2 ? `lost ${left} of ${listedBefore} catalog products: expected at most 20 %` : null,
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
