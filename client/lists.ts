import type { QueryKind } from '../generator/contract/addresses.ts';
import { hasUnchangingPages, pathOf, type Query, targetOf } from './addresses.ts';
import { type Page, RowList } from './row-list.ts';
import type { AskOptions } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

/** Rows of one answer at most, contract.md 3. */
const mostRows = 100;

type HttpPage<Row, Meta> = Page<Row, Meta> & { readonly links: { readonly next: string | null } };

/** A list and what is asked of it. `limit`: rows at most, of all pages together. */
export type ListQuestion = {
  readonly kind: QueryKind;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query: Query & { readonly limit?: number | undefined };
};

/** The rows of a list in its order. */
export function listOf<Row, Meta>(reader: SiteReader, question: ListQuestion, options: AskOptions): RowList<Row, Meta> {
  const { limit, ...filters } = question.query;
  const path = pathOf(question.kind, question.parameters);
  const isWhole = Object.values(filters).every((value) => value === undefined);
  const size = limit !== undefined && limit >= 1 && limit <= mostRows ? limit : undefined;
  const target = isWhole ? path : targetOf(path, { ...filters, limit: size });
  return new RowList(() => pagesFrom<Row, Meta>(reader, question.kind, target, options), limit);
}

/** Follows `links.next`: cursors on a host that computes, sealed pages on a plain one. */
async function* pagesFrom<Row, Meta>(
  reader: SiteReader,
  kind: QueryKind,
  target: string,
  options: AskOptions,
): AsyncGenerator<Page<Row, Meta>> {
  let next: string | null = target;
  let isFirst = true;
  while (next !== null) {
    const isPage = !isFirst && !next.includes('?');
    const page = (await reader.read(next, {
      ...options,
      isUnchanging: isPage && hasUnchangingPages(kind),
    })) as HttpPage<Row, Meta>;
    yield page;
    next = page.links.next;
    isFirst = false;
  }
}
