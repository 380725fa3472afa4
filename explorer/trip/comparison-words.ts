import type { NoSolutionReason } from '../../contract/schemas/store.ts';
import type { StrategyName } from '../../contract/vocabulary.ts';

export const strategyNames: Readonly<Record<StrategyName, string>> = {
  best_single_store: 'Single store that covers the most',
  closest_store_with_any: 'Nearest store that covers any',
  closest_complete_store: 'Nearest store that covers all',
  fewest_stores_complete: 'Fewest stores that cover all',
  best_partial_plan: 'Most products within the stop limit',
};

export const reasonWords: Readonly<Record<NoSolutionReason, string>> = {
  NO_REPORTED_MATCH: 'No store within the radius covers any of the products.',
  NO_SINGLE_STORE_COVERS_ALL_PRODUCTS: 'No single store within the radius covers all of the products.',
  NO_COMPLETE_PLAN_IN_SCOPE: 'No plan covers all of the products. See above for what is left out, and why.',
  COMPLETE_PLAN_EXCEEDS_MAX_STOPS: 'Covering all of the products takes more stops than allowed.',
};
