import { compareInstants } from '../../contract/instant.ts';
import type { QueryOf } from '../../contract/parameters.ts';
import type { EventPage } from '../../contract/schemas/pages.ts';
import type { ReadDocuments } from '../../contract/schemas/read-documents.ts';
import { storeChangeTypes } from '../../contract/vocabulary.ts';
import type { Reading } from '../site/reading.ts';

/** An event as JSON, with the fields that a filter compares. `store`: the store's id; null if there is none. */
export type EventRow = {
  readonly text: string;
  readonly type: string;
  readonly store: string | null;
  readonly retrieved: string;
};

/** A change list or one of its pages, newest event first. */
export type ChangePage = Pick<EventPage, 'meta' | 'links'> & { readonly rows: readonly EventRow[] };

/** Bytes of memory that a row takes in addition to the characters of its text. */
const rowMemory = 400;

export const changePageReading: Reading<ChangePage> = {
  name: 'change page',
  memorySize: ({ rows }) => rows.reduce((sum, { text }) => sum + text.length + rowMemory, rowMemory),
  of(bytes, read) {
    const { data, meta, links } = read('event_page', bytes);
    const rows = data.map((event) => {
      const { type, store, times } = event;
      return { text: JSON.stringify(event), type, store: store?.id ?? null, retrieved: times.retrieved_at };
    });
    return { rows, meta, links };
  },
};

/** The pages of a segment, oldest first, and the table of stores that they refer to. */
export type SegmentPages = Pick<ReadDocuments['segment_pages'], 'number' | 'pages' | 'stores'>;

/** The summary of the events of a page or segment; `stores` are positions in a table of ids. */
type EventSummary = Pick<SegmentPages['pages'][number], 'retrieved' | 'types' | 'stores'>;

/** Reads a segment without its products, which are its largest part and which no selection uses. */
export const segmentReading: Reading<SegmentPages> = {
  name: 'page segment',
  of(bytes, read) {
    const { number, pages, stores } = read('segment_pages', bytes);
    return { number, pages: pages.map(({ retrieved, types, stores }) => ({ retrieved, types, stores })), stores };
  },
};

/** Decides which events of a feed pass a query, contract.md 3. Times are canonical, and bounds are inclusive. */
export class ChangeFilter {
  /** The types that pass; null for all. */
  readonly #types: readonly string[] | null;
  readonly #query: Pick<QueryOf<'family_changes'>, 'store_id' | 'since' | 'until'>;

  constructor({ types, ...query }: Pick<QueryOf<'family_changes'>, 'store_id' | 'types' | 'since' | 'until'>) {
    // Only some event types have a store. With a store in the query, summaries need not be compared with other types.
    const ofStore = storeChangeTypes.filter((type) => types?.includes(type) ?? true);
    this.#types = (query.store_id === undefined ? types : ofStore) ?? null;
    this.#query = query;
  }

  /** Whether every event passes. */
  get isOpen(): boolean {
    const { store_id, since, until } = this.#query;
    return this.#types === null && store_id === undefined && since === undefined && until === undefined;
  }

  passes({ type, store, retrieved }: EventRow): boolean {
    const { store_id } = this.#query;
    return (
      (this.#types?.includes(type) ?? true) &&
      (store_id === undefined || store === store_id) &&
      this.#isWithin(retrieved, retrieved)
    );
  }

  /**
   * Whether some event of a page or segment might pass. `table`: the store ids that the positions in the summary refer
   * to.
   */
  mayPass({ retrieved: [oldest, newest], types, stores }: EventSummary, table: readonly string[]): boolean {
    const { store_id } = this.#query;
    return (
      (this.#types?.some((type) => types.includes(type)) ?? true) &&
      this.#isWithin(oldest, newest) &&
      (store_id === undefined || stores.includes(table.indexOf(store_id)))
    );
  }

  #isWithin(oldest: string, newest: string): boolean {
    const { since, until } = this.#query;
    if (since !== undefined && compareInstants(newest, since) < 0) return false;
    return until === undefined || compareInstants(oldest, until) <= 0;
  }
}
