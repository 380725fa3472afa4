import { instantSpan } from '../../contract/instant.ts';
import { pageSize, segmentSize } from '../../contract/pages.ts';
import { changeType } from '../../contract/schemas/change.ts';
import type { PageIndex, PageSegment, PageSummary } from '../../contract/schemas/pages.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import type { EventRow } from '../database/events.ts';
import type { ChangeList, ChangeListPaths } from './change-list.ts';
import { changing, type Document, type Site } from './document.ts';
import type { State } from './state.ts';

/** The summary of a page with its ids in full. */
export type Summary = Omit<PageSummary, 'stores' | 'products'> & Pick<PageIndex, 'stores' | 'products'>;

export function summarizePage(
  number: number,
  events: readonly EventRow[],
  publicationAt: State['publicationAt'],
): Summary {
  return {
    number,
    count: events.length,
    retrieved: ends(events.map(({ retrieved_at }) => retrieved_at)),
    published: ends(events.map(({ publication }) => publicationAt(publication).published_at)),
    types: eventTypes(events.map(({ type }) => type)),
    stores: sorted(events.flatMap(({ store }) => store?.store_id ?? [])),
    products: sorted(events.map(({ product }) => product.product_id)),
  };
}

export function summarizeSegment(number: number, pages: readonly Summary[]): Summary {
  return {
    number,
    count: pages.reduce((sum, { count }) => sum + count, 0),
    retrieved: ends(pages.flatMap(({ retrieved }) => retrieved)),
    published: ends(pages.flatMap(({ published }) => published)),
    types: eventTypes(pages.flatMap(({ types }) => types)),
    stores: sorted(pages.flatMap(({ stores }) => stores)),
    products: [],
  };
}

/** How a list is divided: whole segments, and loose pages after the last segment. */
export function indexLayout(state: State, { feed }: ChangeList) {
  const at = state.publication.sequence;
  const sealed = feed.sealedPages(at);
  const firstPage = feed.firstRetainedPage(at);
  const segments = Math.floor(sealed / segmentSize);
  return {
    firstPage,
    lastPage: sealed,
    /** The first segment that has a retained page. */
    firstSegment: Math.floor((firstPage - 1) / segmentSize) + 1,
    lastSegment: segments,
    firstLoosePage: Math.max(firstPage, segments * segmentSize + 1),
  };
}

/** The summaries of 100 sealed pages. The document is sealed together with the last of them. */
export function segmentDocument(
  state: State,
  { listPaths, feed }: ChangeList,
  number: number,
  pages: readonly Summary[],
): Document {
  const { tables, encode } = idTables(pages);
  const value: PageSegment = { number, pages: pages.map(encode), ...tables };
  const since = state.publicationAt(feed.sealedBy(number * segmentSize)).published_at;
  return { path: listPaths.segment(number), cache: 'immutable', since, value };
}

export function indexDocument(
  state: State,
  list: ChangeList,
  segments: readonly Summary[],
  pages: readonly Summary[],
  { address }: Site,
): Document {
  const { tables, encode } = idTables([...segments, ...pages]);
  const value: PageIndex = {
    page_size: pageSize,
    page_path: address(pageTemplate(list.listPaths)),
    first_page: indexLayout(state, list).firstPage,
    segments: segments.map((segment) => {
      const { products: _, ...summary } = encode(segment);
      return { ...summary, path: address(list.listPaths.segment(segment.number)) };
    }),
    pages: pages.map(encode),
    ...tables,
  };
  return changing(list.listPaths.index, value);
}

/** The path has `{number}` in place of the page number. */
export function pageTemplate(listPaths: ChangeListPaths): string {
  return listPaths.page(1).replace(/1\.json$/, '{number}.json');
}

/** Tables of all ids in some summaries, and a function that replaces a summary's ids by positions in the tables. */
function idTables(summaries: readonly Summary[]) {
  const tables = {
    stores: sorted(summaries.flatMap(({ stores }) => stores)),
    products: sorted(summaries.flatMap(({ products }) => products)),
  };
  const positionsIn = (table: readonly string[]) => {
    const positions = new Map(table.map((id, index) => [id, index]));
    return (ids: readonly string[]) => ids.map((id) => positions.get(id) ?? -1);
  };
  const [inStores, inProducts] = [positionsIn(tables.stores), positionsIn(tables.products)];
  const encode = ({ stores, products, ...same }: Summary): PageSummary => ({
    ...same,
    stores: inStores(stores),
    products: inProducts(products),
  });
  return { tables, encode };
}

/** The inverse of `idTables`: summaries with ids in full. */
export function summariesIn({ pages, stores, products }: Pick<PageIndex, 'pages' | 'stores' | 'products'>): Summary[] {
  return pages.map((page) => ({
    ...page,
    stores: page.stores.map((position) => stores[position] ?? ''),
    products: page.products.map((position) => products[position] ?? ''),
  }));
}

export function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function ends(instants: readonly string[]): Summary['retrieved'] {
  const { min, max } = instantSpan(instants);
  return [min ?? '', max ?? ''];
}

function eventTypes(types: readonly ChangeType[]): ChangeType[] {
  const found = new Set(types);
  return changeType.options.filter((type) => found.has(type));
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
