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
import type { Work } from '../scheduling/work.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { jsonReading, parseJson, type Reading } from '../site/verified-objects.ts';
import type { ChangeFilter, EventSummary } from './change-rows.ts';

/** Pages and segments that one answer reads at most, about 100 KB each; more before it gives up without a row. */
const readBudget = { withRows: 24, withoutRows: 96 };

const pageReading = jsonReading('change page', eventPage);
const indexReading = jsonReading('page index', pageIndex);

/** Without the products of the pages, which are most of a segment and which no selection looks at. */
const segmentReading: Reading<SegmentPages> = {
  name: 'page segment',
  of(bytes) {
    const { number, pages, stores } = parseJson(segmentPages, bytes);
    return { number, stores, pages: pages.map(({ retrieved, types, stores }) => ({ retrieved, types, stores })) };
  },
};

/** Units that it takes to hold the events of a page, or the pages of a segment, against a filter. */
const filteringUnits = { events: 20, pages: 100 };

type Event = EventPage['data'][number];

/** Rows newest first; `next`: the event to go on with, null when nothing is left. */
export type FeedSelection = { readonly rows: readonly Event[]; readonly next: number | null };

/**
 * The events of a change list in one publication. They are numbered from the oldest one ever, whether or not it is
 * retained: page n holds the events up to n times 100, the list itself those after the last page.
 */
export class ChangeFeed {
  /** What stands before every address of the site, and is empty unless it was built with a base URL. */
  readonly base: string;
  readonly head: EventPage;
  /** The address of the feed's pages: another one when a family's events are cut otherwise. */
  readonly cut: string;
  /** Number of the newest event; 0 when there is none. */
  readonly newest: number;
  readonly #view: PublicationView;
  readonly #work: Work;
  readonly #index: PageIndex;
  readonly #sealed: number;
  #segment: { readonly path: string; readonly value: SegmentPages } | null = null;

  private constructor(view: PublicationView, path: string, head: EventPage, index: PageIndex, work: Work) {
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
  static async open(view: PublicationView, path: string, work: Work): Promise<ChangeFeed | null> {
    const head = await view.read(path, pageReading, work);
    if (head === null) return null;
    return new ChangeFeed(view, path, head, await view.require(`${path}/pages.json`, indexReading, work), work);
  }

  /** The events of the page that an event stands on, from it down: what a page without a limit holds. */
  async naturalPage(from: number): Promise<FeedSelection> {
    if (from < this.#oldest) return { rows: [], next: null };
    const page = pageOfEvent(from);
    const first = (page - 1) * pageSize + 1;
    const events = await this.#eventsOf(page);
    return { rows: events.slice(events.length - (from - first + 1)), next: this.#orNull(first - 1) };
  }

  /**
   * Up to `limit` events that pass, from an event down. Reads only pages whose summary says that something may pass,
   * and no more than its budget: when that is used up the answer ends where it is, with fewer rows.
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
      // Events stand newest first; the one at `position` is as far from the end as it is from the page's first.
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

  /** What is said of a sealed page, in its segment or in the index itself. */
  async #summaryOf(page: number, segmentPath: string | null) {
    if (segmentPath === null) {
      const { pages, stores } = this.#index;
      return { page: pages[page - (pages[0]?.number ?? page)] as EventSummary, stores };
    }
    const segment = await this.#segmentAt(segmentPath);
    const summary = segment.pages[page - ((segment.number - 1) * segmentSize + 1)] as EventSummary;
    return { page: summary, stores: segment.stores };
  }

  /** Most pages that are asked for follow each other: the segment of the one before is at hand. */
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
