import { strategyName } from '../generator/contract/comparison.ts';
import type { QueryOf } from '../generator/contract/parameters.ts';
import { type ComparisonQuery, compare } from './comparison/compare.ts';
import { type Computed, encodeComputed } from './http/computed-answer.ts';
import { CursorMint } from './lists/cursor.ts';
import { type ListQuestion, Lists, type ListsOptions } from './lists/lists.ts';
import { search } from './search/search.ts';
import type { PublicationView } from './site/publication-view.ts';

/** What a request asks for, its parameters valid. */
export type Question =
  | { readonly kind: 'comparison'; readonly path: string; readonly query: QueryOf<'comparison'> }
  | { readonly kind: 'search'; readonly path: string; readonly query: QueryOf<'search'> }
  | ListQuestion;

const defaultSearchLimit = 20;

export type ComputationsOptions = Omit<ListsOptions, 'mint'> & ConstructorParameters<typeof CursorMint>[0];

/** Everything that is no precomputed file: comparisons, searches, and selections of lists. */
export class Computations {
  readonly #lists: Lists;

  constructor({ publication, log, secrets, now }: ComputationsOptions) {
    this.#lists = new Lists({ publication, log, mint: new CursorMint({ secrets, now }) });
  }

  /** The computed answer; null where a precomputed file is the answer. Throws a ProblemError. */
  async answer(view: PublicationView, question: Question): Promise<Computed | null> {
    const of = { revision: view.revision, publishedAt: view.publishedAt, hasCursor: false };
    switch (question.kind) {
      case 'comparison':
        return encodeComputed(await compare(view, comparisonOf(question.query)), of);
      case 'search': {
        const { q = '', kinds = null, limit = defaultSearchLimit } = question.query;
        return encodeComputed(await search(view, { q, kinds, limit }), of);
      }
      default:
        return this.#lists.answer(view, question);
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
