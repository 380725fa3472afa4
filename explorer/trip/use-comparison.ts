import { ProblemError, type Site } from '../../client/open-site.ts';
import type { ProductAvailability, StorePair } from '../../contract/schemas/product.ts';
import type { Comparison } from '../../contract/schemas/store.ts';
import { storePairs } from '../../contract/store-pairs.ts';
import { type Loaded, useKept, useLoaded } from '../site/session.ts';
import { readStores, storesInScope } from '../site/stores-and-categories.ts';
import type { Place } from '../stores/gazetteer.ts';
import { comparisonQuestion, type Question } from './question.ts';

/** A product requested by SKU. `availability` null: no published product has this SKU. */
export type SkuAvailability = { readonly sku: string; readonly availability: TripAvailability | null };

/** What is known about a product in every store in scope. */
export type TripAvailability = Pick<ProductAvailability, 'product' | 'summary'> & {
  readonly stores: readonly StorePair[];
};

/** The requested products, with what every store reports about them. */
export function useProducts(skus: readonly string[]): Loaded<readonly SkuAvailability[]> {
  return useKept(
    useLoaded(`products ${skus.join()}`, (site, signal) =>
      Promise.all(skus.map((sku) => askedProduct(site, sku, signal))),
    ),
  );
}

async function askedProduct(site: Site, sku: string, signal: AbortSignal): Promise<SkuAvailability> {
  try {
    const product = await site.product.bySku(sku, { signal });
    const [{ data }, stores] = await Promise.all([
      site.product.availability(product.data.id, { signal }),
      readStores(site),
    ]);
    const { product: named, summary } = data;
    return { sku, availability: { product: named, summary, stores: storePairs(data, storesInScope(stores)) } };
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) return { sku, availability: null };
    throw error;
  }
}

/** The SKUs of distinct products, as far as known. The API refuses unknown SKUs and duplicate products. */
export function comparableSkus(skus: readonly string[], products: readonly SkuAvailability[]): string[] {
  const seen = new Set<string>();
  return skus.filter((sku) => {
    const asked = products.find((product) => product.sku === sku);
    if (asked === undefined) return true;
    const id = asked.availability?.product.id;
    if (id === undefined || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

export type Compared = { readonly comparison: Comparison; readonly isFromHost: boolean };

/** The answer to a question; null while the question is incomplete. */
export function useComparison(question: Question, place: Place | null): Loaded<Compared> | null {
  const asked = comparisonQuestion(question, place);
  const loaded = useLoaded(asked && `comparison ${JSON.stringify(asked)}`, async (site, signal) => {
    if (asked === null) throw new Error('there is nothing to compare yet');
    const comparison = await site.compare(asked, { signal });
    return { comparison, isFromHost: await site.computes({ signal }) };
  });
  return asked && loaded;
}
