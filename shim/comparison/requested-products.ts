import { pathOf } from '../../generator/contract/paths.ts';
import { formerSkuIndex } from '../../generator/contract/product.ts';
import { ProblemError } from '../problem-error.ts';
import type { PublicationView } from '../site/publication-view.ts';
import { type ProductObservations, productObservationsReading } from './product-observations.ts';

/** Products by id or by SKU: one of the two is given. */
export type ProductReferences = {
  readonly productIds: readonly string[] | null;
  readonly skus: readonly string[] | null;
};

/** What is known of the requested products, in the order of the request. Throws a {@link ProblemError}, contract.md 6. */
export async function requestedProducts(
  view: PublicationView,
  { productIds, skus }: ProductReferences,
): Promise<ProductObservations[]> {
  const paths = skus
    ? skus.map((sku) => pathOf('comparison_product_by_sku', { sku }))
    : (productIds ?? []).map((product_id) => pathOf('comparison_product', { product_id }));
  const found = await Promise.all(paths.map((path) => view.read(path, productObservationsReading)));
  const missing = found.indexOf(null);
  if (missing >= 0) throw await notFound(view, skus?.[missing] ?? null);
  const products = found as ProductObservations[];
  if (skus) refuseRepeated(skus, products);
  return products;
}

async function notFound(view: PublicationView, sku: string | null): Promise<ProblemError> {
  if (sku === null) return new ProblemError('PRODUCT_NOT_FOUND');
  const former = await view.document(pathOf('former_skus'), formerSkuIndex);
  return new ProblemError(former?.ambiguous.includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND');
}

/** Two SKUs of one product, a current and a former one, are a repeated value, contract.md 3. */
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
