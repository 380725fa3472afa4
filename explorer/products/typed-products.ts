import { countNoun } from '../parts/text.ts';
import { isAgencyCode } from '../site/site-profile.ts';
import type { ProductChoice, ProductChoices } from './product-choices.tsx';

/** The most matches to list. */
export const mostHits = 8;

/** What was typed, and the products that it may mean: none if none matches, several if the reader has to choose. */
export type Entry = { readonly typed: string; readonly products: readonly ProductChoice[] };

/**
 * The products in a text, as typed: SKUs or words of names. Commas, semicolons, tabs and line breaks separate them, and
 * spaces separate SKUs.
 */
export function typedProducts(text: string): string[] {
  const parts = text.split(/[,;\t\r\n]+/).map((part) => part.trim());
  const products = parts.flatMap((part) => {
    const words = part.split(/\s+/);
    return words.every((word) => isAgencyCode('sku', word)) ? words : [part];
  });
  return [...new Set(products)].filter(Boolean);
}

/** Prepares a pasted text for a single-line field, which would join its lines. */
export function pastedLine(text: string): string {
  return text.trim().replace(/\s*[\t\r\n]+\s*/g, ', ');
}

/** What a typed part means: a SKU itself, or the best matches for words. */
export function entryFor(typed: string, choices: ProductChoices | null): Entry {
  if (isAgencyCode('sku', typed))
    return { typed, products: [choices?.named(typed) ?? { sku: typed, name: typed, facts: null }] };
  return { typed, products: choices?.meant(typed) ?? [] };
}

/** Why a typed part was not added. */
export function leftText({ typed, products }: Entry): string {
  return products.length === 0 ? `No product matches “${typed}”.` : `“${typed}” could be several products: choose one.`;
}

/** Says what Enter does. */
export function hint(
  typed: readonly string[],
  hits: number,
  entries: readonly Entry[],
  isLoaded: boolean,
  isChosen: boolean,
): string {
  if (typed.length === 0 || !isLoaded) return '';
  if (entries.length > 0) {
    const found = entries.filter(({ products }) => products.length === 1).length;
    const isAll = found === entries.length;
    return found === 0
      ? ''
      : `Enter adds ${isAll ? 'these' : 'the'} ${countNoun(found, 'product')}${isAll ? '' : ' that are certain'}.`;
  }
  if (hits === 0) return typed.every((one) => isAgencyCode('sku', one)) ? 'Enter adds this SKU.' : 'No products.';
  const first =
    hits > mostHits ? `The first ${mostHits} of ${countNoun(hits, 'product')}.` : `${countNoun(hits, 'product')}.`;
  return `${first} ${isChosen ? 'Enter adds the highlighted one.' : 'Choose one: several match as well.'}`;
}

export function doneText(
  { added, said }: { readonly added: readonly string[]; readonly said: readonly string[] },
  choices: ProductChoices | null,
): string {
  const names = added.map((sku) => choices?.named(sku)?.name ?? sku).join(', ');
  return [...(added.length === 0 ? [] : [`Added ${names}.`]), ...said].join(' ');
}
