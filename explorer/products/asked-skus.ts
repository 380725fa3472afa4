import type { UnusedPart } from '../parts/unused-parts.tsx';
import { expectedAgencyCode, isAgencyCode } from '../site/site-profile.ts';

/** The distinct SKUs in the `skus` parameter of an address, at most `most`. */
export function askedSkus(query: URLSearchParams, most: number): string[] {
  return skusIn(query.get('skus') ?? '', most);
}

/** The distinct SKUs in a list such as `014100,001204`, at most `most`. */
export function skusIn(list: string, most: number): string[] {
  return listParts(list).filter(isSku).slice(0, most);
}

/** The parts of `skus` that are ignored. */
export function unusedSkus(query: URLSearchParams, most: number): UnusedPart[] {
  const skus = listParts(query.get('skus') ?? '');
  const parts = [
    { value: skus.filter((sku) => !isSku(sku)), expected: expectedAgencyCode('sku', true) },
    { value: skus.filter(isSku).slice(most), expected: `at most ${most} products` },
  ];
  return parts.flatMap(({ value, expected }) =>
    value.length === 0 ? [] : [{ name: 'skus', value: value.join(', '), expected }],
  );
}

/** The distinct parts of a list. Lists are sometimes typed by hand or cut off. */
function listParts(list: string): string[] {
  return [...new Set(list.split(','))].filter(Boolean);
}

function isSku(text: string): boolean {
  return isAgencyCode('sku', text);
}
