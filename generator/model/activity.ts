import { type ChangeType, changeType } from '../contract/documents/change.ts';
import type { ActivityReader, PriceMoveRow, ProductCountRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import { lastExpired } from './retention.ts';
import type { State } from './state.ts';

/** What the newest publications brought. The counts stand in the order of the publications, oldest first. */
export type Activity = {
  readonly publications: readonly Publication[];
  readonly counts: Readonly<Record<ChangeType, readonly number[]>>;
  readonly mostChanged: readonly ProductCountRow[];
  /** Price moves of the newest of the publications that has any. Rises and falls have the largest ratio first. */
  readonly prices: {
    readonly publication: Publication;
    readonly rises: readonly PriceMoveRow[];
    readonly falls: readonly PriceMoveRow[];
  } | null;
};

/**
 * Reads the activity of at most `most` publications whose events are retained, with `products` products that changed most.
 */
export function activityOf(reader: ActivityReader, state: State, most: number, products: number): Activity {
  const first = Math.max(lastExpired(state), state.publication.sequence - most);
  const publications = state.publications.slice(first);
  const firstEvent = (sequence: number) => (state.publications[sequence - 2]?.last_event ?? 0) + 1;
  const { sequence, last_event } = state.publication;
  const counted = new Map(
    reader
      .types(firstEvent(first + 1), last_event)
      .map(({ publication, type, events }) => [`${publication} ${type}`, events]),
  );
  const countOf = (index: number, type: ChangeType) => counted.get(`${first + 1 + index} ${type}`) ?? 0;
  const counts = Object.fromEntries(
    changeType.options.map((type) => [type, publications.map((_, index) => countOf(index, type))]),
  );
  const priced = publications.filter((_, index) => countOf(index, 'price_changed') > 0).toReversed();
  return {
    publications,
    counts: counts as Record<ChangeType, number[]>,
    mostChanged: reader.products(firstEvent(sequence), last_event, products),
    prices: newestPrices(priced, ({ sequence, last_event }) => reader.prices(firstEvent(sequence), last_event)),
  };
}

function newestPrices(
  newestFirst: readonly Publication[],
  movesOf: (publication: Publication) => PriceMoveRow[],
): Activity['prices'] {
  for (const publication of newestFirst) {
    const moves = movesOf(publication);
    if (moves.length === 0) continue;
    const byRatio = moves.toSorted((a, b) => ratio(b) - ratio(a));
    const rises = byRatio.filter(({ previous, current }) => current > previous);
    return { publication, rises, falls: byRatio.slice(rises.length).toReversed() };
  }
  return null;
}

/** How many times its former price a product costs. From nothing, a price rises without limit. */
function ratio({ previous, current }: PriceMoveRow): number {
  return previous === 0 ? Number.MAX_VALUE : current / previous;
}
