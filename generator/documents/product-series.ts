import { formatPath } from '../../contract/paths.ts';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import type { AttemptRow, PriceRow, SeriesReader, VersionRow } from '../database/series-reader.ts';
import type { Availability } from './availability.ts';
import { changing, type Document, warningList } from './document.ts';
import { type Product, productIdentity, productWarnings } from './product.ts';
import type { State } from './state.ts';

/** The retained rows of a product by publication: its attempts, and the versions that changed something. */
export type SeriesRows = ReturnType<typeof readSeries>;

/** The keys of the stores in each scope. */
type Scopes = State['scopes'];

/**
 * Publications up to `lastExpired` have expired. Their rows are dropped, except for the state in force when retention
 * begins: the last step of each kind, and the attempts since the last success, or only the last attempt if none
 * succeeded.
 */
export function readSeries(reader: SeriesReader, product: number, lastExpired: number, scopes: Scopes) {
  const versions = reader.versions(product);
  const steps = (isStep: (before: VersionRow, version: VersionRow) => boolean) =>
    retained(
      versions.filter((version, index) => {
        const before = versions[index - 1];
        return before === undefined || isStep(before, version);
      }),
      lastExpired,
    );
  return {
    attempts: retained(
      withCheckedStores(reader.attempts(product), scopes),
      lastExpired,
      ({ status }) => status === 'succeeded',
    ),
    prices: steps((a, b) => a.price_minor !== b.price_minor),
    statuses: steps((a, b) => a.code !== b.code || a.label !== b.label || a.lifecycle !== b.lifecycle),
    presence: steps((a, b) => a.catalog_presence !== b.catalog_presence),
  };
}

/** Counts the stores that were ever checked up to each attempt, because an observation counts until the next one. */
function withCheckedStores(attempts: readonly AttemptRow[], scopes: Scopes) {
  const checked = new Set<number>();
  let last: number | null = null;
  return attempts.map((attempt) => {
    // Most attempts have the scope of the one before.
    if (attempt.scope !== null && attempt.scope !== last)
      for (const store of scopes.get(attempt.scope) ?? []) checked.add(store);
    last = attempt.scope ?? last;
    return { ...attempt, checked_store_count: attempt.scope === null ? null : checked.size };
  });
}

/** The price steps of all products, by product key. They equal the `prices` of {@link readSeries}. */
export function priceSteps(reader: SeriesReader, lastExpired: number): ReadonlyMap<number, readonly PriceRow[]> {
  const byProduct = Map.groupBy(reader.prices(), ({ product }) => product);
  const steps = [...byProduct].map(([product, versions]) => {
    const isStep = ({ price_minor }: PriceRow, index: number) => versions[index - 1]?.price_minor !== price_minor;
    return [product, retained(versions.filter(isStep), lastExpired)] as const;
  });
  return new Map(steps);
}

function retained<Row extends { readonly publication: number }>(
  rows: readonly Row[],
  lastExpired: number,
  isInForce: (row: Row) => boolean = () => true,
): readonly Row[] {
  const first = rows.findIndex(({ publication }) => publication > lastExpired);
  const expired = first < 0 ? rows.length : first;
  const inForce = rows.slice(0, expired).findLastIndex(isInForce);
  return rows.slice(inForce < 0 ? Math.max(0, expired - 1) : inForce);
}

/** `/products/{id}/series.json`. It does not name the current publication, so it changes only when the product does. */
export function seriesDocument(
  state: State,
  product: Product,
  { summary }: Availability,
  { attempts, prices, statuses, presence }: SeriesRows,
): Document {
  /** Each step has its publication, and when its catalog was retrieved. */
  const steps = (versions: readonly VersionRow[]) => ({
    publication: versions.map(({ publication }) => publication),
    at: versions.map(({ publication }) => state.publicationAt(publication).catalog_retrieved_at),
  });
  const value: ProductSeries = {
    product: productIdentity(product),
    warnings: warningList(productWarnings(state, product, summary)),
    currency: state.profile.currency,
    retention_days: state.publication.history_days,
    retrievals: {
      publication: attempts.map(({ publication }) => publication),
      attempted_at: attempts.map(({ attempted_at }) => attempted_at),
      succeeded: attempts.map(({ status }) => status === 'succeeded'),
      reported_positive_store_count: attempts.map((attempt) => attempt.reported_positive_store_count),
      checked_store_count: attempts.map((attempt) => attempt.checked_store_count),
      reported_quantity: attempts.map(({ reported_quantity }) => reported_quantity),
    },
    prices: { ...steps(prices), price_minor: prices.map(({ price_minor }) => price_minor) },
    statuses: {
      ...steps(statuses),
      code: statuses.map(({ code }) => code),
      label: statuses.map(({ label }) => label),
      lifecycle: statuses.map(({ lifecycle }) => lifecycle),
    },
    presence: { ...steps(presence), catalog_presence: presence.map(({ catalog_presence }) => catalog_presence) },
  };
  return changing(formatPath('product_series', { product_id: product.id }), value);
}
