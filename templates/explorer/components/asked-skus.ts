import { expectedAgencyCode, isAgencyCode } from './site-profile.ts';
import type { UnusedPart } from './unused-part.ts';

/** The SKUs of `skus` in an address, each once, and at most so many. */
export function askedSkus(query: URLSearchParams, most: number): string[] {
  return givenSkus(query).filter(isSku).slice(0, most);
}

/** What of `skus` is left out. */
export function unusedSkus(query: URLSearchParams, most: number): UnusedPart[] {
  const skus = givenSkus(query);
  const parts = [
    { value: skus.filter((sku) => !isSku(sku)), expected: expectedAgencyCode('sku', true) },
    { value: skus.filter(isSku).slice(most), expected: `at most ${most} products` },
  ];
  return parts.flatMap(({ value, expected }) =>
    value.length === 0 ? [] : [{ name: 'skus', value: value.join(', '), expected }],
  );
}

function givenSkus(query: URLSearchParams): string[] {
  return [...new Set((query.get('skus') ?? '').split(','))].filter(Boolean);
}

function isSku(text: string): boolean {
  return isAgencyCode('sku', text);
}
