import type { QueryOf } from '../../generator/contract/addresses.ts';
import type { FeedPosition } from '../../generator/contract/formats/list-reading.ts';
import { identified } from '../../generator/contract/formats/list-reading.ts';
import { pageSize } from '../../generator/contract/formats/page-index.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import { missingRouteCode } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';
import { ChangeFeed } from './change-feed.ts';
import { ChangeFilter } from './change-pages.ts';

export type ChangesKind = 'changes' | 'family_changes' | 'product_changes';
export type ChangeQuery = QueryOf<'changes'>;

const productReading: Reading<string> = {
  name: 'product id',
  of: (bytes) => parseJson(identified, bytes).data.id,
};

/**
 * Selects events of the feed for a question, from a position on or from the newest event. A position may come from an
 * older publication, because a feed only grows at its front. Throws a `..._NOT_FOUND`, or `CURSOR_EXPIRED` when a
 * family's events are no longer divided into pages as they were when the walk began.
 */
export async function selectChanges(
  files: PublicationFiles,
  { path, query }: { readonly path: string; readonly query: ChangeQuery },
  position: FeedPosition | null,
) {
  const { feedPath, lookup } = await feedOf(files, path, query);
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

/** An address that a question leads to, and the parameter that names it; a value of undefined where the path itself does. */
type Lookup = {
  readonly path: string;
  readonly name: 'product_id' | 'sku' | 'store_id';
  readonly value: string | undefined;
};

/**
 * The path of the change list that holds the events: the product's own list if the question is about one product. Null
 * where a SKU has no product. `lookup`: what leads to it.
 */
async function feedOf(
  files: PublicationFiles,
  path: string,
  { product_id, sku }: ChangeQuery,
): Promise<{ feedPath: string | null; lookup: Lookup }> {
  if (product_id !== undefined || sku === undefined) {
    const feedPath = product_id === undefined ? path : pathOf('product_changes', { product_id });
    return { feedPath, lookup: { path: feedPath, name: 'product_id', value: product_id } };
  }
  const bySku = pathOf('product_by_sku', { sku });
  const found = await files.read(bySku, productReading);
  const feedPath = found === null ? null : pathOf('product_changes', { product_id: found });
  return { feedPath, lookup: { path: bySku, name: 'sku', value: sku } };
}

function storeLookup({ store_id }: ChangeQuery): Lookup | null {
  return store_id === undefined ? null : { path: pathOf('store', { store_id }), name: 'store_id', value: store_id };
}

/** The problem for addresses without a route. The first one determines the code; all parameters are named. */
async function notFound(files: PublicationFiles, missing: readonly Lookup[]): Promise<ProblemError> {
  const codes = await Promise.all(missing.map(({ path }) => missingRouteCode(files, path)));
  const parameters = missing.flatMap(({ name, value }, index) => {
    if (value === undefined) return [];
    const whose = codes[index] === 'SKU_AMBIGUOUS' ? `${value}, which several products had` : value;
    return { name, reason: `expected one that is published, got ${whose}` };
  });
  return new ProblemError(codes[0] ?? 'RESOURCE_NOT_FOUND', parameters);
}
