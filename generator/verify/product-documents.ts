import type { Warning } from '../contract/documents/envelope.ts';
import type { ProductAvailability, ProductDetail } from '../contract/documents/product.ts';
import type { Route } from '../contract/formats/site.ts';
import { parsePath, pathOf } from '../contract/paths.ts';
import { documentAt, type SiteUnderCheck, type VerifyProgress } from './documents.ts';

/** A product with its own documents. A document is null when it cannot be read. */
export type ProductVisit = {
  readonly id: string;
  /** The route of the product's document. */
  readonly route: Route;
  readonly document: { readonly data: ProductDetail; readonly meta: { readonly warnings: readonly Warning[] } } | null;
  readonly availability: ProductAvailability | null;
  readonly availabilityWarnings: readonly Warning[] | null;
};

/** Reads the documents of each product once, for all checks that compare something with them. */
export function visitProducts(
  site: SiteUnderCheck,
  progress: VerifyProgress,
  check: (visit: ProductVisit) => void,
): void {
  const routes = [...site.table.routes.values()].filter(({ path }) => parsePath(path)?.kind === 'product');
  for (const [done, route] of routes.entries()) {
    if (done % 100 === 0) progress('comparing products', done, routes.length);
    const id = parsePath(route.path)?.parameters.product_id;
    if (id === undefined) continue;
    const availability = documentAt<{ data: ProductAvailability; meta: { warnings: Warning[] } }>(
      site,
      pathOf('product_availability', { product_id: id }),
    );
    check({
      id,
      route,
      document: documentAt(site, route.path),
      availability: availability?.data ?? null,
      availabilityWarnings: availability?.meta.warnings ?? null,
    });
  }
}
