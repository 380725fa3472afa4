import type { ComparisonStores } from '../contract/documents/comparison.ts';
import { pathOf } from '../contract/paths.ts';
import type { State } from '../model/state.ts';
import { changing, type Document, warningList } from './document.ts';
import { storeSummary } from './store.ts';

/**
 * `/availability/stores.json`: the stores in scope, by id. The availability of each product has the same stores in this order.
 */
export function comparisonStoresDocument(state: State): Document {
  const value: ComparisonStores = {
    warnings: warningList(state.generalWarnings),
    stores: state.stores.filter(({ inScope }) => inScope).map(storeSummary),
  };
  return changing(pathOf('comparison_stores'), value);
}
