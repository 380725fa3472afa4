import { pathOf } from '../generator/contract/paths.ts';
import type { ReadRequest } from './answer.ts';
import { comparisonDefaults, comparisonText } from './comparison/compare.ts';
import { type Computed, encodeComputed } from './http/computed-answer.ts';
import { CursorSigner } from './lists/cursor-signing.ts';
import { Lists, type ListsOptions } from './lists/lists.ts';
import type { Question } from './query.ts';
import type { Scheduler } from './scheduling/scheduler.ts';
import { UnwantedError, Work } from './scheduling/work.ts';
import { defaultSearchLimit, prepareSearch, searchText } from './search/search.ts';
import type { PublicationView } from './site/publication-view.ts';

type ComputationsOptions = Omit<ListsOptions, 'signer'> &
  ConstructorParameters<typeof CursorSigner>[0] & { readonly scheduler: Scheduler };

/** Answers that are not precomputed files: comparisons, searches, and selections of lists. */
export class Computations {
  readonly #lists: Lists;
  readonly #scheduler: Scheduler;
  readonly #publication: ListsOptions['publication'];

  constructor({ publication, log, scheduler, ...signing }: ComputationsOptions) {
    this.#scheduler = scheduler;
    this.#publication = publication;
    const { hash } = publication.objects;
    this.#lists = new Lists({ publication, log, signer: new CursorSigner({ ...signing, hash }) });
  }

  /**
   * Computes the answer when it is the client's turn. Null where a precomputed file is the answer. Calls `charge` with
   * the units that the work took, even when it failed. `finish` makes the answer in the same turn, so that a client whose
   * answers are compressed delays itself alone. Throws a ProblemError or a BusyError.
   */
  async answerInTurn<Result>(
    view: PublicationView,
    question: Question,
    asker: Pick<ReadRequest, 'client' | 'isAbandoned'>,
    charge: (units: number) => Promise<void>,
    finish: (computed: Computed) => Promise<Result>,
  ): Promise<Result | null> {
    return this.#scheduler.run(asker.client, async (work) => {
      const isWanted = () => !asker.isAbandoned;
      if (!isWanted()) throw new UnwantedError('nobody waits for the answer');
      work.onlyWhile(isWanted);
      try {
        const computed = await this.answer(view, question, work);
        return computed && (await finish(computed));
      } finally {
        await charge(work.charged);
      }
    });
  }

  /** Prepares the search index of a publication, so that the first search need not wait for it. */
  async prepare(view: PublicationView): Promise<void> {
    await this.#scheduler.run('', async (work) => {
      if (await view.lookup(pathOf('search_index'), work)) await prepareSearch(view, work);
    });
  }

  /** Computes the answer at once, without a turn: for questions that read only a file or two. */
  async answer(view: PublicationView, question: Question, work = new Work()): Promise<Computed | null> {
    const { hash } = this.#publication.objects;
    const of = { revision: view.revision, publishedAt: view.publishedAt, hasCursor: false };
    switch (question.kind) {
      case 'comparison':
        return encodeComputed(await comparisonText(view, { ...comparisonDefaults, ...question.query }, work), of, hash);
      case 'search': {
        const { q = '', kinds = null, limit = defaultSearchLimit } = question.query;
        return encodeComputed(await searchText(view, { q, kinds, limit }, work), of, hash);
      }
      default:
        return this.#lists.answer(view, question, work);
    }
  }
}
