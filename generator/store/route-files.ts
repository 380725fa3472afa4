import { checkoutPath } from '../contract/paths.ts';
import type { Route } from '../contract/site.ts';

/** A file of a checkout: where it stands below the checkout's folder, and the object whose second name it is. */
export type RouteFile = { readonly name: string; readonly sha256: string };

/** The files of a route: the answer itself, then its variants, beside it under the names that web servers look for. */
export function filesOf({ path, sha256, variants = [] }: Pick<Route, 'path' | 'sha256' | 'variants'>): RouteFile[] {
  const files = [{ name: checkoutPath(path), sha256 }];
  for (const variant of variants) files.push({ name: checkoutPath(path, variant.encoding), sha256: variant.sha256 });
  return files;
}
