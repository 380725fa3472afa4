import { useMemo, useState } from 'preact/hooks';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import { Chart, ChartTable } from '../parts/chart.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { LaterDetails } from '../parts/later.tsx';
import { type Plot, type PlotLine, toInstant, toSeconds } from '../parts/plot.ts';
import { unaskedSpans } from '../parts/site-days.ts';
import type { Column } from '../parts/table-columns.ts';
import { capital, countNoun, countText, dateText, instantText, priceText, words } from '../parts/text.ts';
import { useSession } from '../site/session.ts';
import { hasStores } from '../site/site-profile.ts';
import { goneSince, listedPrices, type PriceSteps } from './listed-prices.ts';

/** How far back the charts can go: the button's label, and days. */
const ranges = [
  ['3 months', 91],
  ['1 year', 365],
  ['All', Number.POSITIVE_INFINITY],
] as const;

/** The price and the reports of a product on one axis of time. `name`: how the names of downloaded files begin. */
export function ProductHistory({ series, name }: { readonly series: ProductSeries; readonly name: string }) {
  const { published_at } = useSession().metadata.data.publication;
  const { prices, retrievals } = series;
  const [days, setDays] = useState<number>(Number.POSITIVE_INFINITY);
  const [price, quantity, stores] = useMemo(() => historyPlots(series, published_at, days), [series, days]);
  const start = price.range?.[0] ?? 0;
  const shown = useMemo(() => pricesSince(prices, start), [prices, start]);
  const isAsked = retrievals.attempted_at.length > 0;
  const storesChart = {
    ...{ title: 'Stores that report it', file: `${name}-stores`, positionLabel: 'Retrieved', plot: stores },
    summary: reportSummary(retrievals, 'reported_positive_store_count', start, (count, checked) =>
      checked === null ? countNoun(count, 'store') : `${countText(count)} of ${countNoun(checked, 'checked store')}`,
    ),
  };
  const charts = [
    ...(prices.at.length === 0
      ? []
      : [
          {
            ...{ title: 'Price', file: `${name}-prices`, positionLabel: 'Catalog retrieved' },
            ...{ summary: priceSummary(shown, start), plot: price },
          },
        ]),
    ...(isAsked
      ? [
          {
            ...{ title: 'Reported quantity', file: `${name}-quantity`, positionLabel: 'Retrieved' },
            plot: hasStores() ? quantity : { ...quantity, aligned: 'last' as const },
            summary: reportSummary(retrievals, 'reported_quantity', start, (count) => countText(count)),
          },
          ...(hasStores() ? [storesChart] : []),
        ]
      : []),
  ];
  return (
    <div class="timeline">
      <RangeChoice span={historyDays(series, published_at)} days={days} onChoose={setDays} />
      <PriceFigures prices={shown} gone={goneSince(series)} />
      {charts.map((chart) => (
        <Chart key={chart.title} {...chart} hasTable={false} />
      ))}
      {isAsked && (
        <p class="muted">
          Shaded: a longer time than usual without a check.
          {hasStores() && ' Stores that have closed or retired since count here, but not in the figures above.'}
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

const day = 86_400;
const positionText = (position: number) => instantText(toInstant(position));

/**
 * The price as steps, the last of which holds up to the publication or until the product left the catalog, and what
 * stores reported at each attempt.
 */
function historyPlots(series: ProductSeries, until: string, days: number): [Plot, Plot, Plot] {
  const { retrievals, retention_days } = series;
  const prices = listedPrices(series);
  const { publication, attempted_at, reported_positive_store_count, reported_quantity } = retrievals;
  const attempts = attempted_at.map(toSeconds);
  const end = toSeconds(until);
  const begin = Math.min(end, ...prices.at.slice(0, 1).map(toSeconds), ...attempts.slice(0, 1));
  const start = Math.max(begin, end - days * day);
  // If the first attempt is older than the retention period, there may have been others before it.
  const [first = begin] = attempts;
  const knownFrom = first < end - retention_days * day ? first : begin;
  const unasked = unaskedSpans(attempts, knownFrom, end);
  // A failed attempt has no value. Attempts in publications that are not consecutive are not joined.
  const breaks = new Set(
    attempts.flatMap((at, index) => {
      const isNext = (publication[index] ?? 0) - (publication[index - 1] ?? 0) === 1;
      const before = attempts[index - 1] ?? at;
      return isNext && !unasked.some(([from, to]) => before <= from && to <= at) ? [] : [index];
    }),
  );
  const shared = { positionText, range: [start, end] } as const;
  const plotOf = (line: Omit<PlotLine, 'text'>): Plot => {
    const lines = [{ ...line, text: countText }];
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
      ...{ ...shared, kind: 'steps', aligned: 'first', positions: [...prices.at.map(toSeconds), end] },
      isClose: true,
      lines: [{ label: 'Price', values: steps, paint: '--chart-1', text: priceText, isAmount: true }],
    },
    plotOf({ label: 'Reported quantity', unit: 'units', values: reported_quantity, paint: '--chart-3' }),
    {
      ...plotOf({
        ...{
          label: 'Stores that report it',
          unit: 'stores',
          values: reported_positive_store_count,
          paint: '--chart-2',
        },
        outOf: { label: 'Stores checked', values: retrievals.checked_store_count },
      }),
      aligned: 'last',
    },
  ];
}

/** The price in force at a moment, and every later one. */
function pricesSince({ at, price_minor }: PriceSteps, start: number): PriceSteps {
  const first = Math.max(
    0,
    at.findLastIndex((instant) => toSeconds(instant) <= start),
  );
  return { at: at.slice(first), price_minor: price_minor.slice(first) };
}

/** `start`: the start of the range shown. The first price may have begun before it. */
function priceSummary({ at, price_minor }: PriceSteps, start: number): string {
  const steps = at.length - 1;
  const since = dateText(toInstant(Math.max(start, toSeconds(at[0] ?? ''))));
  if (price_minor.every((price) => price === null)) return 'No price was observed.';
  return steps === 0 ? `No change observed since ${since}.` : `${countNoun(steps, 'change')} since ${since}.`;
}

/**
 * The lowest and highest price shown, and the current price. `gone`: when the first catalog without the product was
 * retrieved; null if it is listed.
 */
function PriceFigures({
  prices: { at, price_minor },
  gone,
}: {
  readonly prices: PriceSteps;
  readonly gone: string | null;
}) {
  const known = price_minor.filter((price) => price !== null);
  if (known.length === 0) return null;
  const [least, most, now] = [Math.min(...known), Math.max(...known), price_minor.at(-1) ?? null];
  const since = (price: number) => `since ${dateText(at[price_minor.lastIndexOf(price)] ?? '')}`;
  /** The period in which a former price was last in force. */
  const during = (price: number) => {
    const step = price_minor.lastIndexOf(price);
    return `${dateText(at[step] ?? '')} to ${dateText(at[step + 1] ?? gone ?? '')}`;
  };
  const figures: readonly (readonly [label: string, value: string, note: string])[] = [
    gone === null
      ? ['Price now', now === null ? 'none' : priceText(now), now === null ? '' : since(now)]
      : ['Last price', now === null ? 'none' : priceText(now), now === null ? '' : during(now)],
    ...(least === most
      ? []
      : ([
          ['Lowest', priceText(least), least === now ? '' : during(least)],
          ['Highest', priceText(most), most === now ? '' : during(most)],
        ] as const)),
  ];
  return (
    <dl class="figures">
      {figures.map(([label, value, note]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{value}</b> <span class="muted">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** How many days the history covers. */
function historyDays({ prices, retrievals }: ProductSeries, until: string): number {
  const firsts = [prices.at[0], retrievals.attempted_at[0]].flatMap((at) => (at === undefined ? [] : [toSeconds(at)]));
  return (toSeconds(until) - Math.min(toSeconds(until), ...firsts)) / day;
}

/** Buttons for how far back the charts go; nothing if the history is shorter than the shortest. */
function RangeChoice({
  span,
  days,
  onChoose,
}: {
  readonly span: number;
  readonly days: number;
  readonly onChoose: (days: number) => void;
}) {
  const choices = ranges.filter(([, most]) => most < span || most === Number.POSITIVE_INFINITY);
  if (choices.length < 2) return null;
  return (
    <fieldset class="ranges" aria-label="Time range">
      {choices.map(([label, of]) => (
        <button key={label} type="button" aria-pressed={of === days} onClick={() => onChoose(of)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * The attempts since the start of the range, in a sentence. `text`: puts a count into words, with how many stores were
 * checked.
 */
function reportSummary(
  retrievals: ProductSeries['retrievals'],
  of: 'reported_positive_store_count' | 'reported_quantity',
  start: number,
  text: (count: number, checked: number | null) => string,
): string {
  const shown = retrievals.attempted_at.flatMap((at, index) => (toSeconds(at) >= start ? [index] : []));
  const known = shown.flatMap((index) => {
    const count = retrievals[of][index] ?? null;
    return count === null ? [] : [{ count, checked: retrievals.checked_store_count[index] ?? null }];
  });
  const failed = shown.filter((index) => retrievals.succeeded[index] === false).length;
  const failures = failed > 0 ? ` ${countNoun(failed, 'attempt')} failed.` : '';
  const last = known.at(-1);
  if (last === undefined) return `Nothing is known.${failures}`;
  const counts = known.map(({ count }) => count);
  const range = `between ${countText(Math.min(...counts))} and ${countText(Math.max(...counts))}`;
  return `${text(last.count, last.checked)} at the last of ${countNoun(known.length, 'retrieval')}; ${range}.${failures}`;
}

/** A value and when it began. */
type Step = { readonly at: string; readonly what: string; readonly value: string };

const columns: readonly Column<Step>[] = [
  { label: 'Since', unit: 'UTC', value: ({ at }) => at, show: ({ at }) => instantText(at) },
  { label: 'Field', value: ({ what }) => what },
  { label: 'Value', value: ({ value }) => value },
];

/** How the status and the catalog listing changed, newest first; nothing if neither did. */
export function ProductSteps({ series, name }: { readonly series: ProductSeries; readonly name: string }) {
  const { statuses, presence } = series;
  if (statuses.at.length < 2 && presence.at.length < 2) return null;
  const steps: Step[] = [
    ...statuses.at.map((at, index) => ({
      at,
      what: 'Status',
      value: `${statuses.label[index]} (code ${statuses.code[index] || 'none'}, ${words(statuses.lifecycle[index] ?? 'unknown')})`,
    })),
    ...presence.at.map((at, index) => ({
      at,
      what: 'Catalog',
      value: capital(presence.catalog_presence[index] ?? ''),
    })),
  ];
  return (
    <>
      <h3>Status and catalog</h3>
      <DataTable
        caption="Status and catalog listing"
        file={`${name}-status`}
        columns={columns}
        rows={steps.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))}
        rowKey={({ at, what }) => `${at} ${what}`}
      />
    </>
  );
}
