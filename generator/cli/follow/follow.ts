import { pageSize, pageWithEvent } from '../../../contract/pages.ts';
import { formatPath } from '../../../contract/paths.ts';
import type { FeedEvent, FollowedCorrection } from '../../../contract/schemas/pages.ts';
import type { ChangeType } from '../../../contract/vocabulary.ts';
import { Failure } from '../../files/failure.ts';
import type { EventSink } from './event-sinks.ts';
import type { FeedAtOnce, FeedReader } from './feed-reader.ts';
import { beginning, correctionLine, eventLine, type Position } from './position.ts';

export type Following = {
  readonly reader: FeedReader;
  readonly sink: EventSink;
  /** The types of events to write; null for all. */
  readonly types: ReadonlySet<ChangeType> | null;
  readonly save: (position: Position) => void;
  readonly notice: (text: string) => void;
  /** Prints a notice, but each text only once per run. */
  readonly noticeOnce: (text: string) => void;
  readonly progress: (event: number, newest: number) => void;
  readonly isStopped: () => boolean;
};

/**
 * Writes the events and corrections after a position, oldest first and page by page, each with its number. A correction
 * comes before the first event of the publication that corrects. Saves the position after each page. The numbers never
 * change, so repeated calls write each event and correction once. `earlier`: another position that was reached in the
 * same log. Throws a Failure if the site differs at one of the two positions.
 */
export async function writeNewEvents(
  following: Following,
  position: Position,
  earlier: Position = beginning,
): Promise<void> {
  const { reader, notice, noticeOnce, isStopped } = following;
  const feed = await reader.read();
  if (feed.lacksMetadata) noticeOnce(`${formatPath('metadata')} is missing: corrections are unknown`);
  if (feed.newest < position.event) {
    notice(
      `the newest event is ${feed.newest}, before position ${position.event}: waiting for the site to catch up; if it never does, pass --restart to start over`,
    );
    return;
  }
  await requireSameHistory(reader, feed, position);
  await requireSameHistory(reader, feed, earlier);
  let reached = position;
  const due = correctionsAfter(position, feed);
  const first = Math.max(position.event + 1, feed.firstRetained);
  if (feed.newest > position.event) noticeGap(notice, position, first);
  const lastPage = first > feed.newest ? 0 : pageWithEvent(feed.newest);
  for (let page = pageWithEvent(first); page <= lastPage && !isStopped(); page += 1) {
    const events = await readPage(reader, feed, page);
    if (events === null) noticeGap(notice, position, page * pageSize + 1);
    else reached = await writePage(following, events, page, reached, due, feed.newest);
  }
  if (reached.event >= feed.newest || first > feed.newest) await writeLastCorrections(following, reached, due);
}

function correctionsAfter({ event, correction }: Position, { corrections, newest }: FeedAtOnce): FollowedCorrection[] {
  return corrections.filter(
    ({ number, after_event }) =>
      after_event <= newest && (correction ? number > correction.number : after_event >= event),
  );
}

/** Writes the new events of a page and the corrections before them. Removes these from `due`. */
async function writePage(
  { sink, types, save, progress }: Following,
  events: readonly FeedEvent[],
  page: number,
  reached: Position,
  due: FollowedCorrection[],
  newest: number,
): Promise<Position> {
  const lines: string[] = [];
  let next = reached;
  for (const [i, event] of events.entries()) {
    const number = (page - 1) * pageSize + 1 + i;
    if (number <= reached.event) continue;
    const before = due.splice(0, due.filter(({ after_event }) => after_event < number).length);
    lines.push(...before.map(correctionLine));
    if (types === null || types.has(event.type as ChangeType)) lines.push(eventLine(number, event));
    next = { event: number, id: event.id, correction: lastCorrection(before) ?? next.correction };
  }
  if (next === reached) return reached;
  if (lines.length > 0) await sink.write(lines.join(''));
  save(next);
  progress(next.event, newest);
  return next;
}

/** Writes the remaining corrections, which are in publications without events. */
async function writeLastCorrections(
  { sink, save }: Following,
  reached: Position,
  due: readonly FollowedCorrection[],
): Promise<void> {
  if (due.length === 0) return;
  await sink.write(due.map(correctionLine).join(''));
  save({ ...reached, correction: lastCorrection(due) });
}

function lastCorrection(corrections: readonly FollowedCorrection[]): Position['correction'] {
  const last = corrections.at(-1);
  return last ? { number: last.number, revision: last.corrected_by_revision } : null;
}

/** The events of a page, oldest first; null if the page is past retention. */
function readPage(reader: FeedReader, feed: FeedAtOnce, page: number): Promise<readonly FeedEvent[] | null> {
  return page > feed.sealedPages ? Promise.resolve(feed.head) : reader.sealedPage(page);
}

/** Throws a Failure if the event at a position has another id or correction: this is the log of another site. */
async function requireSameHistory(
  reader: FeedReader,
  feed: FeedAtOnce,
  { event, id, correction }: Position,
): Promise<void> {
  const stated = correction && feed.corrections[correction.number - 1];
  if (correction && stated && stated.corrected_by_revision !== correction.revision) {
    refuse(`correction ${correction.number} to be by ${correction.revision}`, stated.corrected_by_revision);
  }
  if (id === null || event < feed.firstRetained) return;
  const events = await readPage(reader, feed, pageWithEvent(event));
  const found = events?.[(event - 1) % pageSize];
  if (found && found.id !== id) refuse(`event ${event} to be ${id}`, found.id);
}

function refuse(expected: string, got: string): never {
  throw new Failure(
    'follow_position',
    `expected ${expected}, as it was read before, got ${got}: this is another history; to start over with it, pass --restart and a new --output`,
  );
}

/** Reports events that expired before they were read. A first run has no gap. */
function noticeGap(notice: Following['notice'], { event }: Position, first: number): void {
  if (event > 0 && first > event + 1) notice(`events ${event + 1} to ${first - 1} expired before they were read`);
}
