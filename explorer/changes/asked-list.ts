import type { UnusedPart } from '../parts/unused-parts.tsx';
import { askedSkus, unusedSkus } from '../products/asked-skus.ts';
import { mostWatched, type WatchList } from './watch-list.ts';

/* The list in the address of the Watch view. */

/** The list in the address; null if the address has none. */
export function parseList(query: URLSearchParams): WatchList | null {
  if (!['skus', 'brands', 'categories'].some((name) => query.has(name))) return null;
  return {
    skus: askedSkus(query, mostWatched.skus),
    brands: listCodes(query, 'brands').filter(isCode).slice(0, mostWatched.brands),
    categories: listCodes(query, 'categories').filter(isCode).slice(0, mostWatched.categories),
  };
}

export function unusedListParts(query: URLSearchParams): UnusedPart[] {
  const names = (['brands', 'categories'] as const).flatMap((name) => {
    const codes = listCodes(query, name);
    const unlike = codes.filter((code) => !isCode(code));
    const beyond = codes.filter(isCode).slice(mostWatched[name]);
    return [
      ...(unlike.length === 0
        ? []
        : [{ name, value: unlike.join(', '), expected: `names of ${name} as addresses have them` }]),
      ...(beyond.length === 0
        ? []
        : [{ name, value: beyond.join(', '), expected: `at most ${mostWatched[name]} ${name}` }]),
    ];
  });
  return [...unusedSkus(query, mostWatched.skus), ...names];
}

function listCodes(query: URLSearchParams, name: 'brands' | 'categories'): string[] {
  return [...new Set((query.get(name) ?? '').split(','))].filter(Boolean);
}

function isCode(text: string): boolean {
  return /^[\w-]+$/.test(text);
}
