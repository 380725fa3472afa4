import {
  emptyIndex,
  lastSealedPage,
  membersText,
  oldestEventIn,
  pageSize,
  pageTable,
  pageWithEvent,
  segmentSize,
} from '../../contract/pages.ts';
import type { QueryOf } from '../../contract/parameters.ts';
import { formatPath, parsePath } from '../../contract/paths.ts';
import type { FeedPosition, PageIndex } from '../../contract/schemas/pages.ts';
import { webHash } from '../../contract/site/source.ts';
import { ProblemError } from '../problems.ts';
import { missingRouteCode } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { documentReading, type Reading } from '../site/reading.ts';
import { ChangeFilter, type ChangePage, changePageReading, type SegmentPages, segmentReading } from './change-pages.ts';

/**
 * The most pages and segments that one answer reads, about 100 KB each. An answer that has no row yet may read more.
 */
const readBudget = { withRows: 24, withoutRows: 96 };

const indexReading = documentReading('page index', 'page_index');
const membersReading = documentReading('members of a family', 'family_members');

/** Rows as JSON, newest first. `next`: the event to continue with; null if none is left. */
type FeedSelection = { readonly rows: readonly string[]; readonly next: number | null };

const everyEvent = new ChangeFilter({});

/** The events of a change list in one publication, by number. */
export class ChangeFeed {
  /** The base URL in front of every address of the site; empty if the site was built without one. */
  readonly base: string;
  readonly head: ChangePage;
  readonly #files: PublicationFiles;
  readonly #index: PageIndex;
  readonly #table: ReturnType<typeof pageTable>;
  readonly #path: string;

  private constructor(files: PublicationFiles, path: string, head: ChangePage, index: PageIndex) {
    this.#files = files;
    this.#path = path;
    this.head = head;
    this.#index = index;
    this.base = (head.links.self ?? path).slice(0, -path.length);
    this.#table = pageTable(index, head.rows.length);
  }

  /** The feed of the change list at a path; null if the publication has none. */
  static async open(files: PublicationFiles, path: string): Promise<ChangeFeed | null> {
    const head = await files.read(path, changePageReading);
    if (head === null) return null;
    const pages = `${path}/pages.json`;
    if (head.links.next !== null) return new ChangeFeed(files, path, head, await files.require(pages, indexReading));
    // A list without a retained page has an index if some of its pages have expired; the index then numbers its events.
    // A family's index may also be kept for readers of its former members; then it has pages.
    const index = await files.read(pages, indexReading);
    const isOwn = index !== null && index.first_page > lastSealedPage(index);
    return new ChangeFeed(files, path, head, isOwn ? index : emptyIndex);
  }

  /** The address template of the feed's pages. It changes if a family's events are divided into pages differently. */
  async cut(): Promise<string> {
    const family_id = parsePath(this.#path)?.parameters.family_id;
    if (family_id === undefined) return `${this.#path}/pages/{number}.json`;
    if (this.head.links.next !== null) return this.#pagePath;
    const { data } = await this.#files.require(formatPath('family', { family_id }), membersReading);
    const members = new TextEncoder().encode(membersText(data.members.map(({ id }) => id)));
    const digest = (await webHash(members)).slice(0, 16);
    return formatPath('family_changes_page', { family_id, digest, number: '{number}' });
  }

  get #pagePath(): string {
    return this.#index.page_path.slice(this.base.length);
  }

