import type { QueryOf } from '../../generator/contract/addresses.ts';
import { requestedAvailability, requestedProduct } from '../../generator/contract/documents/comparison.ts';
import type { Warning } from '../../generator/contract/documents/envelope.ts';
import type { PurchaseEligibility } from '../../generator/contract/documents/observation.ts';
import { type Product, product } from '../../generator/contract/documents/product.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import type { Work } from '../scheduling/work.ts';
import { ambiguousSkus } from '../site/missing-route.ts';
import type { PublicationFiles } from '../site/publication-files.ts';
import { parseJson, type Reading, textMemory, UnreadableError } from '../site/verified-objects.ts';

/** Products by id or by SKU. Exactly one of the two is given. */
type ProductReferences = Pick<QueryOf<'comparison'>, 'product_ids' | 'skus'>;

/** The paths that a comparison reads of products, as far as the request itself names them. */
export function requestedPaths({ product_ids, skus }: ProductReferences): string[] {
  if (skus) return skus.map((sku) => pathOf('product_by_sku', { sku }));
  return (product_ids ?? []).flatMap((product_id) => [pathOf('product', { product_id }), observationsPath(product_id)]);
}

export function observationsPath(product_id: string): string {
  return pathOf('product_availability', { product_id });
}

/** A product of the request, with what was observed of it. */
export type RequestedProduct = DescribedProduct & ProductObservations;

/** The requested products, in their order. Throws a {@link ProblemError}, contract.md 6. */
export async function requestedProducts(
  view: PublicationFiles,
  { product_ids, skus }: ProductReferences,
  work: Work,
): Promise<RequestedProduct[]> {
  const observationsOf = (ids: readonly string[]) =>
    readAll(view, ids.map(observationsPath), observationsReading, work);
  // Only its document says which product a SKU names.
  const described = skus ? productsBySku(view, skus, work) : productsById(view, product_ids ?? [], work);
  const [products, observations] = await Promise.all([
    described,
    product_ids ? observationsOf(product_ids) : described.then((found) => observationsOf(found.map(({ id }) => id))),
  ]);
  return products.map(({ id, json }, position) => {
    const found = observations[position];
    if (!found) throw new UnreadableError(`${observationsPath(id)}: the publication has no such address`, null);
    const { warnings, storeCount, retrievals } = found;
    return { id, json, warnings, storeCount, retrievals };
  });
}

async function productsById(view: PublicationFiles, ids: readonly string[], work: Work): Promise<DescribedProduct[]> {
  const paths = ids.map((product_id) => pathOf('product', { product_id }));
  const [products, missing] = split(await readAll(view, paths, productReading, work), ids);
  if (missing.length === 0) return products;
  const reason = `expected ids of published products, got ${missing.join(', ')}`;
  throw new ProblemError('PRODUCT_NOT_FOUND', [{ name: 'product_ids', reason }]);
}

