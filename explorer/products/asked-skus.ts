import { expectedAgencyCode, isAgencyCode } from '../app/site-profile.ts';
import type { UnusedPart } from '../components/unused-part.ts';

/** The SKUs of `skus` in an address, each once, and at most so many. */
export function askedSkus(query: URLSearchParams, most: number): string[] {
  return skusIn(query.get('skus') ?? '', most);
}

/** The SKUs of a list such as `014100,001204`, each once, and at most so many. */
export function skusIn(list: string, most: number): string[] {
  return listParts(list).filter(isSku).slice(0, most);
}

/** What of `skus` is left out. */
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

/** Every part of a list once. A list is written by hand or cut at times. */
function listParts(list: string): string[] {
  return [...new Set(list.split(','))].filter(Boolean);
}

function isSku(text: string): boolean {
  return isAgencyCode('sku', text);
}
