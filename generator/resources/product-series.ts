import type { ProductSeries as SeriesData } from '../contract/documents/product-series.ts';
import { pathOf } from '../contract/paths.ts';
import { currency } from '../contract/primitives.ts';
import type { VersionRow } from '../database/product-series.ts';
import type { Availability } from '../model/availability.ts';
import type { Product } from '../model/product.ts';
import type { ProductSeries } from '../model/product-series.ts';
import type { State } from '../model/state.ts';
import { changing, type Document, warningList } from './document.ts';
import { identityOf, productWarnings } from './product.ts';

/** `/products/{id}/series.json`. It names no current publication, so it changes only when the product does. */
export function seriesDocument(
  state: State,
  product: Product,
  availability: Availability,
  { attempts, prices, statuses, presence }: ProductSeries,
): Document {
  /** When the catalog was retrieved that each step is of. */
  const steps = (versions: readonly VersionRow[]) => ({
    publication: versions.map(({ publication }) => publication),
    at: versions.map(({ publication }) => state.publicationAt(publication).catalog_retrieved_at),
  });
  const value: SeriesData = {
    product: identityOf(product),
    warnings: warningList(productWarnings(state, product, availability)),
    currency,
    retention_days: state.publication.history_days,
    retrievals: {
      publication: attempts.map(({ publication }) => publication),
      attempted_at: attempts.map(({ attempted_at }) => attempted_at),
      succeeded: attempts.map(({ status }) => status === 'succeeded'),
      reported_positive_store_count: attempts.map((attempt) => attempt.reported_positive_store_count),
      reported_quantity: attempts.map(({ reported_quantity }) => reported_quantity),
    },
    prices: { ...steps(prices), price_minor: prices.map(({ price_minor }) => price_minor) },
    statuses: {
      ...steps(statuses),
      code: statuses.map(({ code }) => code),
      label: statuses.map(({ label }) => label),
      lifecycle: statuses.map(({ lifecycle }) => lifecycle as SeriesData['statuses']['lifecycle'][number]),
    },
    presence: { ...steps(presence), catalog_presence: presence.map(({ catalog_presence }) => catalog_presence) },
  };
  return changing(pathOf('product_series', { product_id: product.id }), value);
}
