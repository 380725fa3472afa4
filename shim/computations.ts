import type { QueryOf } from '../generator/contract/addresses.ts';
import { strategyName } from '../generator/contract/documents/comparison.ts';
import { pathOf } from '../generator/contract/paths.ts';
import type { ReadRequest } from './answer.ts';
import { type ComparisonQuery, compare } from './comparison/compare.ts';
import { type Computed, encodeComputed } from './http/computed-answer.ts';
import { CursorSigner } from './lists/cursor-signing.ts';
import { type ListQuestion, Lists, type ListsOptions } from './lists/lists.ts';
import { BusyError, type Scheduler } from './scheduling/scheduler.ts';
import { Work } from './scheduling/work.ts';
import { prepareSearch, search } from './search/search.ts';
import type { PublicationView } from './site/publication-view.ts';

/** What a request asks for, its parameters valid. */
export type Question =
  | { readonly kind: 'comparison'; readonly path: string; readonly query: QueryOf<'comparison'> }
  | { readonly kind: 'search'; readonly path: string; readonly query: QueryOf<'search'> }
  | ListQuestion;

const defaultSearchLimit = 20;

export type ComputationsOptions = Omit<ListsOptions, 'signer'> &
  ConstructorParameters<typeof CursorSigner>[0] & { readonly scheduler: Scheduler };

/** Everything that is no precomputed file: comparisons, searches, and selections of lists. */
export class Computations {
  readonly #lists: Lists;
  readonly #scheduler: Scheduler;

  constructor({ publication, log, secrets, now, scheduler }: ComputationsOptions) {
    this.#scheduler = scheduler;
    this.#lists = new Lists({ publication, log, signer: new CursorSigner({ secrets, now }) });
  }

  /**
   * The computed answer when it is the client's turn; null where a precomputed file is the answer. `charge` is told what
   * it took, an answer or not. Throws a ProblemError, and a BusyError.
   */
  async answerInTurn(
    view: PublicationView,
    question: Question,
    asker: Pick<ReadRequest, 'client' | 'isAbandoned'>,
    charge: (units: number) => Promise<void>,
  ): Promise<Computed | null> {
    return this.#scheduler.run(asker.client, async (work) => {
      // Whoever asks and hangs up shall not keep others waiting.
      if (asker.isAbandoned) throw new BusyError('nobody waits for the answer any more');
      try {
        return await this.answer(view, question, work);
      } finally {
        await charge(work.charged);
      }
    });
  }

  /** Makes ready what the first questions about a publication would wait for. */
  async prepare(view: PublicationView): Promise<void> {
    await this.#scheduler.run('', async (work) => {
      if (await view.lookup(pathOf('search_index'), work)) await prepareSearch(view, work);
    });
  }

  /** The same at once, for what takes no more than a file or two. */
  async answer(view: PublicationView, question: Question, work = new Work()): Promise<Computed | null> {
    const of = { revision: view.revision, publishedAt: view.publishedAt, hasCursor: false };
    switch (question.kind) {
      case 'comparison':
        return encodeComputed(await compare(view, comparisonOf(question.query), work), of);
      case 'search': {
        const { q = '', kinds = null, limit = defaultSearchLimit } = question.query;
        return encodeComputed(await search(view, { q, kinds, limit }, work), of);
      }
      default:
        return this.#lists.answer(view, question, work);
    }
  }
}

/** A query with the defaults of the service description. Latitude and longitude are required and so there. */
function comparisonOf(query: QueryOf<'comparison'>): ComparisonQuery {
  const { lat = 0, lng = 0 } = query;
  return {
    productIds: query.product_ids ?? null,
    skus: query.skus ?? null,
    lat,
    lng,
    radiusM: query.radius_m ?? 50_000,
    strategies: query.strategies ?? strategyName.options,
    purchaseEligibility: query.purchase_eligibility ?? 'eligible',
    inventoryAge: query.inventory_age ?? 'within_policy',
    maxStops: query.max_stops ?? 3,
  };
}
