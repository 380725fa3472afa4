import {
  type ComparisonProduct,
  type ComparisonStores,
  type PairLetter,
  pairLetters,
} from '../contract/documents/comparison.ts';
import { isWarningOf } from '../contract/documents/envelope.ts';
import { compareInstants } from '../contract/instant.ts';
import { pathOf } from '../contract/paths.ts';
import { type Availability, inventoryWarnings, type Pair } from '../model/availability.ts';
import type { Product } from '../model/product.ts';
import type { State } from '../model/state.ts';
import { changing, type Document, warningList } from './document.ts';
import { describedProduct } from './product.ts';
import { storeSummary } from './store.ts';

/** `/availability/stores.json`: the stores in scope, by id. Letters of products are in the same order. */
export function comparisonStoresDocument(state: State): Document {
  const value: ComparisonStores = {
    warnings: warningList(state.generalWarnings),
    stores: state.stores.filter(({ inScope }) => inScope).map(storeSummary),
  };
  return changing(pathOf('comparison_stores'), value);
}

/** `/availability/products/{id}.json`: what a comparison needs of a product. */
export function comparisonProductDocument(product: Product, availability: Availability): Document {
  const value: ComparisonProduct = {
    product: describedProduct(product),
    warnings: warningList(
      inventoryWarnings(product, availability.summary).filter((code) => isWarningOf(code, 'retrieval')),
    ),
    observations: observationsOf(availability),
  };
  return changing(pathOf('comparison_product', { product_id: product.id }), value);
}

const unchecked = pairLetters.unchecked.charCodeAt(0);

/**
 * One item per retrieval, newest first. Letters are collected as bytes, because there are as many as products times
 * stores.
 */
function observationsOf({ pairs, summary }: Availability): ComparisonProduct['observations'] {
  const retrievals = new Map<string, { readonly meetsPolicy: boolean; readonly letters: Buffer }>();
  let position = 0;
  for (const pair of pairs) {
    if (!pair.store.inScope) continue;
    if (pair.retrievedAt !== null) {
      let retrieval = retrievals.get(pair.retrievedAt);
      if (!retrieval) {
        const letters = Buffer.allocUnsafe(summary.scope_store_count).fill(unchecked);
        retrieval = { meetsPolicy: pair.meetsPolicy, letters };
        retrievals.set(pair.retrievedAt, retrieval);
      }
      retrieval.letters[position] = letterOf(pair).charCodeAt(0);
    }
    position += 1;
  }
  return [...retrievals]
    .sort(([a], [b]) => compareInstants(b, a))
    .map(([retrievedAt, { meetsPolicy, letters }]) => ({
      retrieved_at: retrievedAt,
      meets_retrieval_policy: meetsPolicy,
      stores: letters.toString('latin1'),
    }));
}

function letterOf({ state, eligibility }: Pair): PairLetter {
  if (state !== 'reported_positive') return pairLetters[state];
  if (eligibility === null) throw new Error('a positive pair was published without its classification');
  return pairLetters[eligibility];
}
