import { isAgencyCode } from '../components/site-profile.ts';

/** As many products as one comparison of the service takes. */
export const mostProducts = 25;

/** Every part of a list of SKUs once. A list is written by hand or cut at times. */
export function partsOf(list: string): string[] {
  return [...new Set(list.split(','))].filter(Boolean);
}

export function isSku(text: string): boolean {
  return isAgencyCode('sku', text);
}

/** The SKUs of a list such as `014100,001204`, as many as a trip holds. */
export function skusIn(list: string): readonly string[] {
  return partsOf(list).filter(isSku).slice(0, mostProducts);
}

/** Whether two lists have the same SKUs, in any order. Neither has one twice. */
export function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((sku) => b.includes(sku));
}
