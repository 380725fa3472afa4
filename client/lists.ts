import type { QueryKind } from '../contract/parameters.ts';
import { formatTarget, pathOf, type Query } from './addresses.ts';
import type { Computed } from './computed.ts';
import { UnexpectedContentError } from './errors.ts';
import { type Page, RowList } from './row-list.ts';
import type { AskOptions } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

/** The most rows in one answer, contract.md 3. */
const mostRows = 100;
/** A host reads 10,000 events that could pass a filter before it answers without a row. */
const mostEmptyPages = 250;

type HttpPage<Row, Meta> = Page<Row, Meta> & { readonly links: { readonly next: string | null } };

/** `limit`: the most rows, over all pages. */
export type ListQuestion = {
  readonly kind: Exclude<QueryKind, 'search' | 'comparison'>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query: Query & { readonly limit?: number | undefined };
};

export function listRows<Row, Meta>(
  reader: SiteReader,
  computed: Computed,
  { kind, parameters, query }: ListQuestion,
  options: AskOptions,
): RowList<Row, Meta> {
  const { limit, ...filters } = query;
  const path = pathOf(kind, parameters);
  const isWhole = Object.values(filters).every((value) => value === undefined);
  const size = limit !== undefined && limit <= mostRows ? limit : undefined;
  const target = formatTarget(path, { ...filters, limit: size });
  return new RowList<Row, Meta>(async function* () {
    const first = isWhole || isByName(kind) ? undefined : await computed.ask(target, isSelection, options);
    const pages =
      first === null && !isByName(kind)
        ? computed.pages(kind, target, options)
        : followedPages(reader, isWhole ? path : target, options, first);
    yield* untilIdle(reader, path, pages) as AsyncIterable<Page<Row, Meta>>;
  }, limit);
}

/**
 * Passes on the pages of a list. Throws if too many in a row are empty, because such a host would keep a program busy
 * for ever.
 */
async function* untilIdle(reader: SiteReader, path: string, pages: AsyncIterable<Page<unknown, unknown>>) {
  let empty = 0;
  for await (const page of pages) {
    empty = page.data.length === 0 ? empty + 1 : 0;
    if (empty > mostEmptyPages) {
      throw new UnexpectedContentError(
        reader.addresses.urlOf(path),
        `expected a row within ${mostEmptyPages} pages, got none`,
      );
    }
    yield page;
  }
}

/** Lists by name have no filters. */
function isByName(kind: ListQuestion['kind']): kind is 'products' | 'families' | 'stores' {
  return kind === 'products' || kind === 'families' || kind === 'stores';
}

/** Whether a page answers a selection: the address of a selection has the query, and the address of a file has none. */
function isSelection(page: Readonly<Record<string, unknown>>): boolean {
  const { self } = (page.links ?? {}) as { readonly self?: unknown };
  return typeof self === 'string' && self.includes('?');
}

/** Follows `links.next`: cursors, or sealed pages on a plain host. `first`: the first page, if it has been read. */
async function* followedPages(reader: SiteReader, target: string, options: AskOptions, first: unknown) {
  const read = new Set<string>();
  let next: string | null = target;
  while (next !== null) {
    const url = reader.addresses.urlOf(next);
    if (read.has(url))
      throw new UnexpectedContentError(url, 'expected the next page to be one that has not been read yet');
    read.add(url);
    const isSealed = next !== target && !next.includes('?');
    const known = next === target ? first : undefined;
    let page = asPage(url, known ?? (await reader.read(next, { ...options, isUnchanging: isSealed })));
    // A page past retention becomes an empty one in a later publication.
    if (isSealed && page.data.length === 0) page = asPage(url, await reader.read(next, options));
    yield page;
    next = page.links.next;
  }
}

function asPage(url: string, value: unknown): HttpPage<unknown, unknown> {
  const page = value as HttpPage<unknown, unknown>;
  const next: unknown = page.links?.next;
  if (Array.isArray(page.data) && (next === null || typeof next === 'string')) return page;
  throw new UnexpectedContentError(url, 'expected a page with rows and a link to the next one, got something else');
}
