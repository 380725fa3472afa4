import type { QueryOf } from '../../generator/contract/addresses.ts';
import { comparisonProduct, type PairLetter, pairLetters } from '../../generator/contract/documents/comparison.ts';
import type { Warning } from '../../generator/contract/documents/envelope.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import type { Work } from '../scheduling/work.ts';
import { ambiguousSkus } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { parseJson, type Reading, textMemory } from '../site/verified-objects.ts';

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
  const found = await observationsAt(view, productPaths(references), work);
  if (found.includes(null)) throw await notFound(view, skus ? 'skus' : 'product_ids', skus ?? product_ids ?? [], found);
  const products = found as ProductObservations[];
  if (skus) refuseRepeated(skus, products);
  return products;
}

/** The observations at each path; null where there are none. Most of them are at hand, and are not waited for. */
async function observationsAt(
  view: PublicationFiles,
  paths: readonly string[],
  work: Work,
): Promise<(ProductObservations | null)[]> {
  const known = paths.map((path) => view.known?.(path, productObservationsReading, work));
  const missing = paths.filter((_, position) => known[position] === undefined);
  if (missing.length > 0) await view.locate(missing, work);
  return Promise.all(
    paths.map((path, position) => known[position] ?? view.read(path, productObservationsReading, work)),
  );
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
  if (new Set(products).size === products.length) return;
  const firstOf = new Map<string, string>();
  for (const [position, { id }] of products.entries()) {
    const sku = skus[position] as string;
    const first = firstOf.get(id);
    if (first !== undefined) {
      const reason = `expected different products, got ${first} and ${sku}, which are SKUs of the same one`;
      throw new ProblemError('INVALID_PARAMETER', [{ name: 'skus', reason }]);
    }
    firstOf.set(id, sku);
  }
}

/** Bits for the state of a pair. */
export const pairBits = { observed: 1, positive: 2, eligible: 4, restricted: 8 } as const;

const { observed, positive, eligible, restricted } = pairBits;
const bitsOf: Readonly<Record<PairLetter, number>> = {
  [pairLetters.eligible]: observed | positive | eligible,
  [pairLetters.restricted]: observed | positive | restricted,
  [pairLetters.not_eligible]: observed | positive,
  [pairLetters.reported_zero]: observed,
  [pairLetters.row_absent]: observed,
  [pairLetters.unchecked]: 0,
};

/** By character code of a letter: the {@link pairBits} that it stands for, 0 if the pair is unchecked. */
export const bitsOfCode = Uint8Array.from(
  { length: 128 },
  (_, code) => bitsOf[String.fromCharCode(code) as PairLetter] ?? 0,
);

/** What a retrieval observed of a product. `letters` has a letter for each store, by number. */
type Retrieval = { readonly retrievedAt: string; readonly isWithinPolicy: boolean; readonly letters: string };

/**
 * What a comparison needs of a product, in little memory: a state has ten thousand of them, and every one is asked for.
 */
export type ProductObservations = {
  readonly id: string;
  /** The product as JSON, as it is in the answer. */
  readonly json: string;
  readonly warnings: readonly Warning[];
  /** Newest first. Their letters have equal length, and at most one of them says something about a store. */
  readonly retrievals: readonly Retrieval[];
};

/** Bytes of memory that objects and arrays take for a product, and for each retrieval. */
const [productMemory, retrievalMemory] = [320, 160];

/**
 * Reads the document at `comparison_product`. Throws when two retrievals have an observation of one store, or differ in
 * the number of stores.
 */
const productObservationsReading: Reading<ProductObservations> = {
  name: 'comparison product',
  memoryOf: ({ json, retrievals }) =>
    retrievals.reduce((sum, { letters }) => sum + retrievalMemory + letters.length, productMemory + textMemory(json)),
  of(bytes) {
    const { product, warnings, observations } = parseJson(comparisonProduct, bytes);
    refuseContradictions(observations.map(({ stores }) => stores));
    const retrievals = observations.map(({ retrieved_at, meets_retrieval_policy, stores }) => ({
      retrievedAt: retrieved_at,
      isWithinPolicy: meets_retrieval_policy,
      letters: stores,
    }));
    return { id: product.id, json: JSON.stringify(product), warnings, retrievals };
  },
};

function refuseContradictions(letters: readonly string[]): void {
  const count = letters[0]?.length ?? 0;
  const isObserved = new Uint8Array(letters.length > 1 ? count : 0);
  for (const [retrieval, stores] of letters.entries()) {
    const where = `observations.${retrieval}.stores`;
    if (stores.length !== count) throw new Error(`${where}: expected ${count} letters, got ${stores.length}`);
    if (letters.length === 1) return;
    for (let store = 0; store < count; store += 1) {
      if (stores[store] === pairLetters.unchecked) continue;
      if (isObserved[store] === 1)
        throw new Error(`${where}: expected nothing of store ${store}, which has an observation`);
      isObserved[store] = 1;
    }
  }
}
