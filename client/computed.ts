import { pathOf, type Query, targetOf } from './addresses.ts';
import { AwayError, ConnectionError, ProblemError } from './errors.ts';
import { type AskOptions, mayShareWork, orAborted } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

export type Computed = ReturnType<typeof computedFor>;

/**
 * Answers that are no files: searches, comparisons and selections of lists. `computes`: whether the host computes; null where nobody
 * knows yet.
 */
export function computedFor(reader: SiteReader, computes: boolean | null) {
  let known = reader.addresses.areFiles ? false : computes;
  let probing: Promise<boolean> | null = null;

  /** Whether the host computes. Asks it for a small search once, because a plain host may ignore the query of a list. */
  async function hostComputes({ signal }: AskOptions): Promise<boolean> {
    if (known !== null) return known;
    // Questions that begin together need one probe. No signal of one of them ends it for the others.
    const probe =
      probing ??
      doesCompute(reader).finally(() => {
        probing = null;
      });
    if (mayShareWork) probing = probe;
    try {
      known = await orAborted(probe, signal);
      return known;
    } catch (error) {
      // It may compute when it is there again.
      if (error instanceof AwayError) return false;
      throw error;
    }
  }

  /**
   * The answer of the host at a target; null where it does not compute, so that the client does. `isAnswer`: whether a document
   * answers the question, and not only a part of it, as from a host that ignores queries.
   */
  async function ask(target: string, isAnswer: (document: Record<string, unknown>) => boolean, options: AskOptions) {
    if (known === false) return null;
    try {
      const document = await reader.read(target, options);
      known ??= isAnswer(document);
      return known ? document : null;
    } catch (error) {
      if (error instanceof AwayError) return null;
      // A plain host may refuse every query, so that a refusal does not tell whether it is of this one.
      if (!isRefusal(error) || (await hostComputes(options))) throw error;
      return null;
    }
  }

  return {
    ask,
    hostComputes,
    /** The document at a computed address, from the host or computed here. */
    async document(kind: 'search' | 'comparison', query: Query, options: AskOptions): Promise<unknown> {
      const target = targetOf(pathOf(kind), query);
      const answer = await ask(target, () => true, options);
      if (answer !== null) return answer;
      if (kind === 'search') {
        const { search } = await loadPart(() => import('./plain/search.ts'));
        return search(reader, target, options);
      }
      const { compare } = await loadPart(() => import('./plain/comparison.ts'));
      return compare(reader, target, options);
    },
    /** The pages of a selection of a list, computed here. */
    async *pages(
      kind: 'brands' | 'changes' | 'product_changes' | 'family_changes',
      target: string,
      options: AskOptions,
    ) {
      const { selectedPages } = await loadPart(() => import('./plain/selections.ts'));
      yield* selectedPages(reader, kind, target, options);
    },
  };
}

async function doesCompute({ addresses, requests }: SiteReader): Promise<boolean> {
  const url = addresses.urlOf(targetOf(pathOf('search'), { q: 'a', limit: 1 }));
  try {
    await requests.get(url, {});
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    if (error instanceof ProblemError && error.status === 429) return true;
    throw error instanceof ProblemError ? new ConnectionError(url, error.message, { cause: error }) : error;
  }
}

/** Whether the host does not want to answer, now and later. */
function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429;
}

/** Loads a part of the client that has schemas. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const { withoutEval } = await import('./without-eval.ts');
  return withoutEval(load);
}
