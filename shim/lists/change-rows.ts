import type { QueryOf } from '../../generator/contract/addresses.ts';
import { type ChangeType, storeChangeTypes } from '../../generator/contract/documents/change.ts';
import type { FeedPosition } from '../../generator/contract/formats/list-reading.ts';
import { identified } from '../../generator/contract/formats/list-reading.ts';
import { pageSize } from '../../generator/contract/formats/page-index.ts';
import { compareInstants } from '../../generator/contract/instant.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import type { Work } from '../scheduling/work.ts';
import { missingRouteCode, type PublicationView } from '../site/publication-view.ts';
import { jsonReading } from '../site/verified-objects.ts';
import { ChangeFeed } from './change-feed.ts';
import type { ListSelection } from './lists.ts';

export type ChangesKind = 'changes' | 'family_changes' | 'product_changes';
export type ChangeQuery = QueryOf<'changes'>;

const productReading = jsonReading('product id', identified);

/**
 * Selects events of the feed for a question, from a position on or from the newest event. A position may come from an
 * older publication, because a feed only grows at its front. Throws a `..._NOT_FOUND`, or `CURSOR_EXPIRED` when a
 * family's events are no longer divided into pages as they were when the walk began.
 */
export async function selectChanges(
  view: PublicationView,
  { path, query }: { readonly path: string; readonly query: ChangeQuery },
  position: FeedPosition | null,
  work: Work,
): Promise<Omit<ListSelection, 'revision' | 'publishedAt'>> {
  const feedPath = await feedPathOf(view, path, query, work);
  const feed = await ChangeFeed.open(view, feedPath, work);
  if (feed === null && position) throw new ProblemError('CURSOR_EXPIRED');
  if (feed === null) throw await notFound(view, feedPath, 'product_id', query.product_id);
  await requireStore(view, query.store_id, work);
  if (position && (position.cut !== feed.cut || position.event > feed.newest)) throw new ProblemError('CURSOR_EXPIRED');

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
    next: next === null ? null : { event: next, cut: feed.cut, history, warnings },
  };
}

/** The path of the change list that holds the events: the product's own list if the question is about one product. */
async function feedPathOf(
  view: PublicationView,
  path: string,
  { product_id, sku }: ChangeQuery,
  work: Work,
): Promise<string> {
  if (product_id !== undefined) return pathOf('product_changes', { product_id });
  if (sku === undefined) return path;
  const bySku = pathOf('product_by_sku', { sku });
  const product = await view.read(bySku, productReading, work);
  if (product === null) throw await notFound(view, bySku, 'sku', sku);
  return pathOf('product_changes', { product_id: product.data.id });
}

async function requireStore(view: PublicationView, id: string | undefined, work: Work): Promise<void> {
  if (id === undefined) return;
  const path = pathOf('store', { store_id: id });
  if ((await view.lookup(path, work)) === null) throw await notFound(view, path, 'store_id', id);
}

/** The problem for an address without a route. It names the parameter that led to the address, if one did. */
async function notFound(
  view: PublicationView,
  path: string,
  name: 'product_id' | 'sku' | 'store_id',
  value: string | undefined,
): Promise<ProblemError> {
  const code = await missingRouteCode(view, path);
  return new ProblemError(
    code,
    value === undefined ? [] : [{ name, reason: `expected one that is published, got ${value}` }],
  );
}

/** The fields of an event that a selection reads. */
export type SelectableEvent = {
  readonly type: string;
  readonly store: { readonly id: string } | null;
  readonly times: { readonly retrieved_at: string };
};

/** The summary of the events of a page or segment; `stores` are positions in a table of ids. */
export type EventSummary = {
  readonly retrieved: readonly [oldest: string, newest: string];
  readonly types: readonly string[];
  readonly stores: readonly number[];
};

type EventQuery = Pick<QueryOf<'family_changes'>, 'store_id' | 'types' | 'since' | 'until'>;

/** Decides which events of a feed pass a query, contract.md 3. */
export class ChangeFilter {
  readonly #store: string | null;
  readonly #types: readonly ChangeType[] | null;
  readonly #since: string | null;
  readonly #until: string | null;

  constructor({ store_id, types, since, until }: EventQuery) {
    this.#store = store_id ?? null;
    // Only some types of events have a store. With a store in the query, summaries need not be compared with other
    // types.
    this.#types =
      (store_id === undefined ? types : storeChangeTypes.filter((type) => types?.includes(type) ?? true)) ?? null;
    this.#since = since ?? null;
    this.#until = until ?? null;
  }

  /** Whether every event passes. */
  get isOpen(): boolean {
    return this.#store === null && this.#types === null && this.#since === null && this.#until === null;
  }

  passes({ type, store, times }: SelectableEvent): boolean {
    return (
      (this.#types === null || (this.#types as readonly string[]).includes(type)) &&
      (this.#store === null || store?.id === this.#store) &&
      this.#isWithin(times.retrieved_at, times.retrieved_at)
    );
  }

  /**
   * Whether an event of a page or segment may pass. `table`: the store ids to which the positions in the summary refer.
   */
  mayPass({ retrieved: [oldest, newest], types, stores }: EventSummary, table: readonly string[]): boolean {
    return (
      (this.#types === null || this.#types.some((type) => types.includes(type))) &&
      (this.#store === null || stores.some((position) => table[position] === this.#store)) &&
      this.#isWithin(oldest, newest)
    );
  }

  #isWithin(oldest: string, newest: string): boolean {
    if (this.#since !== null && compareInstants(newest, this.#since) < 0) return false;
    return this.#until === null || compareInstants(oldest, this.#until) <= 0;
  }
}
