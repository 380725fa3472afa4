import { useMemo } from 'preact/hooks';
import type { ProductSeries } from '../../../generator/contract/documents/catalog.ts';
import { useSession } from '../app/session.ts';
import { instantOf, type Plot, seconds } from '../chart/plot.ts';
import { unaskedSpans } from '../chart/unasked-spans.ts';
import { Chart, ChartTable } from '../components/chart.tsx';
import { LaterDetails } from '../components/later-details.tsx';
import { hasStores } from '../components/site-profile.ts';
import { countOf, countText, dateText, instantText, priceText } from '../components/text.ts';

/** How the price and the reports of a product changed, on one axis of time. `name` begins the names of files. */
export function ProductHistory({ series, name }: { readonly series: ProductSeries; readonly name: string }) {
  const { published_at } = useSession().metadata.data.publication;
  const { prices, retrievals } = series;
  const [price, quantity, stores] = useMemo(() => plotsOf(series, published_at), [series]);
  const isAsked = retrievals.attempted_at.length > 0;
  const storesChart = {
    ...{ title: 'Stores that report it', file: `${name}-stores`, positionLabel: 'Retrieved', plot: stores },
    summary: reportSummary(retrievals, 'reported_positive_store_count', (count) => countOf(count, 'store')),
  };
  const charts = [
    ...(prices.at.length === 0
      ? []
      : [
          {
            ...{ title: 'Price', file: `${name}-prices`, positionLabel: 'Catalog retrieved' },
            ...{ summary: priceSummary(series), plot: isAsked ? price : { ...price, aligned: 'last' as const } },
          },
        ]),
    ...(isAsked
      ? [
          {
            ...{ title: 'Reported quantity', file: `${name}-quantity`, positionLabel: 'Retrieved' },
            plot: hasStores() ? quantity : { ...quantity, aligned: 'last' as const },
            summary: reportSummary(retrievals, 'reported_quantity', countText),
          },
          ...(hasStores() ? [storesChart] : []),
        ]
      : []),
  ];
  return (
    <div class="timeline">
      {charts.map((chart) => (
        <Chart key={chart.title} {...chart} hasTable={false} />
      ))}
      {isAsked && (
        <p class="muted">
          Shaded: days on which {hasStores() ? 'no store' : 'nothing'} was asked, where that is longer than usual.
          {hasStores() && ' Stores that closed or retired count here too, but not in the figures above.'}
        </p>
      )}
      <LaterDetails summary="These values as tables">
        {charts.map(({ summary: _, ...table }) => (
          <ChartTable key={table.title} {...table} />
        ))}
      </LaterDetails>
    </div>
  );
}

const positionText = (position: number) => instantText(instantOf(position));

/** The price as steps, of which the last one holds up to the publication, and what stores reported at each attempt. */
function plotsOf({ prices, retrievals, retention_days }: ProductSeries, until: string): [Plot, Plot, Plot] {
  const { publication, attempted_at, reported_positive_store_count, reported_quantity } = retrievals;
  const attempts = attempted_at.map(seconds);
  const end = seconds(until);
  const start = Math.min(end, ...prices.at.slice(0, 1).map(seconds), ...attempts.slice(0, 1));
  // Where the first attempt is older than what is kept, there may have been others before it.
  const [first = start] = attempts;
  const knownFrom = first < end - retention_days * 86_400 ? first : start;
  const unasked = unaskedSpans(attempts, knownFrom, end);
  // A failed attempt has no value. Attempts of publications that do not follow each other are not joined.
  const breaks = new Set(
    attempts.flatMap((at, index) => {
      const isNext = (publication[index] ?? 0) - (publication[index - 1] ?? 0) === 1;
      const before = attempts[index - 1] ?? at;
      return isNext && !unasked.some(([from, to]) => before <= from && to <= at) ? [] : [index];
    }),
  );
  const shared = { positionText, range: [start, end] } as const;
  const plotOf = (label: string, unit: string, values: readonly (number | null)[], paint: `--${string}`): Plot => {
    const lines = [{ label, values, paint, text: countText, unit }];
    return {
      ...shared,
      kind: 'lines',
      aligned: 'upper',
      positions: attempts,
      lines,
      breaks,
      unasked,
      knownFrom,
      from: 0,
    };
  };
  const steps = [...prices.price_minor, prices.price_minor.at(-1) ?? null];
  return [
    {
      ...{ ...shared, kind: 'steps', aligned: 'upper', positions: [...prices.at.map(seconds), end] },
      lines: [{ label: 'Price', values: steps, paint: '--chart-1', text: priceText, isAmount: true }],
    },
    plotOf('Reported quantity', 'units', reported_quantity, '--chart-3'),
    { ...plotOf('Stores that report it', 'stores', reported_positive_store_count, '--chart-2'), aligned: 'last' },
  ];
}

function priceSummary({ prices }: ProductSeries): string {
  const known = prices.price_minor.filter((price) => price !== null);
  const [now = null, steps] = [prices.price_minor.at(-1), prices.at.length - 1];
  if (known.length === 0) return 'None was observed.';
  if (steps === 0) return `${priceText(now)} since ${dateText(prices.at[0] ?? '')}, without a change observed.`;
  const range = `between ${priceText(Math.min(...known))} and ${priceText(Math.max(...known))}`;
  return `${priceText(now)} now; ${countOf(steps, 'change')} since ${dateText(prices.at[0] ?? '')}, ${range}.`;
}

function reportSummary(
  retrievals: ProductSeries['retrievals'],
  of: 'reported_positive_store_count' | 'reported_quantity',
  text: (count: number) => string,
): string {
  const known = retrievals[of].filter((count) => count !== null);
  const failed = retrievals.succeeded.filter((succeeded) => !succeeded).length;
  const failures = failed > 0 ? ` ${countOf(failed, 'attempt')} failed.` : '';
  const last = known.at(-1);
  if (last === undefined) return `None is known.${failures}`;
  return `${text(last)} at the last of ${countOf(known.length, 'retrieval')}, between ${countText(Math.min(...known))} and ${countText(Math.max(...known))}.${failures}`;
}
