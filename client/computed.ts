import { formatTarget, pathOf, type Query } from './addresses.ts';
import { AwayError, ConnectionError, ProblemError } from './errors.ts';
import { type AskOptions, mayShareWork, orAborted } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

export type Computed = ReturnType<typeof computedFor>;

/**
 * Answers searches, comparisons and selections, which have no files. `computes`: whether the host computes them; null
 * if that is unknown.
 */
export function computedFor(reader: SiteReader, computes: boolean | null) {
  let known = reader.addresses.areFiles ? false : computes;
  let probing: Promise<boolean> | null = null;

  /** Finds out with one small search, because a plain host may ignore the query of a list. */
  async function hostComputes({ signal }: AskOptions): Promise<boolean> {
    if (known !== null) return known;
    // Questions that begin together share one probe. Aborting one of them does not abort the probe.
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
      // The host may compute once it can be reached again.
      if (error instanceof AwayError) return false;
      throw error;
    }
  }

  /**
   * The host's answer; null if the host does not compute, so that the client does. `isAnswer`: whether a document
   * answers the whole question. A host that ignores queries sends one that does not.
   */
  async function ask(target: string, isAnswer: (document: Record<string, unknown>) => boolean, options: AskOptions) {
    if (known === false) return null;
    try {
      const document = await reader.read(target, options);
      known ??= isAnswer(document);
      return known ? document : null;
    } catch (error) {
      if (error instanceof AwayError) return null;
      // A plain host may refuse every query, so a refusal alone does not mean that this query is wrong.
      if (!isRefusal(error) || (await hostComputes(options))) throw error;
      return null;
    }
  }

  return {
    ask,
    hostComputes,
    async document(kind: 'search' | 'comparison', query: Query, options: AskOptions): Promise<unknown> {
      const target = formatTarget(pathOf(kind), query);
      const answer = await ask(target, () => true, options);
      if (answer !== null) return answer;
      if (kind === 'search') {
        const { search } = await import('./plain/search.ts');
        return search(reader, target, options);
      }
      const { compare } = await import('./plain/comparison.ts');
      return compare(reader, target, options);
    },
    async *pages(
      kind: 'brands' | 'changes' | 'product_changes' | 'family_changes',
      target: string,
      options: AskOptions,
    ) {
      const { selectedPages } = await import('./plain/selections.ts');
      yield* selectedPages(reader, kind, target, options);
    },
  };
}

async function doesCompute({ addresses, requests }: SiteReader): Promise<boolean> {
  const url = addresses.urlOf(formatTarget(pathOf('search'), { q: 'a', limit: 1 }));
  try {
    await requests.get(url, {});
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    if (error instanceof ProblemError && error.status === 429) return true;
    throw error instanceof ProblemError ? new ConnectionError(url, error.message, { cause: error }) : error;
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ProblemError && error.status < 500 && error.status !== 429;
}
