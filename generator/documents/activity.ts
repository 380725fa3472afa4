import { formatPath } from '../../contract/paths.ts';
import { changeType } from '../../contract/schemas/change.ts';
import {
  type Activity,
  mostActiveProducts,
  mostActivePublications,
  type PriceMove,
} from '../../contract/schemas/metadata.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import type { ActivityReader, PriceMoveRow, TypeCountRow } from '../database/events.ts';
import type { Publication } from '../database/publications.ts';
import { eventProduct } from './change-list.ts';
import { changing, type Document, warningList } from './document.ts';
import { lastExpired } from './retention.ts';
import type { State } from './state.ts';

/** `/metadata/activity.json`. Products have the names in their events. */
export function activityDocument(state: State, reader: ActivityReader): Document {
  const { sequence, last_event, revision, warnings } = state.publication;
  const first = Math.max(lastExpired(state), sequence - mostActivePublications);
  const publications = state.publications.slice(first);
  const firstEvent = (sequence: number) => (state.publications[sequence - 2]?.last_event ?? 0) + 1;
  const events = eventCounts(publications, reader.types(firstEvent(first + 1), last_event));
  const priced = publications.filter((_, index) => (events.price_changed[index] ?? 0) > 0);
  const value: Activity = {
    publication_revision: revision,
    warnings: warningList(warnings),
    currency: state.profile.currency,
    publications: {
      publication: publications.map(({ sequence }) => sequence),
      published_at: publications.map(({ published_at }) => published_at),
      events,
    },
    most_changed: reader
      .products(firstEvent(sequence), last_event, mostActiveProducts)
      .map((row) => ({ product: eventProduct(row), event_count: row.event_count })),
    prices: newestPrices(priced.toReversed(), ({ sequence, last_event }) =>
      reader.prices(firstEvent(sequence), last_event),
    ),
  };
  return changing(formatPath('activity'), value);
}

function eventCounts(
  publications: readonly Publication[],
  rows: readonly TypeCountRow[],
): Record<ChangeType, number[]> {
  const counted = new Map(rows.map(({ publication, type, event_count }) => [`${publication} ${type}`, event_count]));
  const counts = changeType.options.map((type) => [
    type,
    publications.map(({ sequence }) => counted.get(`${sequence} ${type}`) ?? 0),
  ]);
  return Object.fromEntries(counts);
}

/** Price moves of the newest publication that has any. The largest ratios come first, for rises and falls alike. */
function newestPrices(
  newestFirst: readonly Publication[],
  readMoves: (publication: Publication) => PriceMoveRow[],
): Activity['prices'] {
  for (const publication of newestFirst) {
    const moves = readMoves(publication).toSorted((a, b) => ratio(b) - ratio(a));
    if (moves.length === 0) continue;
    const rises = moves.filter(({ previous_minor, current_minor }) => current_minor > previous_minor);
    const falls = moves.slice(rises.length).toReversed();
    return {
      publication: publication.sequence,
      published_at: publication.published_at,
      rise_count: rises.length,
      fall_count: falls.length,
      largest_rises: largest(rises),
      largest_falls: largest(falls),
    };
  }
  return null;
}

/** The ratio to a price of zero is infinite. */
function ratio({ previous_minor, current_minor }: PriceMoveRow): number {
  return previous_minor === 0 ? Number.MAX_VALUE : current_minor / previous_minor;
}

function largest(moves: readonly PriceMoveRow[]): PriceMove[] {
  return moves.slice(0, mostActiveProducts).map((move) => ({
    product: eventProduct(move),
    previous_minor: move.previous_minor,
    current_minor: move.current_minor,
  }));
}
