import { displayPrice } from '../../../contract/profile.ts';
import { cut } from '../../../contract/schemas/checked-value.ts';
import type { Connection } from '../../database/connection.ts';
import {
  type AllFieldCounts,
  countAt,
  type FieldOf,
  fieldExamples,
  type Kind,
  openStoreCodes,
  positiveRowCount,
} from '../../database/field-moves.ts';
import type { Publication } from '../../database/publications.ts';
import { comparedPublications, comparedTotals, type Totals } from '../../database/totals.ts';
import { countText } from '../../files/failure.ts';
import { profileIn, type SnapshotHeader } from '../../snapshot/format.ts';
import type { InventoryChange } from '../inventory.ts';
import { type Example, type Moves, median } from '../moves.ts';
import type { StoreLocation } from '../stores.ts';

/** The facts after a snapshot is applied and before it is committed. */
export type GuardFacts = {
  readonly connection: Connection;
  readonly sequence: number;
  readonly header: SnapshotHeader;
  readonly previous: Publication | null;
  /** The latest `published_at` that is not in the future, UTC. Null if any time is accepted. */
  readonly notAfter: string | null;
  readonly counts: AllFieldCounts;
  /** Totals after this snapshot, and after the publication before it. */
  readonly totals: Totals;
  readonly totalsBefore: Totals | null;
  readonly locations: readonly StoreLocation[];
  readonly inventory: InventoryChange;
  /** How prices moved, only of products that stay listed. */
  readonly prices: Moves;
  /** How quantities moved, only of pairs that stay positive. */
  readonly quantities: Moves;
};

/** Stops a valid snapshot that looks like a mistake. */
export type Rule = {
  /** The rest of a sentence that begins with "a snapshot that", for the documentation. */
  readonly limit: string;
  /** The largest value in 50 real days of one agency, for the documentation. */
  readonly seen: string;
  /** How the snapshot exceeds the limit, as the rest of a sentence; null if it does not. `guard`: its name. */
  readonly trips: (facts: GuardFacts, guard: string) => string | null;
};

/** A rule with a name, by which a person can accept what the rule stops. */
export type Guard = Rule & {
  readonly name: string;
  readonly example: string;
  /** Another option that accepts what the guard stops, besides `--accept <name>`. */
  readonly flag?: string;
};

/** Moved and total counts, with the first examples. The total is counted only if enough moved. */
type Share = { readonly moved: number; readonly of: () => number; readonly examples?: () => readonly string[] };

/**
 * Stops a snapshot in which too much moved. `sentence`: what the snapshot does, with `%` for how many. `most`: the
 * largest share that passes. `least`: fewer moves always pass, because a share of few rows means nothing. `seen`: the
 * largest share in 50 real days of one agency. Limits are several times that, and below what mistakes move.
 */
export function ofShare(
  sentence: string,
  share: (facts: GuardFacts) => Share,
  [most, least, seen]: readonly [most: number, least: number, seen: number],
): Rule {
  const floor = least > 1 ? `, at least ${countText(least)}` : '';
  return {
    limit: `${sentence.replace('%', most > 0 ? `more than ${percent(most)} of the` : 'any')}${floor}`,
    seen: percent(seen),
    trips: (facts) => {
      const { moved, of, examples } = share(facts);
      if (moved < least) return null;
      const whole = of();
      if (moved <= whole * most) return null;
      const said = sentence.replace('%', `${countText(moved)} of ${countText(whole)}`);
      return `${said}: expected ${most > 0 ? `at most ${percent(most)}` : 'none'}${examplesText(examples?.())}`;
    },
  };
}

/** A rule that stops what either of two rules stops. Both have the same sentence and the same `seen`. */
export function eitherOf(rule: Rule, other: Rule): Rule {
  const { seen } = rule;
  const trips: Rule['trips'] = (facts, guard) => rule.trips(facts, guard) ?? other.trips(facts, guard);
  return { limit: `${rule.limit}, or ${other.limit.replace(/^\S+ /, '')}`, seen, trips };
}

/** Adds a way out that is better than accepting the snapshot. `advice`: null if there is none. */
export function withAdvice(rule: Rule, advice: (facts: GuardFacts) => string | null): Rule {
  return {
    ...rule,
    trips: (facts, guard) => {
      const message = rule.trips(facts, guard);
      const better = message === null ? null : advice(facts);
      return better === null ? message : `${message}; ${better}`;
    },
  };
}

