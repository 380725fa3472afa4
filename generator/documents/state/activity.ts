import { type ChangeType, changeType } from '../../../contract/documents/change.ts';
import type { ActivityReader, PriceMoveRow } from '../../database/events.ts';
import type { Publication } from '../../database/publications.ts';
import { lastExpired } from './retention.ts';
import type { State } from './state.ts';

export type Activity = ReturnType<typeof activityOf>;

/**
 * Reads what the newest publications brought: at most `most` of those whose events are retained, with `products` products that
 * changed most. The counts stand in the order of the publications, oldest first.
 */
export function activityOf(reader: ActivityReader, state: State, most: number, products: number) {
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

/** Price moves of the newest of the publications that has any. Rises and falls have the largest ratio first. */
function newestPrices(newestFirst: readonly Publication[], movesOf: (publication: Publication) => PriceMoveRow[]) {
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
