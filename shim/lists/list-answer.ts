import type { FeedPosition, RowPosition } from '../../generator/contract/formats/list-reading.ts';
import { type Computed, encodeComputed } from '../http/computed-answer.ts';
import { formatQueryString } from '../query/query-string.ts';
import type { CursorSigner } from './cursor-signing.ts';

/** A request for a list: its path, the canonical query without the cursor, and the cursor. */
export type ListRequest = { readonly path: string; readonly query: string; readonly cursor: string | null };

/** Rows of a list. `next`: the position where the list continues, null at its end. */
export type ListSelection = {
  readonly revision: string;
  readonly publishedAt: string;
  /** The base URL before every address of the site; may be empty. */
  readonly base: string;
  readonly rows: readonly unknown[];
  /** Members of the answer's `meta` other than `page`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly next: FeedPosition | RowPosition | null;
};

/** The address that a cursor is bound to. */
export function listName({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The answer of a list, its cursor fields filled in, contract.md 4. */
export async function answerList(
  request: ListRequest,
  { revision, publishedAt, base, rows, meta, next }: ListSelection,
  signer: CursorSigner,
): Promise<Computed> {
  const { expires } = signer;
  const cursor = next && (await signer.sign(listName(request), expires, { revision, position: next }));
  const page = {
    has_more: cursor !== null,
    next_cursor: cursor,
    cursor_expires_at: cursor && `${new Date(expires * 1000).toISOString().slice(0, 19)}Z`,
  };
  const links = {
    self: base + addressOf(request, request.cursor),
    next: cursor && base + addressOf(request, cursor),
  };
  const value = { data: rows, meta: { page, ...meta }, links };
  return encodeComputed(value, { revision, publishedAt, hasCursor: cursor !== null });
}

function addressOf({ path, query }: ListRequest, cursor: string | null): string {
  const all = [query, cursor === null ? '' : formatQueryString([['cursor', cursor]])].filter((part) => part !== '');
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}
