import type { QueryOf } from '../../generator/contract/addresses.ts';
import { storeChangeTypes } from '../../generator/contract/documents/change.ts';
import {
  type EventPage,
  eventPage,
  type SegmentPages,
  segmentPages,
} from '../../generator/contract/formats/list-reading.ts';
import {
  lastSealedPage,
  type PageIndex,
  pageIndex,
  pageOfEvent,
  pageSize,
  segmentSize,
} from '../../generator/contract/formats/page-index.ts';
import { compareInstants } from '../../generator/contract/instant.ts';
import type { Work } from '../scheduling/work.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { jsonReading, parseJson, type Reading } from '../site/verified-objects.ts';

/** Pages and segments that one answer reads at most, about 100 KB each. An answer without a row yet may read more. */
const readBudget = { withRows: 24, withoutRows: 96 };

const pageReading = jsonReading('change page', eventPage);
const indexReading = jsonReading('page index', pageIndex);

/** Reads a segment without its products, which are the largest part of it and which no selection uses. */
const segmentReading: Reading<SegmentPages> = {
  name: 'page segment',
  of(bytes) {
    const { number, pages, stores } = parseJson(segmentPages, bytes);
    return { number, stores, pages: pages.map(({ retrieved, types, stores }) => ({ retrieved, types, stores })) };
  },
};

/** Units of work to match the events of a page, or the pages of a segment, with a filter. */
const filteringUnits = { events: 20, pages: 100 };

type Event = EventPage['data'][number];
/** The summary of the events of a page or segment; `stores` are positions in a table of ids. */
type EventSummary = Pick<SegmentPages['pages'][number], 'retrieved' | 'types' | 'stores'>;
type EventQuery = Pick<QueryOf<'family_changes'>, 'store_id' | 'types' | 'since' | 'until'>;

/** Rows, newest first. `next`: the event to continue with, null when none is left. */
type FeedSelection = { readonly rows: readonly Event[]; readonly next: number | null };

/**
 * The events of a change list in one publication. They are numbered from the oldest one ever, even if it is not
 * retained. Page n holds the events up to n times 100, and the list itself those after the last page.
 */
export class ChangeFeed {
  /** The base URL before every address of the site; empty if the site was built without one. */
  readonly base: string;
  readonly head: EventPage;
  /** The address template of the feed's pages. It changes when a family's events are divided into pages differently. */
  readonly cut: string;
  /** Number of the newest event; 0 when there is none. */
  readonly newest: number;
  readonly #view: PublicationFiles;
  readonly #work: Work;
  readonly #index: PageIndex;
  readonly #sealed: number;
  #segment: { readonly path: string; readonly value: SegmentPages } | null = null;

  private constructor(view: PublicationFiles, path: string, head: EventPage, index: PageIndex, work: Work) {
    this.#view = view;
    this.#work = work;
    this.head = head;
    this.#index = index;
    this.base = (head.links.self ?? path).slice(0, -path.length);
    this.cut = index.page_path.slice(this.base.length);
    this.#sealed = lastSealedPage(index);
    this.newest = this.#sealed * pageSize + head.data.length;
  }

  /** The feed of the change list at a path; null when the publication has none. */
  static async open(view: PublicationFiles, path: string, work: Work): Promise<ChangeFeed | null> {
    const head = await view.read(path, pageReading, work);
    if (head === null) return null;
    return new ChangeFeed(view, path, head, await view.require(`${path}/pages.json`, indexReading, work), work);
  }

