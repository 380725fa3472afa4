import { useMemo } from 'preact/hooks';
import type { ProductSeries } from '../../../generator/contract/documents/product.ts';
import { useSession } from '../app/session.ts';
import { instantOf, type Plot, seconds } from '../chart/plot.ts';
import { Chart } from '../components/chart.tsx';
import { countOf, countText, dateText, instantText, priceText } from '../components/text.ts';

/** How the price and the reports of a product changed. `name` begins the names of files. */
export function ProductHistory({ series, name }: { readonly series: ProductSeries; readonly name: string }) {
  const { published_at } = useSession().metadata.data.publication;
  const { prices, retrievals } = series;
  const price = useMemo(() => pricePlot(series, published_at), [series]);
  const [stores, quantity] = useMemo(() => reportPlots(series, published_at), [series]);
  return (
    <div class="charts">
      {prices.at.length > 0 && (
        <Chart
          title="Price"
          summary={priceSummary(series)}
          plot={price}
          positionLabel="Catalog retrieved"
          file={`${name}-prices`}
        />
      )}
      {retrievals.attempted_at.length === 0 ? (
        <p class="muted">Nobody looked for its inventory yet.</p>
      ) : (
        <>
          <Chart
            title="Stores that report it"
            summary={reportSummary(retrievals, 'reported_positive_store_count', (count) => countOf(count, 'store'))}
            plot={stores}
            positionLabel="Retrieved"
            file={`${name}-stores`}
          />
          <Chart
            title="Reported quantity"
            summary={reportSummary(retrievals, 'reported_quantity', countText)}
            plot={quantity}
            positionLabel="Retrieved"
            file={`${name}-quantity`}
          />
        </>
      )}
    </div>
  );
}

const positionText = (position: number) => instantText(instantOf(position));

/** The price as steps. The last one holds up to the publication. */
function pricePlot({ prices }: ProductSeries, until: string): Plot {
  const last = prices.price_minor.at(-1) ?? null;
  return {
    kind: 'steps',
    positions: [...prices.at, until].map(seconds),
    isTime: true,
    positionText,
    lines: [{ label: 'Price', values: [...prices.price_minor, last], paint: '--chart-1', text: priceText }],
  };
}

function priceSummary({ prices }: ProductSeries): string {
  const known = prices.price_minor.filter((price) => price !== null);
  const [now = null, steps] = [prices.price_minor.at(-1), prices.at.length - 1];
  if (known.length === 0) return 'None was observed.';
  if (steps === 0) return `${priceText(now)} since ${dateText(prices.at[0] ?? '')}, without a change observed.`;
  const range = `between ${priceText(Math.min(...known))} and ${priceText(Math.max(...known))}`;
  return `${priceText(now)} now; ${countOf(steps, 'change')} since ${dateText(prices.at[0] ?? '')}, ${range}.`;
}

/**
 * What stores reported, at each attempt. A failed attempt has no value. Attempts of publications that do not follow each other are not
 * joined, because nobody looked between them.
 */
function reportPlots({ retrievals }: ProductSeries, until: string): [Plot, Plot] {
  const { publication, attempted_at, reported_positive_store_count, reported_quantity } = retrievals;
  const positions = attempted_at.map(seconds);
  const breaks = new Set(
    publication.flatMap((sequence, index) =>
      index > 0 && sequence - (publication[index - 1] ?? 0) > 1 ? [index] : [],
    ),
  );
  const range = [positions[0] ?? 0, seconds(until)] as const;
  const plotOf = (label: string, values: readonly (number | null)[], paint: `--${string}`): Plot => {
    const lines = [{ label, values, paint, text: countText }];
    return { kind: 'lines', positions, isTime: true, positionText, lines, breaks, range, from: 0 };
  };
  return [
    plotOf('Stores that report it', reported_positive_store_count, '--chart-2'),
    plotOf('Reported quantity', reported_quantity, '--chart-3'),
  ];
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
