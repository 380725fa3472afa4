import type { ChangeType } from '../contract/documents/change.ts';
import type { FeedEvent } from '../contract/formats/list-reading.ts';
import { pageOfEvent, pageSize } from '../contract/formats/page-index.ts';
import { Failure } from '../failure.ts';
import type { EventSink } from './event-sinks.ts';
import type { FeedAtOnce, FeedReader } from './feed-reader.ts';
import { beginning, eventLine, type Position } from './position.ts';

/** The parts and settings of following a feed. */
export type Following = {
  readonly reader: FeedReader;
  readonly sink: EventSink;
  /** Null: all types. */
  readonly types: ReadonlySet<ChangeType> | null;
  /** Called after the events up to a position are written. */
  readonly save: (position: Position) => void;
  /** Called with messages for a person. */
  readonly notice: (text: string) => void;
  readonly progress: (event: number, newest: number) => void;
  readonly isStopped: () => boolean;
};

/**
 * Writes the events after a position, oldest first and page by page, each with its number. Saves the position after
 * each page. The numbers of events never change, so each event is written once however often this is called. `earlier`:
 * another position that was reached in the same log. Throws a Failure when the site has a different event at one of the
 * two positions.
 */
export async function writeNewEvents(
  following: Following,
  position: Position,
  earlier: Position = beginning,
): Promise<void> {
  const { reader, notice, isStopped } = following;
  const feed = await reader.read();
  if (feed.newest < position.event) {
    notice(
      `the newest event is ${feed.newest}, before the position ${position.event}: waiting for the site to catch up`,
    );
  }
  if (feed.newest <= position.event) return;
  await requireSameHistory(reader, feed, position);
  await requireSameHistory(reader, feed, earlier);
  let reached = position;
  const first = Math.max(position.event + 1, feed.firstRetained);
  noticeGap(notice, position, first);
  for (let page = pageOfEvent(first); page <= pageOfEvent(feed.newest) && !isStopped(); page += 1) {
    const events = await eventsOf(reader, feed, page);
    if (events === null) noticeGap(notice, position, page * pageSize + 1);
    else reached = await writePage(following, events, page, reached, feed.newest);
  }
}

async function writePage(
  { sink, types, save, progress }: Following,
  events: readonly FeedEvent[],
  page: number,
  reached: Position,
  newest: number,
): Promise<Position> {
  const numbered = events.map((event, i) => ({ number: (page - 1) * pageSize + 1 + i, event }));
  const fresh = numbered.filter(({ number }) => number > reached.event);
  const wanted = fresh.filter(({ event: { type } }) => types === null || types.has(type as ChangeType));
  if (wanted.length > 0) await sink.write(wanted.map(({ number, event }) => eventLine(number, event)).join(''));
  const last = fresh.at(-1);
  if (!last) return reached;
  const next = { event: last.number, id: last.event.id };
  save(next);
  progress(next.event, newest);
  return next;
}

/** The events of a page, oldest first; null when they are past retention. */
function eventsOf(reader: FeedReader, feed: FeedAtOnce, page: number): Promise<readonly FeedEvent[] | null> {
  return page > feed.sealedPages ? Promise.resolve(feed.head) : reader.sealedPage(page);
}

/**
 * Throws a Failure when the event at a position has a different id than before, because this is then the log of another
 * site.
 */
async function requireSameHistory(reader: FeedReader, feed: FeedAtOnce, { event, id }: Position): Promise<void> {
  if (event < feed.firstRetained) return;
  const events = await eventsOf(reader, feed, pageOfEvent(event));
  const found = events?.[(event - 1) % pageSize];
  if (!found || found.id === id) return;
  throw new Failure(`expected event ${event} to be ${id}, as it was read, got ${found.id}: this is another history`);
}

/**
 * Reports events that passed retention before they were read. A first run has read nothing before, so it reports no
 * gap.
 */
function noticeGap(notice: Following['notice'], { event }: Position, first: number): void {
  if (event > 0 && first > event + 1)
    notice(`events ${event + 1} to ${first - 1} were past retention before they were read`);
}
