import type { ChangeEvent, ChangeType } from '../contract/documents/change.ts';
import type { Warning } from '../contract/documents/envelope.ts';
import type { Activity, Metadata } from '../contract/documents/metadata.ts';
import { type PathKind, pathOf } from '../contract/paths.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { ListResult } from './lists.ts';

/** Counts the events of all changes by type and publication, while their pages are read. */
export class EventCounts {
  readonly #counts = new Map<string, number>();
  readonly #priceMoves = new Map<string, { rises: number; falls: number }>();

  note(document: unknown, kind: PathKind): void {
    if (kind !== 'changes' && kind !== 'changes_page') return;
    for (const event of (document as { data: readonly ChangeEvent[] }).data) {
      const { published_at } = event.times;
      const key = `${published_at} ${event.type}`;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
      if (event.type === 'price_changed') this.#notePrice(published_at, event.change.difference_minor ?? 0);
    }
  }

  of(publishedAt: string, type: ChangeType): number {
    return this.#counts.get(`${publishedAt} ${type}`) ?? 0;
  }

  priceMoves(publishedAt: string): { readonly rises: number; readonly falls: number } {
    return this.#priceMoves.get(publishedAt) ?? { rises: 0, falls: 0 };
  }

  #notePrice(publishedAt: string, difference: number): void {
    const moves = this.#priceMoves.get(publishedAt) ?? { rises: 0, falls: 0 };
    if (difference > 0) moves.rises += 1;
    if (difference < 0) moves.falls += 1;
    this.#priceMoves.set(publishedAt, moves);
  }
}

/**
 * Checks that the activity is of this publication and counts the events that the lists have. Needs walked lists. `changes`: the walk of
 * all of them; if it did not reach the end, its events are not counted.
 */
export function checkActivity(site: SiteUnderCheck, changes: ListResult | undefined, counts: EventCounts): void {
  const path = pathOf('activity');
  const activity = documentAt<Activity>(site, path);
  const metadata = documentAt<{ data: Metadata; meta: { warnings: Warning[] } }>(site, pathOf('metadata'));
  if (!activity || !metadata) return;
  const expect = (what: string, expected: unknown, got: unknown) => {
    site.faults.expectEqual('activity_mismatch', path, expected, got, (text) => `${what} ${text}`);
  };
  const { publication, published_at, events } = activity.publications;
  const { revision, sequence, published_at: newest } = metadata.data.publication;
  expect('publication_revision', revision, activity.publication_revision);
  expect('warnings', metadata.meta.warnings, activity.warnings);
  expect(
    'publications without gaps up to the newest,',
    publication.map((_, index) => sequence - publication.length + 1 + index),
    publication,
  );
  expect('the newest published at', newest, published_at.at(-1));
  expect('as many times as publications,', publication.length, published_at.length);
  if (!changes?.isWhole) return;
  for (const [type, column] of Object.entries(events)) {
    const listed = published_at.map((at) => counts.of(at, type as ChangeType));
    expect(`${type}, as ${pathOf('changes')} has them,`, listed, column);
  }
  if (!activity.prices) return;
  const { rises, falls } = counts.priceMoves(activity.prices.published_at);
  expect('rises and falls of prices', [rises, falls], [activity.prices.rise_count, activity.prices.fall_count]);
}
