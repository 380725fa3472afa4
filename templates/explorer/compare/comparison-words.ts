import type {
  ComparisonStrategy,
  NoSolutionReason,
  StrategyName,
} from '../../../generator/contract/documents/comparison.ts';

export const strategyWords: Readonly<Record<StrategyName, { readonly name: string; readonly rule: string }>> = {
  best_single_store: {
    name: 'One store that covers most',
    rule: 'The nearest of the stores that cover the most products.',
  },
  closest_store_with_any: {
    name: 'Nearest store that covers any',
    rule: 'The nearest store that covers at least one product.',
  },
  closest_complete_store: {
    name: 'Nearest store that covers all',
    rule: 'The nearest store that covers every product.',
  },
  fewest_stores_complete: {
    name: 'Fewest stores that cover all',
    rule: 'As few stores as possible that cover every product together.',
  },
  best_partial_plan: {
    name: 'Most products within the stops',
    rule: 'The stores that cover the most products within the stops allowed.',
  },
};

export const reasonWords: Readonly<Record<NoSolutionReason, string>> = {
  NO_REPORTED_MATCH: 'No store in the circle covers any of the products.',
  NO_SINGLE_STORE_COVERS_ALL_PRODUCTS: 'No single store in the circle covers all of the products.',
  NO_COMPLETE_PLAN_IN_SCOPE: 'All stores in the circle together leave a product uncovered.',
  COMPLETE_PLAN_EXCEEDS_MAX_STOPS: 'All of the products need more stores than the stops allowed.',
};

export const resultWords: Readonly<Record<ComparisonStrategy['result_state'], string>> = {
  complete: 'covers all',
  partial: 'covers some',
  no_solution: 'no plan',
};

/** A straight distance, as `12.3 km (7.6 mi)`. */
export function distanceText(metres: number): string {
  return `${(metres / 1000).toFixed(1)} km (${(metres / 1609.344).toFixed(1)} mi)`;
}
