import { isAgencyCode } from '../app/site-profile.ts';

/**
 * The products that a text names, each as it was typed: a SKU, or words of a name. Commas, semicolons, tabs and line breaks
 * separate them; spaces do so between SKUs.
 */
export function typedProducts(text: string): string[] {
  const parts = text.split(/[,;\t\r\n]+/).map((part) => part.trim());
  const products = parts.flatMap((part) => {
    const words = part.split(/\s+/);
    return words.every((word) => isAgencyCode('sku', word)) ? words : [part];
  });
  return [...new Set(products)].filter(Boolean);
}

/** A pasted text for a field of one line, which would join its lines. */
export function pastedLine(text: string): string {
  return text.trim().replace(/\s*[\t\r\n]+\s*/g, ', ');
}
