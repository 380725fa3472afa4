import { pathOf, type Query, targetOf } from './addresses.ts';
import { ConnectionError, ProblemError } from './errors.ts';
import { type AskOptions, mayShareWork, orAborted } from './runtime.ts';
import type { SiteReader } from './site-reader.ts';

/** Answers that are no files: searches, comparisons and selections of lists. */
export class Computed {
  readonly #reader: SiteReader;
  #computes: boolean | null;
  #probing: Promise<boolean> | null = null;

  /** `computes`: whether the host computes; null where nobody knows yet. */
  constructor(reader: SiteReader, computes: boolean | null) {
    this.#reader = reader;
    this.#computes = reader.addresses.areFiles ? false : computes;
  }

  /** The document at a computed address, from the host or computed here. */
  async document(kind: 'search' | 'comparison', query: Query, options: AskOptions): Promise<unknown> {
    const target = targetOf(pathOf(kind), query);
    if (await this.hostComputes(options)) return this.#reader.read(target, options);
    if (kind === 'search') {
      const { search } = await loadPart(() => import('./plain/search.ts'));
      return search(this.#reader, target, options);
    }
    const { compare } = await loadPart(() => import('./plain/comparison.ts'));
    return compare(this.#reader, target, options);
  }

  /** The pages of a selection of a list, computed here. */
  async *pages(kind: 'brands' | 'changes' | 'product_changes' | 'family_changes', target: string, options: AskOptions) {
    const { selectedPages } = await loadPart(() => import('./plain/selections.ts'));
    yield* selectedPages(this.#reader, kind, target, options);
  }

  /** Whether the host computes. Asks it for a small search once, because a plain host may ignore the query of a list. */
  async hostComputes({ signal }: AskOptions): Promise<boolean> {
    if (this.#computes !== null) return this.#computes;
    // Questions that begin together need one probe. No signal of one of them ends it for the others.
    const probing =
      this.#probing ??
      this.#probe().finally(() => {
        this.#probing = null;
      });
    if (mayShareWork) this.#probing = probing;
    this.#computes = await orAborted(probing, signal);
    return this.#computes;
  }

  async #probe(): Promise<boolean> {
    const url = this.#reader.addresses.urlOf(targetOf(pathOf('search'), { q: 'a', limit: 1 }));
    try {
      await this.#reader.requests.get(url, {});
      return true;
    } catch (error) {
      if (error instanceof ProblemError && error.status < 500) return error.status === 429;
      throw error instanceof ProblemError ? new ConnectionError(url, error.message, { cause: error }) : error;
    }
  }
}

/** Loads a part of the client that has schemas. */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  const { withoutEval } = await import('./without-eval.ts');
  return withoutEval(load);
}
