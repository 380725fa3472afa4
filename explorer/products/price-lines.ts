import type { ProductDocument } from '../../client/documents.ts';
import { establishedMilliliters, perLitre } from '../../contract/per-litre.ts';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import { type Paint, type Plot, type PlotLine, toInstant, toSeconds } from '../parts/plot.ts';
import { instantText, priceText } from '../parts/text.ts';
import type { AskedPrices } from './asked-prices.ts';
import { goneSince, listedPrices } from './listed-prices.ts';
import { fullName } from './product-index.ts';

export type PricedProduct = { readonly detail: ProductDocument['data']; readonly series: ProductSeries };

/** An amount that holds from a moment on; null for none. */
type Step = { readonly at: number; readonly amount: number | null };

/** A line of the chart. `first`: its amount at the start of the chart, or its first amount after that. */
export type PriceLine = {
  readonly sku: string;
  readonly label: string;
  /** The letter at its end. */
  readonly mark: string;
  readonly paint: Paint;
  readonly dash: readonly number[];
  /** The last amount, which is the current one unless the product left the catalog. */
  readonly last: number | null;
  /** When the first catalog without the product was retrieved; null if it is listed. */
  readonly goneSince: string | null;
  readonly first: { readonly at: string; readonly amount: number } | null;
};

/** The prices of products on one axis. */
export type PriceChart = {
  readonly lines: readonly PriceLine[];
  /** Null if no product has a price in the range. */
  readonly plot: Plot | null;
  /**
   * The start for relative prices; null if prices are absolute, or if there is no moment at which all products have a
   * price.
   */
  readonly base: string | null;
  /** Names of products without a line: the size is not known, or no price was observed. */
  readonly withoutSize: readonly string[];
  readonly withoutPrice: readonly string[];
};

const day = 86_400;
const daysOf = { all: Infinity, '1y': 365, '3m': 91 } as const;
/** Lengths of dashes and gaps. Neighbouring styles differ the most. */
const dashes = [[], [8, 4], [2, 3], [12, 3, 2, 3], [5, 2], [2, 6], [14, 5], [8, 3, 2, 3, 2, 3]] as const;

/** The prices of products up to a publication. */
export function priceChart(products: readonly PricedProduct[], asked: AskedPrices, publishedAt: string): PriceChart {
  const labels = lineLabels(products);
  const end = toSeconds(publishedAt);
  const all = products.map((product, index) => {
    const volume = establishedMilliliters(product.detail.package_size);
    return {
      ...{ sku: currentSku(product), label: labels[index] ?? '', volume, gone: goneSince(product.series) },
      steps: priceSteps(product, asked, volume),
    };
  });
  const sized = all.filter(({ volume }) => asked.unit === 'package' || volume !== null);
  const from = end - daysOf[asked.range] * day;
  const priced = sized.filter(({ steps }) => firstAfter(steps, from) !== null);
  const earliest = Math.min(...priced.map(({ steps }) => firstAfter(steps, from)?.at ?? end));
  const base =
    asked.scale === 'relative'
      ? firstCommonMoment(
          priced.map(({ steps }) => steps),
          earliest,
          end,
        )
      : null;
  const start = base ?? earliest;
  const lines = priced.map(({ sku, label, steps, gone }, index): PriceLine & { readonly steps: readonly Step[] } => {
    const first = firstAfter(steps, start);
    return {
      ...{ sku, label, steps, goneSince: gone },
      last: steps.findLast(({ at, amount }) => at <= end && (gone === null || amount !== null))?.amount ?? null,
      ...{ mark: String.fromCharCode(65 + index), paint: `--chart-${index + 1}`, dash: dashes[index] ?? [] },
      first: first && { at: toInstant(first.at), amount: first.amount },
    };
  });
  const names = (of: readonly { readonly label: string }[]) => of.map(({ label }) => label);
  return {
    lines: lines.map(({ steps: _, ...line }) => line),
    plot: lines.length === 0 ? null : pricePlot(lines, start, end, base !== null),
    base: base === null ? null : toInstant(base),
    withoutSize: names(all.filter((product) => !sized.includes(product))),
    withoutPrice: names(sized.filter((product) => !priced.includes(product))),
  };
}