async function productsBySku(view: PublicationFiles, skus: readonly string[], work: Work): Promise<DescribedProduct[]> {
  const [products, missing] = split(await readAll(view, requestedPaths({ skus }), productReading, work), skus);
  if (missing.length > 0) {
    const ambiguous = await ambiguousSkus(view);
    const named = missing.map((sku) => (ambiguous.includes(sku) ? `${sku}, which several products had` : sku));
    const reason = `expected SKUs of one published product each, got ${named.join('; ')}`;
    const isAmbiguous = ambiguous.includes(missing[0] as string);
    throw new ProblemError(isAmbiguous ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND', [{ name: 'skus', reason }]);
  }
  refuseRepeated(skus, products);
  return products;
}

/** The products that were found, and the names of those that were not. */
function split(
  products: readonly (DescribedProduct | null)[],
  names: readonly string[],
): [found: DescribedProduct[], missing: string[]] {
  return [products.filter((product) => product !== null), names.filter((_, position) => products[position] === null)];
}

/** The value at each path; null where there is none. Most of them are at hand, and are not waited for. */
async function readAll<Value>(
  view: PublicationFiles,
  paths: readonly string[],
  reading: Reading<Value>,
  work: Work,
): Promise<(Value | null)[]> {
  const known = paths.map((path) => view.known?.(path, reading, work));
  const missing = paths.filter((_, position) => known[position] === undefined);
  if (missing.length === 0) return known as Value[];
  await view.locate(missing, work);
  return Promise.all(paths.map((path, position) => known[position] ?? view.read(path, reading, work)));
}

/** Throws when two SKUs belong to one product, such as a current and a former one: a repeated value, contract.md 3. */
function refuseRepeated(skus: readonly string[], products: readonly DescribedProduct[]): void {
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

/** `json`: the product as it is in the answer. */
type DescribedProduct = { readonly id: string; readonly json: string };

/** Bytes of memory that a product takes beside its text. */
const productMemory = 160;

const productFields = Object.keys(product.shape) as (keyof Product)[];

/** Reads the product's own document, which has more fields than the answer. */
const productReading: Reading<DescribedProduct> = {
  name: 'requested product',
  memoryOf: ({ json }) => productMemory + textMemory(json),
  of(bytes) {
    const { data } = parseJson(requestedProduct, bytes);
    return { id: data.id, json: JSON.stringify(Object.fromEntries(productFields.map((name) => [name, data[name]]))) };
  },
};

/** Bits for the state of a pair; none where it is unchecked. */
export const pairBits = { observed: 1, positive: 2, eligible: 4, restricted: 8 } as const;

const { observed, positive, eligible, restricted } = pairBits;
const bitsOfReport: Readonly<Record<PurchaseEligibility, number>> = {
  eligible: observed | positive | eligible,
  restricted: observed | positive | restricted,
  not_eligible: observed | positive,
};

/**
 * What a retrieval observed of a product. By number of the store, the code of a character is the {@link pairBits} of the pair.
 * A text has no memory beside its characters, as an array of bytes has.
 */
type Retrieval = { readonly retrievedAt: string; readonly isWithinPolicy: boolean; readonly pairs: string };

/**
 * What was observed of a product, in little memory: a state has ten thousand of them, and every one is asked for.
 */
export type ProductObservations = {
  readonly warnings: readonly Warning[];
  /** How many stores the availability has. They are those that a comparison can choose from, in the same order. */
  readonly storeCount: number;
  readonly retrievals: readonly Retrieval[];
};

/** Bytes of memory that objects and arrays take for the observations of a product, and for each retrieval. */
const [observationsMemory, retrievalMemory] = [200, 160];

const latin1 = new TextDecoder('latin1');

/** Reads the product's availability. Throws when its stores are not in order of id. */
const observationsReading: Reading<ProductObservations> = {
  name: 'observations of a product',
  memoryOf: ({ storeCount, retrievals }) => observationsMemory + retrievals.length * (retrievalMemory + storeCount),
  of(bytes) {
    const { data, meta } = parseJson(requestedAvailability, bytes);
    const storeCount = data.stores.length;
    const retrievals = new Map<string, Omit<Retrieval, 'pairs'> & { readonly bits: Uint8Array }>();
    let before = '';
    for (const [number, row] of data.stores.entries()) {
      const { store_id, state, purchase_eligibility, retrieved_at, meets_retrieval_policy } = row;
      if (store_id <= before) throw new Error(`data.stores.${number}: expected an id after ${before}, got ${store_id}`);
      before = store_id;
      if (retrieved_at === null || state === 'unchecked') continue;
      const key = `${retrieved_at} ${meets_retrieval_policy}`;
      const known = retrievals.get(key)?.bits;
      const bits = known ?? new Uint8Array(storeCount);
      if (!known) retrievals.set(key, { retrievedAt: retrieved_at, isWithinPolicy: meets_retrieval_policy, bits });
      bits[number] = purchase_eligibility === null ? observed : bitsOfReport[purchase_eligibility];
    }
    return {
      warnings: meta.warnings,
      storeCount,
      retrievals: [...retrievals.values()].map(({ bits, ...rest }) => ({ ...rest, pairs: latin1.decode(bits) })),
    };
  },
};
