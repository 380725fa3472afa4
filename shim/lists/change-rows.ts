import type { QueryOf } from '../../generator/contract/addresses.ts';
import type { FeedPosition } from '../../generator/contract/formats/list-reading.ts';
import { identified } from '../../generator/contract/formats/list-reading.ts';
import { pageSize } from '../../generator/contract/formats/page-index.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import type { Work } from '../scheduling/work.ts';
import { missingRouteCode } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';
import { ChangeFeed, ChangeFilter } from './change-feed.ts';

export type ChangesKind = 'changes' | 'family_changes' | 'product_changes';
export type ChangeQuery = QueryOf<'changes'>;

/** Bytes of memory that the id of a product takes. */
const idMemory = 200;

const productReading: Reading<string> = {
  name: 'product id',
  memoryOf: () => idMemory,
  of: (bytes) => parseJson(identified, bytes).data.id,
};

/**
 * Selects events of the feed for a question, from a position on or from the newest event. A position may come from an
 * older publication, because a feed only grows at its front. Throws a `..._NOT_FOUND`, or `CURSOR_EXPIRED` when a
 * family's events are no longer divided into pages as they were when the walk began.
 */
export async function selectChanges(
  view: PublicationFiles,
  { path, query }: { readonly path: string; readonly query: ChangeQuery },
  position: FeedPosition | null,
  work: Work,
) {
  const feedPath = await feedPathOf(view, path, query, work);
  const feed = await ChangeFeed.open(view, feedPath, work);
  if (feed === null && position) throw new ProblemError('CURSOR_EXPIRED');
  if (feed === null) throw await notFound(view, feedPath, 'product_id', query.product_id);
  await requireStore(view, query.store_id, work);
  if (position && (position.cut !== feed.cut || position.event > feed.newest)) throw new ProblemError('CURSOR_EXPIRED');

  const { history, warnings } = position ?? feed.head.around.meta;
  const { family } = feed.head.around.meta;
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
  view: PublicationFiles,
  path: string,
  { product_id, sku }: ChangeQuery,
  work: Work,
): Promise<string> {
  if (product_id !== undefined) return pathOf('product_changes', { product_id });
  if (sku === undefined) return path;
  const bySku = pathOf('product_by_sku', { sku });
  const productId = await view.read(bySku, productReading, work);
  if (productId === null) throw await notFound(view, bySku, 'sku', sku);
  return pathOf('product_changes', { product_id: productId });
}

async function requireStore(view: PublicationFiles, id: string | undefined, work: Work): Promise<void> {
  if (id === undefined) return;
  const path = pathOf('store', { store_id: id });
  if (!(await view.has(path, work))) throw await notFound(view, path, 'store_id', id);
}

/** The problem for an address without a route. It names the parameter that led to the address, if one did. */
async function notFound(
  view: PublicationFiles,
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