/** Stops a snapshot with too many new products or stores, as a share of those before. */
export function ofNew(kind: Kind, [most, least, seen]: readonly [most: number, least: number, seen: number]): Rule {
  return {
    limit: `adds new ${kind}, more than ${percent(most)} of the number before, at least ${countText(least)}`,
    seen: percent(seen),
    trips: ({ connection, sequence, previous, counts }) => {
      const added = counts[kind].new;
      if (previous === null || added < least) return null;
      const before = countAt(connection, kind, sequence - 1);
      if (added <= before * most) return null;
      const examples = examplesText(fieldExamples(connection, kind, 'new', sequence));
      return `adds ${countText(added)} new ${kind} to ${countText(before)}: expected at most ${percent(most)}${examples}`;
    },
  };
}

/**
 * Also stops a slow slide: a total below a share, `least`, of its maximum in the last twenty publications, by at least
 * `fewest`. `what`: the total, in words.
 */
export function overTime(
  rule: Rule,
  total: 'listed_products' | 'directory_stores' | 'scope_stores' | 'positive_rows',
  [least, fewest]: readonly [least: number, fewest: number],
  what: string,
): Rule {
  const period = `the last ${comparedPublications} publications`;
  return {
    seen: rule.seen,
    limit: `${rule.limit}; or keeps less than ${percent(least)} of the most ${what} of ${period}`,
    trips: (facts, guard) => {
      const message = rule.trips(facts, guard);
      const now = facts.totals[total];
      if (message !== null || now === null) return message;
      const most = Math.max(...earlier(facts, guard).map((totals) => totals[total] ?? 0));
      if (now >= most * least || most - now < fewest) return null;
      return `keeps ${countText(now)} ${what}: expected at least ${percent(least)} of ${countText(most)}, the most of ${period}`;
    },
  };
}

type Range = readonly [low: number, high: number];

const isWithin = (factor: number, [low, high]: Range) => factor >= low && factor <= high;

/**
 * Stops a snapshot that multiplies a sum, of prices or of quantities, by a factor outside a range: `once`, or against
 * any of the last twenty publications, `overall`. `least`: fewer moves always pass.
 */
export function ofLevel(
  what: string,
  level: 'price_level' | 'quantity_level',
  changed: (facts: GuardFacts) => number,
  least: number,
  [once, overall]: readonly [once: Range, overall: Range],
  seen: string,
): Rule {
  const between = (range: Range) => `between ${range.map((end) => Number(end.toFixed(2))).join(' and ')}`;
  const period = `the last ${comparedPublications} publications`;
  return {
    limit: `changes at least ${countText(least)} ${what}, and their sum by a factor that is not ${between(once)}, or not ${between(overall)} since one of ${period}`,
    seen,
    trips: (facts, guard) => {
      if (changed(facts) < least) return null;
      const now = facts.totals[level];
      const said = (before: number) => `multiplies the sum of the ${what} by ${Number((now / before).toPrecision(3))}`;
      const before = facts.totalsBefore?.[level] ?? 1;
      if (!isWithin(now / before, once)) return `${said(before)}: expected ${between(once)}`;
      const far = earlier(facts, guard).find((totals) => !isWithin(now / totals[level], overall));
      return far ? `${said(far[level])} within ${period}: expected ${between(overall)}` : null;
    },
  };
}

export function earlier({ connection, sequence }: GuardFacts, guard: string): Totals[] {
  return comparedTotals(connection, sequence, guard);
}

export function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

export function examplesText(examples: readonly string[] = []): string {
  return examples.map((example) => `; ${cut(example)}`).join('');
}

/**
 * The share of things whose field moved, out of everything that stays or, for `gone`, out of everything that was there.
 */
export function inField<Of extends Kind>(kind: Of, field: FieldOf<Of>) {
  return ({ connection, sequence, counts }: GuardFacts): Share => ({
    moved: counts[kind][field],
    of: () => countAt(connection, kind, sequence - 1) - (field === 'gone' ? 0 : counts[kind].gone),
    examples: () => fieldExamples(connection, kind, field, sequence),
  });
}

