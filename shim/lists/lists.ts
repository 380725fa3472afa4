import type { QueryOf } from '../../contract/parameters.ts';
import type { CursorClaims, FeedPosition, RowPosition } from '../../contract/schemas/pages.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import type { ShimLog } from '../host.ts';
import { type Computed, computedFrom, encodeComputed } from '../http/computed-answer.ts';
import { ProblemError } from '../problems.ts';
import { canonicalQuery, type Question } from '../query.ts';
import { formatQueryString } from '../query-string.ts';
import type { QuestionReads } from '../question-reads.ts';
import type { CurrentPublication } from '../site/current-publication.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { type ChangeQuery, type ChangesKind, selectChanges } from './change-feed.ts';
import type { CursorSigner } from './cursor-signing.ts';
import { selectBrands, selectByName } from './name-rows.ts';

type ListQuestion = Exclude<Question, { readonly kind: 'search' | 'comparison' }>;

/**
 * The publication that an answer belongs to. A reader in the middle of a list of events may be answered from a newer
 * one that also has them.
 */
type SourcePublication = Pick<Computed, 'revision' | 'publishedAt' | 'isDateless'>;

export type ListsOptions = {
  readonly publication: CurrentPublication;
  readonly signer: CursorSigner;
  readonly log: ShimLog;
};

/** Answers requests for lists: selects rows from precomputed files and issues cursors, contract.md 3 and 4. */
export class Lists {
  readonly #options: ListsOptions;

  constructor(options: ListsOptions) {
    this.#options = options;
  }

  /**
   * The answer to a request for a list. Null if the request has no query and the list has only one page: then its
   * precomputed file is the answer. Throws a {@link ProblemError}.
   */
  async answer(view: PublicationView, question: ListQuestion, reads: QuestionReads): Promise<Computed | null> {
    const { kind, path, query } = question;
    const { cursor = null, ...rest } = query;
    const request: ListRequest = { path, query: canonicalQuery(kind, rest as QueryOf<typeof kind>), cursor };
    if (cursor !== null) return this.#continue(view, question, { ...request, cursor }, reads);
    const selection = await select(view, question, null, reads);
    if (request.query === '' && selection.next === null) return null;
    return answerList(request, computedFrom(view), selection, this.#options);
  }

  /** Continues from a cursor, in the publication that the cursor is from. */
  async #continue(
    view: PublicationView,
    question: ListQuestion,
    request: ListRequest & { readonly cursor: string },
    reads: QuestionReads,
  ): Promise<Computed> {
    const { publication, signer, log } = this.#options;
    const claims = await signer.read(request.cursor, listName(request));
    const answerFrom = async (from: PublicationView, of: SourcePublication) =>
      answerList(request, of, await select(from, question, claims.position, reads), this.#options);
    if (claims.revision === view.revision) {
      try {
        return await answerFrom(view, { ...computedFrom(view), isDateless: () => true });
      } catch (error) {
        // The publication was built again, and no longer has a page at that address.
        const isGone = error instanceof UnreadableError && error.reference === null;
        throw isGone ? new ProblemError('CURSOR_EXPIRED') : error;
      }
    }
    const retained = publication.retained(claims.revision);
    if (retained === null) throw new ProblemError('CURSOR_EXPIRED');
    const of = { revision: claims.revision, publishedAt: retained.published_at, isDateless: () => true };
    try {
      const kept = await publication.kept(claims.revision);
      if (kept) return await answerFrom(kept, of);
    } catch (error) {
      // The documents are being deleted, or are damaged. Either way the publication is no longer kept.
      if (!(error instanceof UnreadableError)) throw error;
      log('warn', `revision ${claims.revision} is no longer complete: ${error.message}`);
    }
    if (!asksForChanges(question)) throw new ProblemError('CURSOR_EXPIRED');
    return answerFrom(view, of);
  }
}

async function select(
  view: PublicationView,
  question: ListQuestion,
  position: CursorClaims['position'] | null,
  reads: QuestionReads,
): Promise<ListSelection> {
  const files = reads.of(view);
  if (asksForChanges(question))
    return selectChanges(files, question, position && 'event' in position ? position : null);
  const row: RowPosition | null = position && 'page' in position ? position : null;
  if (question.kind === 'brands') return selectBrands(files, question.query, row);
  return selectByName(files, question.path, row, question.query.limit ?? null);
}

function asksForChanges(question: ListQuestion): question is ListQuestion & { kind: ChangesKind; query: ChangeQuery } {
  return question.kind === 'changes' || question.kind === 'family_changes' || question.kind === 'product_changes';
}

/** A request for a list: its path, its canonical query without the cursor, and its cursor. */
type ListRequest = { readonly path: string; readonly query: string; readonly cursor: string | null };

/** Rows of a list as JSON. `next`: the position where the list continues; null at its end. */
type ListSelection = {
  /** The base URL in front of every address of the site; may be empty. */
  readonly base: string;
  readonly rows: readonly string[];
  /** Members of the answer's `meta` other than `page`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly next: FeedPosition | RowPosition | null;
};

/** The list and query that a cursor is bound to. */
function listName({ path, query }: Pick<ListRequest, 'path' | 'query'>): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The answer with its cursor fields filled in, contract.md 4. */
async function answerList(
  request: ListRequest,
  { revision, publishedAt, isDateless }: SourcePublication,
  { base, rows, meta, next }: ListSelection,
  { signer, publication }: ListsOptions,
): Promise<Computed> {
  const { expires } = signer;
  const cursor = next && (await signer.sign(listName(request), expires, { revision, position: next }));
  const page = {
    has_more: cursor !== null,
    next_cursor: cursor,
    cursor_expires_at: cursor && `${new Date(expires * 1000).toISOString().slice(0, 19)}Z`,
  };
  const links = {
    self: base + listAddress(request, request.cursor),
    next: cursor && base + listAddress(request, cursor),
  };
  const json = `{"data":[${rows.join()}],"meta":${JSON.stringify({ page, ...meta })},"links":${JSON.stringify(links)}}`;
  return encodeComputed(
    json,
    { revision, publishedAt, isDateless: cursor === null ? isDateless : () => true },
    publication.objects.hash,
  );
}

function listAddress({ path, query }: ListRequest, cursor: string | null): string {
  const parts = [query, cursor && formatQueryString([['cursor', cursor]])];
  return listName({ path, query: parts.filter(Boolean).join('&') });
}
