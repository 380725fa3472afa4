import {
  type Activity as ActivityData,
  mostActiveProducts,
  type PriceMove,
} from '../../contract/documents/metadata.ts';
import { pathOf } from '../../contract/paths.ts';
import type { PriceMoveRow } from '../database/events.ts';
import { eventProductOf } from './change-list.ts';
import { changing, type Document, warningList } from './document.ts';
import type { Activity } from './state/activity.ts';
import type { State } from './state/state.ts';

/** `/metadata/activity.json`. Products are named as their events name them. */
export function activityDocument(state: State, { publications, counts, mostChanged, prices }: Activity): Document {
  const largest = (moves: readonly PriceMoveRow[]): PriceMove[] =>
    moves.slice(0, mostActiveProducts).map((move) => ({
      product: eventProductOf(move),
      previous_minor: move.previous,
      current_minor: move.current,
    }));
  const value: ActivityData = {
    publication_revision: state.publication.revision,
    warnings: warningList(state.publication.warnings),
    currency: state.profile.currency,
    publications: {
      publication: publications.map(({ sequence }) => sequence),
      published_at: publications.map(({ published_at }) => published_at),
      events: counts as ActivityData['publications']['events'],
    },
    most_changed: mostChanged.map((row) => ({ product: eventProductOf(row), event_count: row.events })),
    prices: prices && {
      publication: prices.publication.sequence,
      published_at: prices.publication.published_at,
      rise_count: prices.rises.length,
      fall_count: prices.falls.length,
      largest_rises: largest(prices.rises),
      largest_falls: largest(prices.falls),
    },
  };
  return changing(pathOf('activity'), value);
}
