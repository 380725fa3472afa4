import type { PriceRow, SeriesReader, VersionRow } from '../../database/product-series.ts';

export type ProductSeries = ReturnType<typeof seriesOf>;

/**
 * How a product changed over the publications, in their ascending order. What is of the publications up to `lastExpired` has
 * expired. Of it only that stays which was in force when retention begins: the last step of each kind, and the attempts from
 * the last success on, or the last attempt where none succeeded.
 */
export function seriesOf(reader: SeriesReader, product: number, lastExpired: number) {
  const versions = reader.versions(product);
  const stepsOf = (isStep: (before: VersionRow, version: VersionRow) => boolean) =>
    retained(
      versions.filter((version, index) => {
        const before = versions[index - 1];
        return before === undefined || isStep(before, version);
      }),
      lastExpired,
    );
  return {
    attempts: retained(reader.attempts(product), lastExpired, ({ status }) => status === 'succeeded'),
    /** Versions that brought another price. The other steps are alike. */
    prices: stepsOf((a, b) => a.price_minor !== b.price_minor),
    statuses: stepsOf((a, b) => a.code !== b.code || a.label !== b.label || a.lifecycle !== b.lifecycle),
    presence: stepsOf((a, b) => a.catalog_presence !== b.catalog_presence),
  };
}

/** The steps of the price of every product, by its key, as {@link seriesOf} has them. */
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
