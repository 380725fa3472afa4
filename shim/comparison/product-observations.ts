import type { Warning } from '../../generator/contract/documents/envelope.ts';
import {
  type ComparisonProduct,
  comparisonProduct,
  type PairLetter,
  pairLetters,
} from '../../generator/contract/formats/comparison-input.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';

/** What is known of a product in a store, as bits. */
export const pairBits = { observed: 1, positive: 2, eligible: 4, restricted: 8, withinPolicy: 16 } as const;

export type ProductObservations = {
  readonly product: ComparisonProduct['product'];
  readonly warnings: readonly Warning[];
  /** The retrieval times, newest first. */
  readonly retrievals: readonly string[];
  /** By number of the store in the directory: its {@link pairBits}, 0 where the pair is unchecked. */
  readonly pairs: Uint8Array;
  /** By number of the store: which retrieval observed the pair. */
  readonly retrievalOf: Uint16Array;
};

const { observed, positive, eligible, restricted, withinPolicy } = pairBits;
const bitsOf: Readonly<Record<PairLetter, number>> = {
  [pairLetters.eligible]: observed | positive | eligible,
  [pairLetters.restricted]: observed | positive | restricted,
  [pairLetters.not_eligible]: observed | positive,
  [pairLetters.reported_zero]: observed,
  [pairLetters.row_absent]: observed,
  [pairLetters.unchecked]: 0,
};

/** Of the document at `comparison_product`. Throws when two retrievals speak of one store, or not of as many stores. */
export const productObservationsReading: Reading<ProductObservations> = {
  name: 'comparison product',
  of(bytes) {
    const { product, warnings, observations } = parseJson(comparisonProduct, bytes);
    const count = observations[0]?.stores.length ?? 0;
    const pairs = new Uint8Array(count);
    const retrievalOf = new Uint16Array(count);
    for (const [retrieval, { stores, meets_retrieval_policy }] of observations.entries()) {
      const where = `observations.${retrieval}.stores`;
      if (stores.length !== count) throw new Error(`${where}: expected ${count} letters, got ${stores.length}`);
      const policy = meets_retrieval_policy ? withinPolicy : 0;
      for (let store = 0; store < count; store += 1) {
        const bits = bitsOf[stores[store] as PairLetter];
        if (bits === 0) continue;
        if (pairs[store] !== 0)
          throw new Error(`${where}: expected nothing of store ${store}, which has an observation`);
        pairs[store] = bits | policy;
        retrievalOf[store] = retrieval;
      }
    }
    return { product, warnings, retrievals: observations.map(({ retrieved_at }) => retrieved_at), pairs, retrievalOf };
  },
};
