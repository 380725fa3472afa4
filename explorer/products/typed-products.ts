import { isAgencyCode } from '../site/site-profile.ts';

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
