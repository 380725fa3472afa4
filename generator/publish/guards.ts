import { compareInstants, epochSeconds } from '../contract/instant.ts';
import { displayPrice } from '../contract/profile.ts';
import type { Connection } from '../database/connection.ts';
import {
  type AllFieldCounts,
  countBefore,
  type FieldOf,
  fieldExamples,
  type Kind,
  mostCommon,
} from '../database/field-moves.ts';
import type { Publication } from '../database/publications.ts';
import { countText, Failure } from '../failure.ts';
import type { InventoryChange } from './inventory.ts';
import { type Example, type Moves, median } from './moves.ts';
import { profileOf, type SnapshotHeader } from './snapshot/format.ts';
import { cut } from './snapshot/problem.ts';
import type { StoreLocation } from './stores.ts';

/** What the guards look at, once a snapshot is applied and before it is committed. */
export type GuardFacts = {
  readonly connection: Connection;
  readonly sequence: number;
  readonly header: SnapshotHeader;
  readonly previous: Publication | null;
  /** The latest `published_at` that is not of the future, UTC. Null if any time is accepted. */
  readonly notAfter: string | null;
  readonly counts: AllFieldCounts;
  /** Of the stores in the snapshot's directory. */
  readonly locations: readonly StoreLocation[];
  readonly inventory: InventoryChange;
  /** Prices of products that stay listed. */
  readonly prices: Moves;
  /** Positive quantities of pairs that stay positive. */
  readonly quantities: Moves;
};

/** Stops a snapshot that is valid but probably a mistake. A person may accept it. */
type Guard<Name extends string = string> = {
  readonly name: Name;
  /** What it stops, for the documentation: the rest of "a snapshot that". */
  readonly limit: string;
  /** The largest of 50 real days of one agency, for the documentation. */
  readonly seen: string;
  /** Another option that accepts it, as `--accept <name>` does. */
  readonly flag?: string;
  /** What the snapshot does against the limit, as the rest of a sentence; null if it keeps to it. */
  readonly trips: (facts: GuardFacts) => string | null;
};

/** How many of how many, with the first of them. The whole is only counted when the part is large enough. */
type Share = { readonly moved: number; readonly of: () => number; readonly examples?: () => readonly string[] };

/**
 * A guard that stops a snapshot in which too much moved. `sentence`: what the snapshot does, with `%` for how many.
 * `most`: the largest share that passes. `least`: fewer never are a mistake, since small shares of little mean nothing.
 * `seen`: the largest share of 50 real days of one agency. Limits are several times that, and below what mistakes move.
 */