export function exampleTexts(moves: readonly Example[], text: (amount: number) => string): string[] {
  return moves.map(({ of, before, now }) => `${of}: ${text(before)} to ${now === null ? 'none' : text(now)}`);
}

export const priceText = (header: SnapshotHeader) => (amount: number) =>
  displayPrice(amount, profileIn(header).currency);

export const movedPrices =
  (how: 'far' | 'beyond' | 'lost') =>
  ({ header, prices }: GuardFacts): Share => ({
    moved: prices[how],
    of: () => prices.compared,
    examples: () => exampleTexts(prices.examples[how], priceText(header)),
  });

export const changedPrices = ({ header, prices: { changed, compared, examples } }: GuardFacts): Share => ({
  moved: changed,
  of: () => compared,
  examples: () => exampleTexts(examples.changed, priceText(header)),
});

export const fivefoldQuantities = ({ quantities: { fivefold, compared, examples } }: GuardFacts): Share => ({
  moved: fivefold,
  of: () => compared,
  examples: () => exampleTexts(examples.fivefold, countText),
});

/** Stores that the previous inventory covered and this one does not. */
export function uncoveredStores({ inventory: { covered, coveredBefore } }: GuardFacts): Share {
  const left = covered === null ? 0 : [...coveredBefore].filter((store) => !covered.has(store)).length;
  return { moved: left, of: () => coveredBefore.size };
}

export const farQuantities = ({ quantities: { far, compared, examples } }: GuardFacts): Share => ({
  moved: far,
  of: () => compared,
  examples: () => exampleTexts(examples.far, countText),
});

export function emptiedStores({ inventory: { storeRows } }: GuardFacts): Share {
  const full = [...storeRows].filter(([, { before }]) => before >= 10);
  const emptied = full.filter(([, { before, now }]) => now * 10 < before);
  return {
    moved: emptied.length,
    of: () => full.length,
    examples: () => emptied.slice(0, 2).map(([code, { before, now }]) => `${code}: ${before} rows to ${now}`),
  };
}

/**
 * Open stores that had many rows and have none. Where rows decide which stores are covered, such a store may also count
 * as uncovered.
 */
export function missingStores({ connection, inventory }: GuardFacts): Required<Share> {
  const { covered, coveredBefore, storeRows, attempts, failed } = inventory;
  const all = new Set([...coveredBefore, ...(covered ?? [])]);
  const candidates = attempts === failed ? [] : openStoreCodes(connection).filter(({ store }) => all.has(store));
  const missing = candidates
    .filter(({ code }) => (storeRows.get(code)?.now ?? 0) === 0)
    .map(({ store, code }) => ({ code, before: storeRows.get(code)?.before ?? positiveRowCount(connection, store) }))
    .filter(({ before }) => before >= 100);
  return {
    moved: missing.length,
    of: () => all.size,
    examples: () => missing.slice(0, 2).map(({ code, before }) => `${code}: ${countText(before)} rows to none`),
  };
}

export function copiedQuantities({ inventory: { copied, positive } }: GuardFacts): Share {
  const [most] = [...copied.values()].sort((a, b) => b.count - a.count);
  return { moved: most?.count ?? 0, of: () => positive, examples: () => most?.examples ?? [] };
}

/** Stores newly placed at 0, 0 or far from all others: latitude and longitude may be swapped, or a sign lost. */
export function outlyingStores({ locations }: GuardFacts): Share {
  const [latitude, longitude] = [
    median(locations.map((at) => at.latitude)),
    median(locations.map((at) => at.longitude)),
  ];
  const isApart = (at: StoreLocation) =>
    locations.length >= 10 && Math.max(Math.abs(at.latitude - latitude), Math.abs(at.longitude - longitude)) > 20;
  const outlying = locations.filter(
    (at) => at.isNew && (at.latitude < -56 || at.latitude > 80 || isNowhere(at) || isApart(at)),
  );
  return {
    moved: outlying.length,
    of: () => locations.length,
    examples: () => outlying.slice(0, 2).map((at) => `${at.store}: ${at.latitude}, ${at.longitude}`),
  };
}

/** Whether a location is 0, 0, which programs write for an unknown place. */
export function isNowhere({ latitude, longitude }: StoreLocation): boolean {
  return latitude === 0 && longitude === 0;
}
