import type { NoSolutionReason, StrategyName } from '../../contract/documents/store.ts';

export const strategyNames: Readonly<Record<StrategyName, string>> = {
  best_single_store: 'One store that covers most',
  closest_store_with_any: 'Nearest store that covers any',
  closest_complete_store: 'Nearest store that covers all',
  fewest_stores_complete: 'Fewest stores that cover all',
  best_partial_plan: 'Most products within the stops',
};

export const reasonWords: Readonly<Record<NoSolutionReason, string>> = {
  NO_REPORTED_MATCH: 'No store in the circle covers any of the products.',
  NO_SINGLE_STORE_COVERS_ALL_PRODUCTS: 'No single store in the circle covers all of the products.',
  NO_COMPLETE_PLAN_IN_SCOPE: 'No plan has all of the products. What is left out, and why, is said above.',
  COMPLETE_PLAN_EXCEEDS_MAX_STOPS: 'All of the products need more stores than the stops allowed.',
};
