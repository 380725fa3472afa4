import * as z from 'zod';
import { parsePath, pathOf } from '../generator/contract/paths.ts';
import { sku } from '../generator/contract/primitives.ts';
import type { ProblemCode } from '../generator/contract/problem.ts';
import type { PublicationView } from './publication-view.ts';

/** Former SKUs that several products had. They have no route of their own. */
const formerSkusPath = '/v1/products/former-skus.json';
const formerSkus = z.object({ ambiguous: z.array(sku) });

/** Which 404 a path without a route is, contract.md 6. */
export async function missingRouteCode(view: PublicationView, path: string): Promise<ProblemCode> {
  const address = parsePath(path);
  const { product_id, sku } = address?.parameters ?? {};
  if (product_id !== undefined) {
    const product = await view.lookup(pathOf('product', { product_id }));
    return product ? 'RESOURCE_NOT_FOUND' : 'PRODUCT_NOT_FOUND';
  }
  if (sku !== undefined) {
    const document = await view.document(formerSkusPath, formerSkus);
    return document?.ambiguous.includes(sku) ? 'SKU_AMBIGUOUS' : 'SKU_NOT_FOUND';
  }
  return 'RESOURCE_NOT_FOUND';
}
