import { formerSkuIndex } from '../../generator/contract/documents/product.ts';
import { parsePath, pathOf } from '../../generator/contract/paths.ts';
import type { ProblemCode } from '../../generator/contract/problem.ts';
import type { PublicationView } from './publication-view.ts';

/** Which 404 a path without a route is, contract.md 6. */
export async function missingRouteCode(view: PublicationView, path: string): Promise<ProblemCode> {
  const address = parsePath(path);
  const { product_id, sku } = address?.parameters ?? {};
  if (product_id !== undefined) {
    const product = await view.lookup(pathOf('product', { product_id }));
    return product ? 'RESOURCE_NOT_FOUND' : 'PRODUCT_NOT_FOUND';
  }
  if (sku !== undefined) {
    const document = await view.document(pathOf('former_skus'), formerSkuIndex);
    return document?.ambiguous.includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND';
  }
  return 'RESOURCE_NOT_FOUND';
}
