import type { QueryOf } from '../../generator/contract/addresses.ts';
import { storeChangeTypes } from '../../generator/contract/documents/change.ts';
import { familyMembers } from '../../generator/contract/formats/list-reading.ts';
import {
  emptyIndex,
  lastSealedPage,
  membersText,
  type PageIndex,
  pageIndex,
  pageOfEvent,
  pageSize,
  type SegmentSummary,
  segmentSize,
} from '../../generator/contract/formats/page-index.ts';
import { parsePath, pathOf } from '../../generator/contract/paths.ts';
import type { Work } from '../scheduling/work.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { jsonReading, webHash } from '../site/verified-objects.ts';
import { type EventFilter, type EventRows, eventPageReading, eventRowsReading, isWithin } from './event-rows.ts';
import { type EventSummary, segmentReading } from './segment-summaries.ts';

/** Pages and segments that one answer reads at most, about 100 KB each. An answer without a row yet may read more. */
const readBudget = { withRows: 24, withoutRows: 96 };

const indexReading = jsonReading('page index', pageIndex);
const membersReading = jsonReading('members of a family', familyMembers);

/** Units of work to match the events of a page, or the pages of a segment, with a filter. */
const filteringUnits = { events: 20, pages: 100 };

type EventQuery = Pick<QueryOf<'family_changes'>, 'store_id' | 'types' | 'since' | 'until'>;

/** Rows as JSON, newest first. `next`: the event to continue with, null when none is left. */
type FeedSelection = { readonly rows: readonly string[]; readonly next: number | null };

/** Summaries of consecutive pages. `segment`: the number of theirs, null where they are in none. `first`: the first page. */
type PageSummaries = {
  readonly segment: number | null;
  readonly first: number;
  readonly pages: readonly EventSummary[];
  readonly stores: readonly string[];
};

/** Rows of a page that pass. `next`: the event that passes after them, null where no other of the page does. */
type PageSelection = { readonly texts: readonly string[]; readonly next: number | null };

const anyEvent = { types: null, store: undefined, since: undefined, until: undefined };

/**
 * The events of a change list in one publication. They are numbered from the oldest one ever, even if it is not
 * retained. Page n holds the events up to n times 100, and the list itself those after the last page.
 */
export class ChangeFeed {
  /** The base URL before every address of the site; empty if the site was built without one. */
  readonly base: string;
  readonly head: EventRows;
  /** Number of the newest event; 0 when there is none. */
  readonly newest: number;
  readonly #view: PublicationFiles;
  readonly #work: Work;
  readonly #index: PageIndex;
  readonly #sealed: number;
  readonly #path: string;

  private constructor(view: PublicationFiles, path: string, head: EventRows, index: PageIndex, work: Work) {
    this.#view = view;
    this.#path = path;
    this.#work = work;
    this.head = head;
    this.#index = index;
    this.base = (head.around.links.self ?? path).slice(0, -path.length);
    this.#sealed = lastSealedPage(index);
    this.newest = this.#sealed * pageSize + head.count;
  }

  /** The feed of the change list at a path; null when the publication has none. */
  static async open(view: PublicationFiles, path: string, work: Work): Promise<ChangeFeed | null> {
    const head = view.known?.(path, eventPageReading, work) ?? (await view.read(path, eventPageReading, work));
    if (head === null) return null;
    const pages = `${path}/pages.json`;
    const known = view.known?.(pages, indexReading, work);
    if (head.around.links.next !== null) {
      return new ChangeFeed(view, path, head, known ?? (await view.require(pages, indexReading, work)), work);
    }
    // A list without a retained page has an index if pages of it have expired, which numbers its events. That of a family may
    // also be there for readers of its former members: then it has pages.
    const index = known ?? (await view.read(pages, indexReading, work));
    const isOwn = index !== null && index.first_page > lastSealedPage(index);
    return new ChangeFeed(view, path, head, isOwn ? index : emptyIndex, work);
  }

  /** The address template of the feed's pages. It changes when a family's events are divided into pages differently. */
  async cut(): Promise<string> {
    const family_id = parsePath(this.#path)?.parameters.family_id;
    if (family_id === undefined) return `${this.#path}/pages/{number}.json`;
    if (this.head.around.links.next !== null) return this.#pagePath;
    const { data } = await this.#view.require(pathOf('family', { family_id }), membersReading, this.#work);
    const members = new TextEncoder().encode(membersText(data.members.map(({ id }) => id)));
    const digest = (await webHash(members)).slice(0, 16);
    return pathOf('family_changes_page', { family_id, digest, number: '{number}' });
  }

  get #pagePath(): string {
    return this.#index.page_path.slice(this.base.length);
  }