  /**
   * The events that a request without a `limit` gets: those of the page that has event `from`, from that event to older
   * ones.
   */
  async naturalPage(from: number): Promise<FeedSelection> {
    if (from < this.#oldest) return { rows: [], next: null };
    const page = pageWithEvent(from);
    const { rows } = await this.#passing(page, everyEvent, from, pageSize);
    const before = oldestEventIn(page) - 1;
    return { rows, next: before >= this.#oldest ? before : null };
  }

  /**
   * Up to `limit` events that pass the filter, from event `from` to older ones. Reads only pages whose summary does not
   * rule out events. When its budget is used up, the answer ends with fewer rows.
   */
  async select(filter: ChangeFilter, from: number, limit: number): Promise<FeedSelection> {
    const rows: string[] = [];
    let reads = 0;
    let segment: SegmentPages | undefined;
    let position = from;
    while (position >= this.#oldest) {
      const page = pageWithEvent(position);
      if (page <= this.#table.sealed) {
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
        // Sealed pages that are in no segment are in the index.
        const { pages, stores } = summary && segment ? segment : this.#index;
        const ofPage = pages[summary ? (page - 1) % segmentSize : page - (this.#index.pages[0]?.number ?? 0)];
        if (ofPage && !filter.mayPass(ofPage, stores)) {
          position = oldestEventIn(page) - 1;
          continue;
        }
        reads += 1;
      }
      const passing = await this.#passing(page, filter, position, limit - rows.length);
      rows.push(...passing.rows);
      if (passing.next !== null) return { rows, next: passing.next };
      position = oldestEventIn(page) - 1;
    }
    return { rows, next: null };
  }

  /** The number of the newest event; 0 if there is none. */
  get newest(): number {
    return this.#table.newest;
  }

  /** The number of the oldest retained event. A list without a row has none. */
  get #oldest(): number {
    return this.head.rows.length === 0 ? this.newest + 1 : this.#table.oldest;
  }

  /**
   * Up to `most` events of a page that pass the filter, from event `from` to older ones. `next`: the one after them.
   */
  async #passing(page: number, filter: ChangeFilter, from: number, most: number): Promise<FeedSelection> {
    const path = this.#pagePath.replace('{number}', String(page));
    const { rows } = page > this.#table.sealed ? this.head : await this.#files.require(path, changePageReading);
    const newest = oldestEventIn(page) + rows.length - 1;
    const passing = rows
      .map((row, place) => ({ row, event: newest - place }))
      .filter(({ row, event }) => event <= from && filter.passes(row));
    return { rows: passing.slice(0, most).map(({ row }) => row.text), next: passing[most]?.event ?? null };
  }
}

export type ChangesKind = 'changes' | 'family_changes' | 'product_changes';
export type ChangeQuery = QueryOf<'changes'>;

const productReading: Reading<string> = {
  name: 'product id',
  of: (bytes, read) => read('identified', bytes).data.id,
};

/**
 * Selects events of the feed for a question, from a position on or from the newest event. A position may come from an
 * older publication, because a feed only grows at its front. Throws a `..._NOT_FOUND`, or `CURSOR_EXPIRED` if a
 * family's events are no longer divided into pages as they were for the first page.
 */
export async function selectChanges(
  files: PublicationFiles,
  { path, query }: { readonly path: string; readonly query: ChangeQuery },
  position: FeedPosition | null,
) {
  const { feedPath, lookup } = await findFeed(files, path, query);
  const feed = feedPath === null ? null : await ChangeFeed.open(files, feedPath);
  if (feed === null && feedPath !== null && position) throw new ProblemError('CURSOR_EXPIRED');
  const store = storeLookup(query);
  const missing = [...(feed ? [] : [lookup]), ...(store && !(await files.has(store.path)) ? [store] : [])];
  if (feed === null || missing.length > 0) throw await notFound(files, missing);
  if (position && (position.event > feed.newest || position.cut !== (await feed.cut())))
    throw new ProblemError('CURSOR_EXPIRED');

  const { history, warnings } = position ?? feed.head.meta;
  const { family } = feed.head.meta;
  const from = position?.event ?? feed.newest;
  const filter = new ChangeFilter(query);
  const isNatural = query.limit === undefined && filter.isOpen;
  const { rows, next } = isNatural
    ? await feed.naturalPage(from)
    : await feed.select(filter, from, query.limit ?? pageSize);
  return {
    base: feed.base,
    rows,
    meta: { history, warnings, ...(family ? { family } : {}) },
    next: next === null ? null : { event: next, cut: await feed.cut(), history, warnings },
  };
}

/**
 * An address that a question refers to, and the parameter that names it. `value`: undefined if the path itself names
 * it.
 */
type Lookup = {
  readonly path: string;
  readonly name: 'product_id' | 'sku' | 'store_id';
  readonly value: string | undefined;
};

/**
 * The path of the change list that has the events: the product's own list if the question is about one product; null if
 * a SKU has no product. `lookup`: how it was found.
 */
async function findFeed(
  files: PublicationFiles,
  path: string,
  { product_id, sku }: ChangeQuery,
): Promise<{ feedPath: string | null; lookup: Lookup }> {
  if (product_id !== undefined || sku === undefined) {
    const feedPath = product_id === undefined ? path : formatPath('product_changes', { product_id });
    return { feedPath, lookup: { path: feedPath, name: 'product_id', value: product_id } };
  }
  const bySku = formatPath('product_by_sku', { sku });
  const found = await files.read(bySku, productReading);
  const feedPath = found === null ? null : formatPath('product_changes', { product_id: found });
  return { feedPath, lookup: { path: bySku, name: 'sku', value: sku } };
}

function storeLookup({ store_id }: ChangeQuery): Lookup | null {
  return store_id === undefined ? null : { path: formatPath('store', { store_id }), name: 'store_id', value: store_id };
}

/** The problem for addresses without a route. The first one determines the code; all of their parameters are named. */
async function notFound(files: PublicationFiles, missing: readonly Lookup[]): Promise<ProblemError> {
  const codes = await Promise.all(missing.map(({ path }) => missingRouteCode(files, path)));
  const parameters = missing.flatMap(({ name, value }, index) => {
    if (value === undefined) return [];
    const whose = codes[index] === 'SKU_AMBIGUOUS' ? `${value}, which several products had` : value;
    return { name, reason: `expected one that is published, got ${whose}` };
  });
  return new ProblemError(codes[0] ?? 'RESOURCE_NOT_FOUND', parameters);
}
