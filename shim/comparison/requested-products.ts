import type { QueryOf } from '../../generator/contract/addresses.ts';
import { requestedAvailability, requestedProduct } from '../../generator/contract/documents/comparison.ts';
import type { Warning } from '../../generator/contract/documents/envelope.ts';
import type { PurchaseEligibility } from '../../generator/contract/documents/observation.ts';
import { type Product, product } from '../../generator/contract/documents/product.ts';
import { pathOf } from '../../generator/contract/paths.ts';
import { ProblemError } from '../problems.ts';
import { readingUnits, type Work } from '../scheduling/work.ts';
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

/** A product of the request, with what was observed of it. `units`: the work of reading it. */
export type RequestedProduct = DescribedProduct & ProductObservations;

/** Bytes of memory that a product takes beside its text, and for each retrieval. */
const [productMemory, retrievalMemory] = [450, 160];

/** The requested products, in their order. Throws a {@link ProblemError}, contract.md 6. */
export async function requestedProducts(
  view: PublicationFiles,
  { product_ids, skus }: ProductReferences,
  work: Work,
): Promise<RequestedProduct[]> {
  const names = skus ?? product_ids ?? [];
  const keyOf = (name: string) => (skus ? `product of SKU ${name}` : `product ${name}`);
  const kept = names.map((name) => view.kept?.<RequestedProduct>(keyOf(name)));
  for (const product of kept) if (product) work.charge(product.units);
  const unread = names.filter((_, position) => kept[position] === undefined);
  if (unread.length > 0) await view.locate(requestedPaths(skus ? { skus: unread } : { product_ids: unread }), work);
  const read = async (name: string) => {
    const product = await (skus ? readBySku(view, name, work) : readById(view, name, work));
    if (product) view.keep?.(keyOf(name), product, memoryOf(product));
    return product;
  };
  const found =
    unread.length === 0 ? kept : await Promise.all(names.map((name, position) => kept[position] ?? read(name)));
  const missing = names.filter((_, position) => found[position] === null);
  if (missing.length > 0) throw await (skus ? unknownSkus(view, missing) : unknownIds(missing));
  if (skus) refuseRepeated(skus, found as RequestedProduct[]);
  return found as RequestedProduct[];
}

function memoryOf({ json, storeCount, retrievals }: RequestedProduct): number {
  return productMemory + textMemory(json) + retrievals.length * (retrievalMemory + storeCount);
}

async function readById(view: PublicationFiles, product_id: string, work: Work): Promise<RequestedProduct | null> {
  const [product, observations] = await Promise.all([
    view.read(pathOf('product', { product_id }), productReading, work),
    view.read(observationsPath(product_id), observationsReading, work),
  ]);
  return product && whole(product, observations);
}

/** Only its document says which product a SKU names. */
async function readBySku(view: PublicationFiles, sku: string, work: Work): Promise<RequestedProduct | null> {
  const product = await view.read(pathOf('product_by_sku', { sku }), productReading, work);
  return product && whole(product, await view.read(observationsPath(product.id), observationsReading, work));
}

function whole(product: DescribedProduct, observations: ProductObservations | null): RequestedProduct {
  const path = observationsPath(product.id);
  if (!observations) throw new UnreadableError(`${path}: the publication has no such address`, null);
  return { ...product, ...observations, units: product.units + observations.units };
}

function unknownIds(missing: readonly string[]): ProblemError {
  const reason = `expected ids of published products, got ${missing.join(', ')}`;
  return new ProblemError('PRODUCT_NOT_FOUND', [{ name: 'product_ids', reason }]);
}

async function unknownSkus(view: PublicationFiles, missing: readonly string[]): Promise<ProblemError> {
  const ambiguous = await ambiguousSkus(view);
  const named = missing.map((sku) => (ambiguous.includes(sku) ? `${sku}, which several products had` : sku));
  const reason = `expected SKUs of one published product each, got ${named.join('; ')}`;
  const isAmbiguous = ambiguous.includes(missing[0] as string);
  return new ProblemError(isAmbiguous ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND', [{ name: 'skus', reason }]);
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
type DescribedProduct = { readonly id: string; readonly json: string; readonly units: number };

/** Parts of a product are not kept, because the whole is. */
const notKept = () => Number.POSITIVE_INFINITY;

const productFields = Object.keys(product.shape) as (keyof Product)[];

/** Reads the product's own document, which has more fields than the answer. */
const productReading: Reading<DescribedProduct> = {
  name: 'requested product',
  memoryOf: notKept,
  of(bytes) {
    const { data } = parseJson(requestedProduct, bytes);
    const json = JSON.stringify(Object.fromEntries(productFields.map((name) => [name, data[name]])));
    return { id: data.id, json, units: readingUnits(bytes.length) };
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
  readonly units: number;
  readonly warnings: readonly Warning[];
  /** How many stores the availability has. They are those that a comparison can choose from, in the same order. */
  readonly storeCount: number;
  readonly retrievals: readonly Retrieval[];
};

const latin1 = new TextDecoder('latin1');

/** Reads the product's availability. Throws when its stores are not in order of id. */
const observationsReading: Reading<ProductObservations> = {
  name: 'observations of a product',
  memoryOf: notKept,
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
      units: readingUnits(bytes.length),
      warnings: meta.warnings,
      storeCount,
      retrievals: [...retrievals.values()].map(({ bits, ...rest }) => ({ ...rest, pairs: latin1.decode(bits) })),
    };
  },
};
