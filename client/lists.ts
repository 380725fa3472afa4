import type { QueryKind } from '../generator/contract/addresses.ts';
import { pathOf, type Query, targetOf } from './addresses.ts';
import type { Computed } from './computed.ts';
import { type Page, RowList } from './row-list.ts';
import type { AskOptions } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

/** Rows of one answer at most, contract.md 3. */
const mostRows = 100;

type HttpPage<Row, Meta> = Page<Row, Meta> & { readonly links: { readonly next: string | null } };

/** A list and what is asked of it. `limit`: rows at most, of all pages together. */
export type ListQuestion = {
  readonly kind: Exclude<QueryKind, 'search' | 'comparison'>;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query: Query & { readonly limit?: number | undefined };
};

/** The rows of a list in its order. */
export function listOf<Row, Meta>(
  reader: SiteReader,
  computed: Computed,
  { kind, parameters, query }: ListQuestion,
  options: AskOptions,
): RowList<Row, Meta> {
  const { limit, ...filters } = query;
  const path = pathOf(kind, parameters);
  const isWhole = Object.values(filters).every((value) => value === undefined);
  const size = limit !== undefined && limit <= mostRows ? limit : undefined;
  const target = targetOf(path, { ...filters, limit: size });
  return new RowList<Row, Meta>(async function* () {
    const pages =
      isWhole || isByName(kind) || (await computed.hostComputes(options))
        ? followedPages(reader, isWhole ? path : target, options)
        : computed.pages(kind, target, options);
    yield* pages as AsyncIterable<Page<Row, Meta>>;
  }, limit);
}

/** Lists without filters. */
function isByName(kind: ListQuestion['kind']): kind is 'products' | 'families' | 'stores' {
  return kind === 'products' || kind === 'families' || kind === 'stores';
}

/** Follows `links.next`: cursors on a host that computes, sealed pages on a plain one. */
async function* followedPages(reader: SiteReader, target: string, options: AskOptions) {
  let next: string | null = target;
  while (next !== null) {
    const isSealed = next !== target && !next.includes('?');
    let page = (await reader.read(next, { ...options, isUnchanging: isSealed })) as HttpPage<unknown, unknown>;
    // A page past retention is an empty one of a later publication.
    if (isSealed && page.data.length === 0) page = (await reader.read(next, options)) as typeof page;
    yield page;
    next = page.links.next;
  }
}
