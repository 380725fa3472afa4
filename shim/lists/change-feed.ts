import { familyMembers } from '../../generator/contract/formats/list-reading.ts';
import {
  emptyIndex,
  lastSealedPage,
  membersText,
  type PageIndex,
  pageIndex,
  pageOfEvent,
  pageSize,
  segmentSize,
} from '../../generator/contract/formats/page-index.ts';
import { parsePath, pathOf } from '../../generator/contract/paths.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { jsonReading, webHash } from '../site/verified-objects.ts';
import { ChangeFilter, type ChangePage, changePageReading, type SegmentPages, segmentReading } from './change-pages.ts';

/** Pages and segments that one answer reads at most, about 100 KB each. An answer without a row yet may read more. */
const readBudget = { withRows: 24, withoutRows: 96 };

const indexReading = jsonReading('page index', pageIndex);
const membersReading = jsonReading('members of a family', familyMembers);

/** Rows as JSON, newest first. `next`: the event to continue with, null when none is left. */
type FeedSelection = { readonly rows: readonly string[]; readonly next: number | null };

const everyEvent = new ChangeFilter({});

/**
 * The events of a change list in one publication. They are numbered from the oldest one ever, even if it is not
 * retained. Page n holds the events up to n times 100, and the list itself those after the last page.
 */
export class ChangeFeed {
  /** The base URL before every address of the site; empty if the site was built without one. */
  readonly base: string;
  readonly head: ChangePage;
  /** Number of the newest event; 0 when there is none. */
  readonly newest: number;
  readonly #files: PublicationFiles;
  readonly #index: PageIndex;
  readonly #sealed: number;
  readonly #path: string;

  private constructor(files: PublicationFiles, path: string, head: ChangePage, index: PageIndex) {
    this.#files = files;
    this.#path = path;
    this.head = head;
    this.#index = index;
    this.base = (head.links.self ?? path).slice(0, -path.length);
    this.#sealed = lastSealedPage(index);
    this.newest = this.#sealed * pageSize + head.rows.length;
  }

  /** The feed of the change list at a path; null when the publication has none. */
  static async open(files: PublicationFiles, path: string): Promise<ChangeFeed | null> {
    const head = await files.read(path, changePageReading);
    if (head === null) return null;
    const pages = `${path}/pages.json`;
    if (head.links.next !== null) return new ChangeFeed(files, path, head, await files.require(pages, indexReading));
    // A list without a retained page has an index if pages of it have expired, which numbers its events. That of a family may
    // also be there for readers of its former members: then it has pages.
    const index = await files.read(pages, indexReading);
    const isOwn = index !== null && index.first_page > lastSealedPage(index);
    return new ChangeFeed(files, path, head, isOwn ? index : emptyIndex);
  }

  /** The address template of the feed's pages. It changes when a family's events are divided into pages differently. */
  async cut(): Promise<string> {
    const family_id = parsePath(this.#path)?.parameters.family_id;
    if (family_id === undefined) return `${this.#path}/pages/{number}.json`;
    if (this.head.links.next !== null) return this.#pagePath;
    const { data } = await this.#files.require(pathOf('family', { family_id }), membersReading);
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
    const { rows } = await this.#passing(page, everyEvent, from, pageSize);
    const before = firstEvent(page) - 1;
    return { rows, next: before >= this.#oldest ? before : null };
  }

  /**
   * Up to `limit` events that pass the filter, from event `from` to older ones. Reads only pages whose summary says
   * that an event may pass. When its budget is used up, the answer ends there with fewer rows.
   */
  async select(filter: ChangeFilter, from: number, limit: number): Promise<FeedSelection> {
    const rows: string[] = [];
    let reads = 0;
    let segment: SegmentPages | undefined;
    let position = from;
    while (position >= this.#oldest) {
      const page = pageOfEvent(position);
      if (page <= this.#sealed) {
        const number = Math.ceil(page / segmentSize);
        const summary = this.#index.segments.find((one) => one.number === number);
        if (summary && segment?.number !== number && !filter.mayPass(summary, this.#index.stores)) {
          position = (number - 1) * segmentSize * pageSize;
          continue;
        }
        if (reads + 2 > (rows.length > 0 ? readBudget.withRows : readBudget.withoutRows))
          return { rows, next: position };
        if (summary && segment?.number !== number) {
          segment = await this.#files.require(summary.path.slice(this.base.length), segmentReading);
          reads += 1;
        }
        // The sealed pages that are in no segment are in the index.
        const { pages, stores } = summary && segment ? segment : this.#index;
        const ofPage = pages[summary ? (page - 1) % segmentSize : page - (this.#index.pages[0]?.number ?? 0)];
        if (ofPage && !filter.mayPass(ofPage, stores)) {
          position = firstEvent(page) - 1;
          continue;
        }
        reads += 1;
      }
      const passing = await this.#passing(page, filter, position, limit - rows.length);
      rows.push(...passing.rows);
      if (passing.next !== null) return { rows, next: passing.next };
      position = firstEvent(page) - 1;
    }
    return { rows, next: null };
  }

  /** Number of the oldest event that is retained. */
  get #oldest(): number {
    return this.head.rows.length === 0 ? this.newest + 1 : firstEvent(this.#index.first_page);
  }

  /** Up to `most` events of a page that pass a filter, from event `from` to older ones. `next`: the one after them. */
  async #passing(page: number, filter: ChangeFilter, from: number, most: number): Promise<FeedSelection> {
    const path = this.#pagePath.replace('{number}', String(page));
    const { rows } = page > this.#sealed ? this.head : await this.#files.require(path, changePageReading);
    const newest = firstEvent(page) + rows.length - 1;
    const passing = rows
      .map((row, place) => ({ row, event: newest - place }))
      .filter(({ row, event }) => event <= from && filter.passes(row));
    return { rows: passing.slice(0, most).map(({ row }) => row.text), next: passing[most]?.event ?? null };
  }
}

function firstEvent(page: number): number {
  return (page - 1) * pageSize + 1;
}
