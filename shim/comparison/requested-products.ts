import type { QueryOf } from '../../generator/contract/addresses.ts';
import {
  type ComparisonProduct,
  comparisonProduct,
  type PairLetter,
  pairLetters,
} from '../../generator/contract/documents/comparison.ts';
import type { Warning } from '../../generator/contract/documents/envelope.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import type { Work } from '../scheduling/work.ts';
import { ambiguousSkus } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';

/** Products by id or by SKU. Exactly one of the two is given. */
type ProductReferences = Pick<QueryOf<'comparison'>, 'product_ids' | 'skus'>;

/** The paths of the requested products' inputs, in the order of the request. */
export function productPaths({ product_ids, skus }: ProductReferences): string[] {
  return skus
    ? skus.map((sku) => pathOf('comparison_product_by_sku', { sku }))
    : (product_ids ?? []).map((product_id) => pathOf('comparison_product', { product_id }));
}

/** The observations of the requested products, in their order. Throws a {@link ProblemError}, contract.md 6. */
export async function requestedProducts(
  view: PublicationFiles,
  references: ProductReferences,
  work: Work,
): Promise<ProductObservations[]> {
  const { product_ids, skus } = references;
  const paths = productPaths(references);
  const found = await Promise.all(paths.map((path) => view.read(path, productObservationsReading, work)));
  if (found.includes(null)) throw await notFound(view, skus ? 'skus' : 'product_ids', skus ?? product_ids ?? [], found);
  const products = found as ProductObservations[];
  if (skus) refuseRepeated(skus, products);
  return products;
}

/** The problem for products that were not found. It names all of them; the first one determines the code. */
async function notFound(
  view: PublicationFiles,
  name: 'skus' | 'product_ids',
  asked: readonly string[],
  found: readonly (ProductObservations | null)[],
): Promise<ProblemError> {
  const missing = asked.filter((_, position) => found[position] === null);
  if (name === 'product_ids') {
    const reason = `expected ids of published products, got ${missing.join(', ')}`;
    return new ProblemError('PRODUCT_NOT_FOUND', [{ name, reason }]);
  }
  const ambiguous = await ambiguousSkus(view);
  const named = missing.map((sku) => (ambiguous.includes(sku) ? `${sku}, which several products had` : sku));
  const reason = `expected SKUs of one published product each, got ${named.join('; ')}`;
  const isAmbiguous = ambiguous.includes(missing[0] as string);
  return new ProblemError(isAmbiguous ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND', [{ name, reason }]);
}

/** Throws when two SKUs belong to one product, such as a current and a former one: a repeated value, contract.md 3. */
function refuseRepeated(skus: readonly string[], products: readonly ProductObservations[]): void {
  const firstOf = new Map<string, string>();
  for (const [position, { product }] of products.entries()) {
    const sku = skus[position] as string;
    const first = firstOf.get(product.id);
    if (first !== undefined) {
      const reason = `expected different products, got ${first} and ${sku}, which are SKUs of the same one`;
      throw new ProblemError('INVALID_PARAMETER', [{ name: 'skus', reason }]);
    }
    firstOf.set(product.id, sku);
  }
}

/** Bits for the state of a pair. */
export const pairBits = { observed: 1, positive: 2, eligible: 4, restricted: 8, withinPolicy: 16 } as const;

export type ProductObservations = {
  readonly product: ComparisonProduct['product'];
  readonly warnings: readonly Warning[];
  /** The retrieval times, newest first. */
  readonly retrievals: readonly string[];
  /** By number of the store in the directory: the {@link pairBits} of the pair, 0 if it is unchecked. */
  readonly pairs: Uint8Array;
  /** By number of the store: the position of the retrieval that observed the pair. */
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

/**
 * Reads the document at `comparison_product`. Throws when two retrievals have an observation of one store, or differ in
 * the number of stores.
 */
const productObservationsReading: Reading<ProductObservations> = {
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
