import { uuidPattern } from '../../contract/paths.ts';
import type { ProblemCode } from '../../contract/problem.ts';
import type { PlainSite } from './plain-site.ts';

/**
 * Which 404 it is, contract.md 6, by a regular expression of the path that was asked for. What none of them fits is
 * `RESOURCE_NOT_FOUND`.
 */
export function notFoundRules({ ambiguousSkus }: PlainSite): (readonly [pattern: string, code: ProblemCode])[] {
  return [
    ...(ambiguousSkus.length === 0
      ? []
      : [[`^/v1/products/by-sku/(${ambiguousSkus.join('|')})$`, 'SKU_AMBIGUOUS'] as const]),
    ['^/v1/products/by-sku/[0-9]{6}$', 'SKU_NOT_FOUND'],
    ['^/v1/availability/products/by-sku/[0-9]{6}\\.json$', 'SKU_NOT_FOUND'],
    [`^/v1/products/${uuidPattern}(/availability|/changes(/pages\\.json)?)?$`, 'PRODUCT_NOT_FOUND'],
    [`^/v1/availability/products/${uuidPattern}\\.json$`, 'PRODUCT_NOT_FOUND'],
  ];
}