/** A change in percent, such as `+4.2 %`. */
export function percentText(percent: number): string {
  const text = Math.abs(percent).toFixed(1);
  return `${text === '0.0' ? '±' : percent < 0 ? '−' : '+'}${text} %`;
}

function percentChange(amount: number, base: number): number {
  return (amount / base - 1) * 100;
}

function currentSku({ detail }: PricedProduct): string {
  return detail.source_ids.agency_sku;
}

/** The name and size of each product, and its SKU if several have the same name. */
function lineLabels(products: readonly PricedProduct[]): string[] {
  const texts = products.map(({ detail }) =>
    [fullName(detail), detail.package_size.display].filter((part) => part !== null).join(', '),
  );
  return products.map((product, index) => {
    const text = texts[index] ?? '';
    return texts.filter((other) => other === text).length === 1 ? text : `${text}, SKU ${currentSku(product)}`;
  });
}

function priceSteps({ series }: PricedProduct, { unit }: AskedPrices, volume: number | null): Step[] {
  const { at, price_minor } = listedPrices(series);
  return price_minor.map((price, index) => ({
    at: toSeconds(at[index] ?? ''),
    amount: unit === 'litre' ? perLitre(price, volume) : price,
  }));
}

/** The step in force at a moment. */
function stepAt(steps: readonly Step[], moment: number): Step | null {
  return steps.findLast(({ at }) => at <= moment) ?? null;
}

/** The amount at a moment, or else the first one after it. */
function firstAfter(steps: readonly Step[], moment: number): { readonly at: number; readonly amount: number } | null {
  const held = stepAt(steps, moment)?.amount ?? null;
  if (held !== null) return { at: moment, amount: held };
  const next = steps.find(({ at, amount }) => at > moment && amount !== null);
  return next === undefined || next.amount === null ? null : { at: next.at, amount: next.amount };
}

/** The first moment at which all products have an amount above zero, to which later amounts can be relative. */
function firstCommonMoment(all: readonly (readonly Step[])[], start: number, end: number): number | null {
  const moments = [start, ...all.flatMap((steps) => steps.map(({ at }) => at))].filter(
    (at) => at >= start && at <= end,
  );
  const hasAll = (moment: number) => all.every((steps) => (stepAt(steps, moment)?.amount ?? 0) > 0);
  return all.length === 0 ? null : (moments.sort((a, b) => a - b).find(hasAll) ?? null);
}

/** Steps from the start of the chart to its end. */
function pricePlot(
  lines: readonly (PriceLine & { readonly steps: readonly Step[] })[],
  start: number,
  end: number,
  isRelative: boolean,
): Plot {
  const between = lines.flatMap(({ steps }) => steps.map(({ at }) => at)).filter((at) => at > start && at < end);
  const positions = [...new Set([start, ...between, end])].sort((a, b) => a - b);
  return {
    kind: 'steps',
    isTall: true,
    positions,
    range: [start, end],
    positionText: (position) => instantText(toInstant(position)),
    lines: lines.map(({ label, mark, paint, dash, steps, first }): PlotLine => {
      const held = positions.map((position) => stepAt(steps, position));
      const amounts = held.map((step) => step?.amount ?? null);
      const shared = { label, mark, paint, dash, begins: held.map((step) => step?.at ?? null) };
      if (!isRelative) return { ...shared, values: amounts, text: priceText, isAmount: true };
      const percents = amounts.map((amount) =>
        amount === null ? null : percentChange(amount, first?.amount ?? amount),
      );
      return { ...shared, values: percents, text: percentText, unit: '%' };
    }),
  };
}
