import type { QueryOf } from '../../contract/parameters.ts';
import { formatPath } from '../../contract/paths.ts';
import type { PurchaseEligibility, Warning } from '../../contract/schemas/primitives.ts';
import type { Product } from '../../contract/schemas/product.ts';
import { scopeFault, storePairs } from '../../contract/store-pairs.ts';
import { ProblemError } from '../problems.ts';
import { ambiguousSkus } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import type { Reading } from '../site/reading.ts';
import type { StoreDirectory } from './scope.ts';

/** Products by id or by SKU. Exactly one of the two is given. */
type ProductReferences = Pick<QueryOf<'comparison'>, 'product_ids' | 'skus'>;

function observationsPath(product_id: string): string {
  return formatPath('product_availability', { product_id });
}

/** A requested product as the answer has it, with the observations of it. */
export type RequestedProduct = { readonly product: Product; readonly observations: ProductObservations };

/** The requested products, in the order of the request. Throws a {@link ProblemError}, contract.md 6. */
export async function requestedProducts(
  files: PublicationFiles,
  references: ProductReferences,
  openDirectory: Promise<StoreDirectory>,
): Promise<RequestedProduct[]> {
  const { product_ids = [], skus } = references;
  const paths = skus
    ? skus.map((sku) => formatPath('product_by_sku', { sku }))
    : product_ids.map((product_id) => formatPath('product', { product_id }));
  const products = await files.readAll(paths, productReading);
  const missing = (skus ?? product_ids).filter((_, position) => products[position] === null);
  if (missing.length > 0) throw await (skus ? unknownSkus(files, missing) : unknownIds(missing));
  const found = products as Product[];
  if (skus) refuseRepeated(skus, found);
  const observations = await files.requireAll(
    found.map(({ id }) => observationsPath(id)),
    observationsReading(await openDirectory),
  );
  return found.map((product, position) => ({ product, observations: observations[position] as ProductObservations }));
}

function unknownIds(missing: readonly string[]): ProblemError {
  const reason = `expected ids of published products, got ${missing.join(', ')}`;
  return new ProblemError('PRODUCT_NOT_FOUND', [{ name: 'product_ids', reason }]);
}

async function unknownSkus(files: PublicationFiles, missing: readonly string[]): Promise<ProblemError> {
  const ambiguous = await ambiguousSkus(files);
  const named = missing.map((sku) => (ambiguous.includes(sku) ? `${sku}, which several products had` : sku));
  const reason = `expected SKUs of one published product each, got ${named.join('; ')}`;
  const isAmbiguous = ambiguous.includes(missing[0] as string);
  return new ProblemError(isAmbiguous ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND', [{ name: 'skus', reason }]);
}

/**
 * Throws when two SKUs, such as a current and a former one, belong to one product. They count as a repeated value,
 * contract.md 3.
 */
function refuseRepeated(skus: readonly string[], products: readonly Product[]): void {
  for (const [position, { id }] of products.entries()) {
    const first = products.findIndex((product) => product.id === id);
    if (first === position) continue;
    const reason = `expected different products, got ${skus[first]} and ${skus[position]}, which are SKUs of the same one`;
    throw new ProblemError('INVALID_PARAMETER', [{ name: 'skus', reason }]);
  }
}

/**
 * Bytes of memory for a product, for its observations, and for each retrieval among them, not counting the retrieval's
 * pairs.
 */
const [productMemory, observationsMemory, retrievalMemory] = [2500, 450, 160];

const productFields = Object.keys({
  id: true,
  source_ids: true,
  name: true,
  brand: true,
  brand_id: true,
  package_size: true,
  price: true,
  status: true,
} satisfies Readonly<Record<keyof Product, true>>) as (keyof Product)[];

/** Reads the product's own document, which has more fields than the answer. */
const productReading: Reading<Product> = {
  name: 'requested product',
  memorySize: () => productMemory,
  of(bytes, read) {
    const { data } = read('requested_product', bytes);
    return Object.fromEntries(productFields.map((name) => [name, data[name]])) as Product;
  },
};

/** Bits for the state of a pair; zero if it is unchecked. */
export const pairBits = { observed: 1, positive: 2, eligible: 4, restricted: 8 } as const;

const { observed, positive, eligible, restricted } = pairBits;
const reportBits: Readonly<Record<PurchaseEligibility, number>> = {
  eligible: observed | positive | eligible,
  restricted: observed | positive | restricted,
  not_eligible: observed | positive,
};

/**
 * What a retrieval observed of a product. The character at a store's number has the {@link pairBits} of the pair as its
 * code, because a string takes less memory than an array of bytes.
 */
type Retrieval = { readonly retrievedAt: string; readonly isWithinPolicy: boolean; readonly pairs: string };

/**
 * What was observed of a product, in little memory: a state has ten thousand products, and all of them are asked for.
 */
export type ProductObservations = {
  readonly warnings: readonly Warning[];
  readonly retrievals: readonly Retrieval[];
};

const latin1 = new TextDecoder('latin1');

/**
 * Reads a product's availability. Throws if it is about other stores than those of the directory. The name says which
 * directory it was, because the same availability may stand beside another one in the next publication.
 */
const observationsReading = ({ stores, reading }: StoreDirectory): Reading<ProductObservations> => ({
  name: `observations of a product, directory ${reading}`,
  memorySize: ({ retrievals }) => observationsMemory + retrievals.length * (retrievalMemory + stores.length),
  of(bytes, read) {
    const { data, meta } = read('requested_availability', bytes);
    const fault = scopeFault(data, stores);
    if (fault !== null) throw new Error(`data: ${fault}`);
    const retrievals = new Map<string, Omit<Retrieval, 'pairs'> & { readonly bits: Uint8Array }>();
    for (const [number, pair] of storePairs(data, stores).entries()) {
      const { state, purchase_eligibility, retrieved_at, meets_retrieval_policy } = pair;
      if (retrieved_at === null || state === 'unchecked') continue;
      const key = `${retrieved_at} ${meets_retrieval_policy}`;
      const known = retrievals.get(key)?.bits;
      const bits = known ?? new Uint8Array(stores.length);
      if (!known) retrievals.set(key, { retrievedAt: retrieved_at, isWithinPolicy: meets_retrieval_policy, bits });
      bits[number] = purchase_eligibility === null ? observed : reportBits[purchase_eligibility];
    }
    return {
      warnings: meta.warnings,
      retrievals: [...retrievals.values()].map(({ bits, ...rest }) => ({ ...rest, pairs: latin1.decode(bits) })),
    };
  },
});