function ofShare<const Name extends string>(
  name: Name,
  sentence: string,
  share: (facts: GuardFacts) => Share,
  [most, least, seen]: readonly [most: number, least: number, seen: number],
  flag?: string,
): Guard<Name> {
  const floor = least > 1 ? `, at least ${countText(least)}` : '';
  return {
    name,
    ...(flag === undefined ? {} : { flag }),
    limit: `${sentence.replace('%', most > 0 ? `more than ${percent(most)} of the` : 'any')}${floor}`,
    seen: percent(seen),
    trips: (facts) => {
      const { moved, of, examples } = share(facts);
      if (moved < least) return null;
      const whole = of();
      if (moved <= whole * most) return null;
      const said = sentence.replace('%', `${countText(moved)} of ${countText(whole)}`);
      return `${said}: expected ${most > 0 ? `at most ${percent(most)}` : 'none'}${shown(examples?.())}`;
    },
  };
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

function shown(examples: readonly string[] = []): string {
  return examples.map((example) => `; ${cut(example)}`).join('');
}

/** What moved in a field, of all that stays, or for `gone` of all that was there. */
function inField<Of extends Kind>(kind: Of, field: FieldOf<Of>) {
  return ({ connection, sequence, counts }: GuardFacts): Share => ({
    moved: counts[kind][field],
    of: () => countBefore(connection, kind, sequence) - (field === 'gone' ? 0 : counts[kind].gone),
    examples: () => fieldExamples(connection, kind, field, sequence),
  });
}

function examplesOf(moves: readonly Example[], text: (amount: number) => string): string[] {
  return moves.map(({ of, before, now }) => `${of}: ${text(before)} to ${now === null ? 'none' : text(now)}`);
}

/** Writes amounts in the currency of the snapshot. */
const priceText = (header: SnapshotHeader) => (amount: number) => displayPrice(amount, profileOf(header).currency);

const changedPrices = ({ header, prices: { changed, compared, examples } }: GuardFacts): Share => ({
  moved: changed,
  of: () => compared,
  examples: () => examplesOf(examples.changed, priceText(header)),
});

const farQuantities = ({ quantities: { far, compared, examples } }: GuardFacts): Share => ({
  moved: far,
  of: () => compared,
  examples: () => examplesOf(examples.far, countText),
});

function emptiedStores({ inventory: { storeRows } }: GuardFacts): Share {
  const full = [...storeRows].filter(([, { before }]) => before >= 10);
  const emptied = full.filter(([, { before, now }]) => now * 10 < before);
  return {
    moved: emptied.length,
    of: () => full.length,
    examples: () => emptied.slice(0, 2).map(([code, { before, now }]) => `${code}: ${before} rows to ${now}`),
  };
}

/** The column that most quantities are equal to. */
function copiedQuantities({ inventory: { copied, positive } }: GuardFacts): Share {
  const [most] = [...copied.values()].sort((a, b) => b.count - a.count);
  return { moved: most?.count ?? 0, of: () => positive, examples: () => most?.examples ?? [] };
}

/** Stores at new places where no store is, or none of the others. Latitude and longitude are swapped, or one has no sign. */
function outlyingStores({ locations }: GuardFacts): Share {
  const [latitude, longitude] = [
    median(locations.map((at) => at.latitude)),
    median(locations.map((at) => at.longitude)),
  ];
  const isApart = (at: StoreLocation) =>
    locations.length >= 10 && Math.max(Math.abs(at.latitude - latitude), Math.abs(at.longitude - longitude)) > 20;
  const outlying = locations.filter((at) => at.isNew && (at.latitude < -56 || at.latitude > 80 || isApart(at)));
  return {
    moved: outlying.length,
    of: () => locations.length,
    examples: () => outlying.slice(0, 2).map((at) => `${at.store}: ${at.latitude}, ${at.longitude}`),
  };
}

const day = 86_400;

/** Each row: the name, what it stops, what it measures, and the largest share, the fewest, and the largest share seen. */
export const guards = [
  ofShare('catalog', 'loses % listed products', inField('products', 'gone'), [0.2, 1, 0.0059], '--accept-shrink'),
  ofShare('names', 'renames % products that stay listed', inField('products', 'renamed'), [0.1, 20, 0.0155]),
  ofShare('sizes', 'resizes % products that stay listed', inField('products', 'resized'), [0.1, 20, 0.0003]),
  ofShare(
    'categories',
    'files % products that stay listed under another category',
    inField('products', 'recategorised'),
    [0.1, 20, 0.0061],
  ),
  ofShare('category-names', 'renames % categories that stay', inField('categories', 'renamed'), [0.2, 5, 0]),
  ofShare(
    'statuses',
    'gives another status to % products that stay listed',
    inField('products', 'status_changed'),
    [0.2, 20, 0.0404],
  ),
  {
    name: 'prices',
    limit:
      'moves at least 10 prices by more than half or loses them, and these are more than a fifth of the prices of products that stay listed; or moves at least 10 prices fivefold, up or down, or to 0',
    seen: '0.43 %; 0',
    trips: ({ header, prices: { compared, far, fivefold, examples } }) => {
      const prices = `of ${countText(compared)} prices`;
      const some = () => shown(examplesOf(examples.far, priceText(header)));
      if (far >= 10 && far > compared * 0.2)
        return `moves ${countText(far)} ${prices} by more than half: expected at most a fifth of them${some()}`;
      if (fivefold < 10) return null;
      return `moves ${countText(fivefold)} ${prices} fivefold or to 0: expected fewer than 10${some()}`;
    },
  },
  ofShare('price-changes', 'changes % prices of products that stay listed', changedPrices, [0.4, 20, 0.154]),
  {
    name: 'price-factor',
    limit: 'changes at least 20 prices, more than a fifth of all, and 90 % of these by one factor',
    seen: '–',
    trips: ({ header, prices }) => {
      if (prices.changed < 20 || prices.changed <= prices.compared * 0.2) return null;
      const common = prices.commonFactor();
      if (common === null || common.moves < 20 || common.agreeing < common.moves * 0.9) return null;
      const factor = Number(common.factor.toPrecision(3));
      return `multiplies ${countText(common.agreeing)} of ${countText(common.moves)} changed prices by ${factor}: expected different changes${shown(examplesOf(prices.examples.changed, priceText(header)))}`;
    },
  },
  ofShare('directory', 'loses % stores of the directory', inField('stores', 'gone'), [0.2, 5, 0.01]),
  ofShare('store-names', 'renames % stores that stay', inField('stores', 'renamed'), [0.2, 5, 0]),
  ofShare(
    'store-addresses',
    'gives another address to % stores that stay',
    inField('stores', 'readdressed'),
    [0.2, 5, 0],
  ),
  ofShare(
    'store-locations',
    'moves % stores that stay by more than 0.1 degrees, or to no location',
    inField('stores', 'relocated'),
    [0.2, 5, 0],
  ),
  ofShare('closures', 'closes % stores that stay', inField('stores', 'closed'), [0.2, 5, 0.01]),
  ofShare(
    'outlying-stores',
    'puts % stores in a new place north of 80° N, south of 56° S, or more than 20 degrees from the middle of at least 10 stores',
    outlyingStores,
    [0, 1, 0],
  ),
  {
    name: 'inventory',
    flag: '--accept-shrink',
    limit: 'loses more than half of the positive inventory rows',
    seen: '1.7 %',
    trips: ({ inventory: { lost, retrievedPositive, positiveBefore } }) => {
      // Only products that were retrieved lose rows, so counting the rows of all products is rarely needed.
      if (lost <= retrievedPositive * 0.5) return null;
      const before = positiveBefore();
      if (lost <= before * 0.5) return null;
      return `loses ${countText(lost)} of ${countText(before)} positive inventory rows: expected at most half`;
    },
  },
  ofShare(
    'emptied-stores',
    'leaves less than a tenth of their rows to % stores that had at least 10',
    emptiedStores,
    [0.2, 3, 0.02],
  ),
  ofShare('quantities', 'moves % quantities that stay positive by more than half', farQuantities, [0.3, 50, 0.0796]),
  {
    name: 'quantity-factor',
    limit:
      'moves more than half of the quantities that stay positive, at least 20 of them 10 or more before or after, and the median of the factors is two thirds or less, or one and a half or more',
    seen: 'a median of 0.85',
    trips: ({ quantities }) => {
      const common = quantities.commonFactor(10);
      if (common === null || common.moves < 20 || quantities.changed <= quantities.compared / 2) return null;
      if (common.factor > 2 / 3 && common.factor < 3 / 2) return null;
      const factor = Number(common.factor.toPrecision(3));
      return `multiplies ${countText(quantities.changed)} of ${countText(quantities.compared)} quantities by a median of ${factor}: expected between 2/3 and 3/2${shown(examplesOf(quantities.examples.changed, countText))}`;
    },
  },
  ofShare(
    'copied-quantities',
    'has % positive quantities equal to the store code, the SKU, the size or the price',
    copiedQuantities,
    [0.5, 50, 0.02],
  ),
  {
    name: 'one-value',
    limit:
      'is the first with products or with positive quantities, and more than half of the names, prices or quantities are the same, or more than 95 % of the sizes, at least 1,000',
    seen: '6.9 %; of sizes 72 %',
    trips: ({ connection, previous, inventory: { positive, retrievedPositive } }) => {
      const first = [
        ...(previous === null ? (['name', 'price_minor', 'size_ml'] as const) : []),
        ...(positive > 0 && retrievedPositive === 0 ? (['quantity'] as const) : []),
      ];
      for (const column of first) {
        const { value, count, all } = mostCommon(connection, column);
        const most = column === 'size_ml' ? 0.95 : 0.5;
        if (count < 1_000 || count <= all * most) continue;
        return `begins with the ${column} ${cut(value)} in ${countText(count)} of ${countText(all)} rows: expected at most ${percent(most)}`;
      }
      return null;
    },
  },
  ofShare(
    'retrievals',
    'fails in % retrievals',
    ({ inventory: { failed, attempts } }) => ({ moved: failed, of: () => attempts }),
    [0.5, 10, 0.0063],
  ),
  ofShare(
    'asked',
    'leaves out % products that the inventory before it asked for',
    ({ inventory: { attempts, attemptsBefore } }) => ({ moved: attemptsBefore - attempts, of: () => attemptsBefore }),
    [0.9, 20, 0.034],
  ),
  ofShare(
    'repeat',
    'has % lines of inventory.ndjson no newer than the last attempt for their product',
    ({ inventory: { repeated, attempts } }) => ({ moved: repeated, of: () => attempts }),
    [0.5, 10, 0],
  ),
  {
    name: 'source-times',
    limit:
      'has an earlier `retrieved_at` or `source_updated_at` of the catalog or the directory than before, or an earlier `source_updated_at` than before in more than half of the lines of `inventory.ndjson`, at least 10',
    seen: '0',
    trips: ({ header, previous, inventory: { turnedBack, attempts } }) => {
      for (const part of ['catalog', 'directory'] as const) {
        for (const field of ['source_updated_at', 'retrieved_at'] as const) {
          const [before, now] = [previous?.[`${part}_${field}`] ?? null, header[part]?.[field] ?? null];
          if (before === null || now === null || compareInstants(now, before) >= 0) continue;
          return `goes back in time: expected ${part}.${field} from ${before} on, got ${now}`;
        }
      }
      if (turnedBack < 10 || turnedBack <= attempts / 2) return null;
      return `goes back in time: expected source_updated_at no earlier than before, got so in ${countText(turnedBack)} of ${countText(attempts)} lines of inventory.ndjson`;
    },
  },
  {
    name: 'times',
    limit: 'has a part retrieved more than a day after `published_at`, or more than 25 days before it',
    seen: '–',
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
    limit: 'has a `published_at` more than a day ahead of the clock; every later snapshot would then be older',
    seen: '–',
    trips: ({ header, notAfter }) => {
      if (notAfter === null || compareInstants(header.published_at, notAfter) <= 0) return null;
      return `is of the future: expected published_at up to ${notAfter}, a day from now, got ${header.published_at}`;
    },
  },
] as const satisfies readonly Guard[];

export type GuardName = (typeof guards)[number]['name'];

export const guardNames: readonly GuardName[] = guards.map(({ name }) => name);

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

  constructor(snapshot: string, tripped: readonly TrippedGuard[]) {
    const found = tripped.map(({ message, option }) => {
      return `snapshot ${snapshot} ${message}; ${option} publishes it anyway`;
    });
    const facts = { snapshot, guards: tripped };
    if (found.length === 1) super('stopped_by_guard', found.join(), { facts });
    else {
      const summary = `snapshot ${snapshot} was not published: ${found.length} guards stop it`;
      super('stopped_by_guard', `${found[0]} (and ${found.length - 1} more)`, { lines: [...found, summary], facts });
    }
  }
}