  /** The events of the page that holds event `from`, from that event to older ones: a page without a `limit`. */
  async naturalPage(from: number): Promise<FeedSelection> {
    if (from < this.#oldest) return { rows: [], next: null };
    const page = pageOfEvent(from);
    const first = (page - 1) * pageSize + 1;
    const events = await this.#eventsOf(page);
    return { rows: events.slice(events.length - (from - first + 1)), next: this.#orNull(first - 1) };
  }

  /**
   * Up to `limit` events that pass the filter, from event `from` to older ones. Reads only pages whose summary says
   * that an event may pass. When its budget is used up, the answer ends there with fewer rows.
   */
  async select(filter: ChangeFilter, from: number, limit: number): Promise<FeedSelection> {
    const rows: Event[] = [];
    let reads = 0;
    let segmentRead: string | null = null;
    let position = from;
    while (position >= this.#oldest) {
      const page = pageOfEvent(position);
      const first = (page - 1) * pageSize + 1;
      if (page <= this.#sealed) {
        const segment = this.#index.segments.find(({ number }) => number === segmentOf(page));
        if (segment && !filter.mayPass(segment, this.#index.stores)) {
          position = (segment.number - 1) * segmentSize * pageSize;
          continue;
        }
        const budget = rows.length > 0 ? readBudget.withRows : readBudget.withoutRows;
        if (reads + 2 > budget) return { rows, next: position };
        const summary = await this.#summaryOf(page, segment?.path ?? null);
        if (segment && segment.path !== segmentRead) reads += 1;
        segmentRead = segment?.path ?? null;
        if (!filter.mayPass(summary.page, summary.stores)) {
          position = first - 1;
          continue;
        }
        reads += 1;
      }
      const events = await this.#eventsOf(page);
      await this.#work.spend(filteringUnits.events);
      // Events are newest first, so the distance of event `position` from the end is its distance from the page's first
      // event.
      for (let i = events.length - (position - first + 1); i < events.length; i += 1) {
        const event = events[i] as Event;
        if (!filter.passes(event)) continue;
        if (rows.length === limit) return { rows, next: first + events.length - 1 - i };
        rows.push(event);
      }
      position = first - 1;
    }
    return { rows, next: null };
  }

  /** Number of the oldest event that is retained. */
  get #oldest(): number {
    return this.head.data.length === 0 ? this.newest + 1 : (this.#index.first_page - 1) * pageSize + 1;
  }

  #orNull(event: number): number | null {
    return event >= this.#oldest ? event : null;
  }

  async #eventsOf(page: number): Promise<readonly Event[]> {
    if (page > this.#sealed) return this.head.data;
    const path = this.cut.replace('{number}', String(page));
    return (await this.#view.require(path, pageReading, this.#work)).data;
  }

  /** The summary of a sealed page, from its segment or from the index itself. */
  async #summaryOf(page: number, segmentPath: string | null) {
    if (segmentPath === null) {
      const { pages, stores } = this.#index;
      return { page: pages[page - (pages[0]?.number ?? page)] as EventSummary, stores };
    }
    const segment = await this.#segmentAt(segmentPath);
    const summary = segment.pages[page - ((segment.number - 1) * segmentSize + 1)] as EventSummary;
    return { page: summary, stores: segment.stores };
  }

  /** Reads a segment, or returns the one read last, because consecutive pages are mostly in the same segment. */
  async #segmentAt(path: string): Promise<SegmentPages> {
    if (this.#segment?.path === path) return this.#segment.value;
    const value = await this.#view.require(path.slice(this.base.length), segmentReading, this.#work);
    await this.#work.spend(filteringUnits.pages);
    this.#segment = { path, value };
    return value;
  }
}

function segmentOf(page: number): number {
  return Math.ceil(page / segmentSize);
}

/** Decides which events of a feed pass a query, contract.md 3. */
export class ChangeFilter {
  readonly #query: EventQuery;
  /** Null: all of them. */
  readonly #types: readonly string[] | null;

  constructor(query: EventQuery) {
    const { store_id, types } = query;
    this.#query = query;
    // Only some types of events have a store. With a store in the query, summaries need not be compared with other
    // types.
    this.#types =
      (store_id === undefined ? types : storeChangeTypes.filter((type) => types?.includes(type) ?? true)) ?? null;
  }

  /** Whether every event passes. */
  get isOpen(): boolean {
    const { store_id, since, until } = this.#query;
    return this.#types === null && store_id === undefined && since === undefined && until === undefined;
  }

  passes({ type, store, times }: Event): boolean {
    const { store_id } = this.#query;
    return (
      (this.#types === null || this.#types.includes(type)) &&
      (store_id === undefined || store?.id === store_id) &&
      this.#isWithin(times.retrieved_at, times.retrieved_at)
    );
  }

  /**
   * Whether an event of a page or segment may pass. `table`: the store ids to which the positions in the summary refer.
   */
  mayPass({ retrieved: [oldest, newest], types, stores }: EventSummary, table: readonly string[]): boolean {
    const { store_id } = this.#query;
    return (
      (this.#types === null || this.#types.some((type) => types.includes(type))) &&
      (store_id === undefined || stores.some((position) => table[position] === store_id)) &&
      this.#isWithin(oldest, newest)
    );
  }

  #isWithin(oldest: string, newest: string): boolean {
    const { since, until } = this.#query;
    if (since !== undefined && compareInstants(newest, since) < 0) return false;
    return until === undefined || compareInstants(oldest, until) <= 0;
  }
}