  /** The events of the page that holds event `from`, from that event to older ones: a page without a `limit`. */
  async naturalPage(from: number): Promise<FeedSelection> {
    if (from < this.#oldest) return { rows: [], next: null };
    const page = pageOfEvent(from);
    const first = (page - 1) * pageSize + 1;
    const { texts } = await this.#passing(page, anyEvent, from, pageSize);
    return { rows: texts, next: this.#orNull(first - 1) };
  }

  /**
   * Up to `limit` events that pass the filter, from event `from` to older ones. Reads only pages whose summary says
   * that an event may pass. When its budget is used up, the answer ends there with fewer rows.
   */
  async select(filter: ChangeFilter, from: number, limit: number): Promise<FeedSelection> {
    const rows: string[] = [];
    let reads = 0;
    let segment: SegmentSummary | undefined;
    let summaries = this.#unsegmented;
    let position = from;
    while (position >= this.#oldest) {
      const page = pageOfEvent(position);
      const first = (page - 1) * pageSize + 1;
      if (page <= this.#sealed) {
        if (segment?.number !== segmentOf(page)) {
          segment = this.#index.segments.find(({ number }) => number === segmentOf(page));
          if (segment && !filter.mayPass(segment, this.#index.stores)) {
            position = (segment.number - 1) * segmentSize * pageSize;
            continue;
          }
        }
        const budget = rows.length > 0 ? readBudget.withRows : readBudget.withoutRows;
        if (reads + 2 > budget) return { rows, next: position };
        if (segment && segment.number !== summaries.segment) {
          summaries = await this.#summariesOf(segment);
          reads += 1;
        }
        if (!filter.mayPass(summaries.pages[page - summaries.first] as EventSummary, summaries.stores)) {
          position = first - 1;
          continue;
        }
        reads += 1;
      }
      const { texts, next } = await this.#passing(page, filter.events, position, limit - rows.length);
      rows.push(...texts);
      if (next !== null) return { rows, next };
      position = first - 1;
    }
    return { rows, next: null };
  }

  /** Number of the oldest event that is retained. */
  get #oldest(): number {
    return this.head.count === 0 ? this.newest + 1 : (this.#index.first_page - 1) * pageSize + 1;
  }

  #orNull(event: number): number | null {
    return event >= this.#oldest ? event : null;
  }

  /** Up to `most` events of a page that pass a filter, from event `from` to older ones. */
  async #passing(page: number, filter: EventFilter, from: number, most: number): Promise<PageSelection> {
    const first = (page - 1) * pageSize + 1;
    const path = page > this.#sealed ? this.#path : this.#pagePath.replace('{number}', String(page));
    // The list was charged when it was opened.
    const work = page > this.#sealed ? this.#work.free : this.#work;
    const kept = page > this.#sealed ? this.head : this.#view.known?.(path, eventPageReading, work);
    let rows = kept ?? (await this.#view.require(path, eventPageReading, work));
    const turn = this.#work.spend(filteringUnits.events);
    if (turn) await turn;
    // Events are newest first, so the distance of event `from` from the end is its distance from the page's first event.
    const found = rows.passing(filter, rows.count - (from - first + 1), most + 1);
    const wanted = found.length > most ? found.slice(0, most) : found;
    // Texts that were given up are read again. The page was charged when it was read.
    if (!rows.take(wanted)) rows = await this.#view.require(path, eventRowsReading(wanted), this.#work.free);
    const after = found[most];
    return { texts: rows.texts(wanted), next: after === undefined ? null : first + rows.count - 1 - after };
  }

  /** The summaries of a segment's pages. */
  async #summariesOf(segment: SegmentSummary): Promise<PageSummaries> {
    const path = segment.path.slice(this.base.length);
    const known = this.#view.known?.(path, segmentReading, this.#work);
    const { number, pages, stores } = known ?? (await this.#view.require(path, segmentReading, this.#work));
    const turn = this.#work.spend(filteringUnits.pages);
    if (turn) await turn;
    return { segment: segment.number, first: (number - 1) * segmentSize + 1, pages, stores };
  }

  /** The summaries of the sealed pages that are in no segment. */
  get #unsegmented(): PageSummaries {
    const { pages, stores } = this.#index;
    return { segment: null, first: pages[0]?.number ?? 0, pages, stores };
  }
}

function segmentOf(page: number): number {
  return Math.ceil(page / segmentSize);
}

/** Decides which events of a feed pass a query, contract.md 3. */
export class ChangeFilter {
  readonly events: EventFilter;
  /** By table of store ids: the store's position in it, -1 where it is not there. */
  readonly #positions = new Map<readonly string[], number>();

  constructor({ store_id: store, types, since, until }: EventQuery) {
    // Only some types of events have a store. With a store in the query, summaries need not be compared with other
    // types.
    const ofStore = storeChangeTypes.filter((type) => types?.includes(type) ?? true);
    this.events = { types: (store === undefined ? types : ofStore) ?? null, store, since, until };
  }

  /** Whether every event passes. */
  get isOpen(): boolean {
    const { types, store, since, until } = this.events;
    return types === null && store === undefined && since === undefined && until === undefined;
  }

  /**
   * Whether an event of a page or segment may pass. `table`: the store ids to which the positions in the summary refer.
   */
  mayPass({ retrieved: [oldest, newest], types, stores }: EventSummary, table: readonly string[]): boolean {
    const wanted = this.events.types;
    return (
      (wanted === null || wanted.some((type) => types.includes(type))) &&
      (this.events.store === undefined || stores.includes(this.#positionIn(table))) &&
      isWithin(oldest, newest, this.events)
    );
  }

  #positionIn(table: readonly string[]): number {
    const known = this.#positions.get(table);
    if (known !== undefined) return known;
    const position = table.indexOf(this.events.store ?? '');
    this.#positions.set(table, position);
    return position;
  }
}
