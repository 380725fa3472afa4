import { formerSkuIndex } from '../../generator/contract/documents/product.ts';
import { parsePath, pathOf } from '../../generator/contract/paths.ts';
import type { ProblemCode } from '../../generator/contract/problem.ts';
import type { PublicationFiles } from './publication-files.ts';
import { jsonReading } from './verified-objects.ts';

/** The problem code for a path without a route, contract.md 6. */
export async function missingRouteCode(view: PublicationFiles, path: string): Promise<ProblemCode> {
  const address = parsePath(path);
  const { product_id, sku } = address?.parameters ?? {};
  if (product_id !== undefined) {
    const isKnown = await view.has(pathOf('product', { product_id }));
    return isKnown ? 'RESOURCE_NOT_FOUND' : 'PRODUCT_NOT_FOUND';
  }
  if (sku !== undefined) {
    return (await ambiguousSkus(view)).includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND';
  }
  return 'RESOURCE_NOT_FOUND';
}

const formerSkus = pathOf('former_skus');
const formerSkusReading = jsonReading(formerSkus, formerSkuIndex);

/** The former SKUs that several products had. */
export async function ambiguousSkus(view: PublicationFiles): Promise<readonly string[]> {
  return (await view.read(formerSkus, formerSkusReading))?.ambiguous ?? [];
}
