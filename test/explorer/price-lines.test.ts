import { describe, expect, test } from 'vitest';
import type { ProductDocument } from '../../client/documents.ts';
import type { ProductSeries } from '../../contract/schemas/product.ts';
import { noteAt } from '../../explorer/parts/chart-note.ts';
import { toSeconds } from '../../explorer/parts/plot.ts';
import { formatAsked, parseAsked } from '../../explorer/products/asked-prices.ts';
import { percentText, priceChart } from '../../explorer/products/price-lines.ts';

/* Which steps product prices have on one axis. */

const publishedAt = '2025-06-05T22:00:00Z';

/** A product with prices from given days on, and a size that may be ambiguous. */
function priced(
  sku: string,
  prices: Readonly<Record<string, number | null>>,
  volume: number | null = 750,
  containers = 1,
) {
  const detail = {
    source_ids: { agency_sku: sku },
    brand: null,
    name: 'Gin',
    package_size: {
      display: `size of ${sku}`,
      milliliters: volume,
      container_count: containers,
      total_milliliters: null,
      normalization_state: containers === 1 ? 'normalized' : 'unconfirmed',
    },
  };
  const series = {
    prices: { at: Object.keys(prices).map((day) => `${day}T08:00:00Z`), price_minor: Object.values(prices) },
    presence: { at: [`${Object.keys(prices)[0]}T08:00:00Z`], catalog_presence: ['listed'] },
  };
  return { detail: detail as ProductDocument['data'], series: series as ProductSeries };
}

const asked = (text: string) => parseAsked(new URLSearchParams(text));
const chartOf = (text: string, ...products: ReturnType<typeof priced>[]) =>
  priceChart(products, asked(text), publishedAt);
const daysOf = ({ plot }: ReturnType<typeof chartOf>) =>
  plot?.positions.map((position) => new Date(position * 1000).toISOString().slice(0, 10));
const valuesOf = ({ plot }: ReturnType<typeof chartOf>) => plot?.lines.map(({ values }) => values);

const rising = priced('000001', { '2024-01-10': 1000, '2025-05-01': 1100 });
const later = priced('000002', { '2025-04-01': 2000, '2025-05-20': 1500 });

describe('prices on one axis', () => {
  test('hold until the next one, and a later product has none before', () => {
    const chart = chartOf('', rising, later);
    expect(daysOf(chart)).toEqual(['2024-01-10', '2025-04-01', '2025-05-01', '2025-05-20', '2025-06-05']);
    expect(valuesOf(chart)).toEqual([
      [1000, 1000, 1100, 1100, 1100],
      [null, 2000, 2000, 1500, 1500],
    ]);
    expect(chart.lines.map(({ mark, last, first }) => [mark, last, first?.at.slice(0, 10), first?.amount])).toEqual([
      ['A', 1100, '2024-01-10', 1000],
      ['B', 1500, '2025-04-01', 2000],
    ]);
  });

  test('end when the product leaves the catalog, and begin again if it returns', () => {
    const presence = (days: Readonly<Record<string, 'listed' | 'absent'>>) => ({
      at: Object.keys(days).map((day) => `${day}T08:00:00Z`),
      catalog_presence: Object.values(days),
    });
    const at = (days: Parameters<typeof presence>[0]) => {
      const { detail, series } = rising;
      return { detail, series: { ...series, presence: { publication: [], ...presence(days) } } };
    };
    const gone = chartOf('', at({ '2024-01-10': 'listed', '2025-05-10': 'absent' }));
    expect(valuesOf(gone)).toEqual([[1000, 1100, null, null]]);
    expect(gone.lines.map(({ last, goneSince }) => [last, goneSince])).toEqual([[1100, '2025-05-10T08:00:00Z']]);
    const back = chartOf('', at({ '2024-01-10': 'listed', '2024-06-01': 'absent', '2025-05-01': 'listed' }));
    expect(valuesOf(back)).toEqual([[1000, null, 1100, 1100]]);
    expect(back.lines.map(({ last, goneSince }) => [last, goneSince])).toEqual([[1100, null]]);
    // It left before the range.
    expect(chartOf('range=3m', at({ '2024-01-10': 'listed', '2024-06-01': 'absent' })).lines).toEqual([]);
  });

  test('begin with the price in force at the start of a range, whose note says since when', () => {
    const chart = chartOf('range=3m', rising, later);
    expect(daysOf(chart)).toEqual(['2025-03-06', '2025-04-01', '2025-05-01', '2025-05-20', '2025-06-05']);
    expect(chart.lines[0]?.first).toEqual({ at: '2025-03-06T22:00:00.000Z', amount: 1000 });
    const note = chart.plot && noteAt(chart.plot, toSeconds('2025-03-10T00:00:00Z'), 0);
    expect(note?.texts).toEqual([
      'A, Gin, size of 000001: $10.00, since 10 Jan 2024',
      'B, Gin, size of 000002: not observed yet',
    ]);
  });

  test('are relative to the first moment at which all products have one', () => {
    const chart = chartOf('scale=relative', rising, later);
    expect(chart.base).toBe('2025-04-01T08:00:00.000Z');
    expect(daysOf(chart)?.[0]).toBe('2025-04-01');
    expect(valuesOf(chart)?.map((values) => values.map((value) => value && Math.round(value)))).toEqual([
      [0, 10, 10, 10],
      [0, 0, -25, -25],
    ]);
    const ended = priced('000003', { '2024-02-01': 500, '2025-02-01': null });
    const never = chartOf('scale=relative', later, ended);
    expect([never.base, valuesOf(never)?.[0]?.at(-1)]).toEqual([null, 1500]);
    // A price of zero cannot be a base for relative prices.
    expect(chartOf('scale=relative', rising, priced('000004', { '2025-01-01': 0, '2025-03-01': 400 })).base).toBe(
      '2025-03-01T08:00:00.000Z',
    );
  });

  test('per litre leave out packages of ambiguous size, and always products without a price', () => {
    const pack = priced('000005', { '2025-01-01': 1200 }, 355, 6);
    const none = priced('000006', { '2025-01-01': null });
    const chart = chartOf('unit=litre', rising, pack, none);
    expect(chart.lines.map(({ sku, last }) => [sku, last])).toEqual([['000001', 1467]]);
    expect(chart.withoutSize).toEqual(['Gin, size of 000005']);
    expect(chart.withoutPrice).toEqual(['Gin, size of 000006']);
    expect(chartOf('', pack).lines).toHaveLength(1);
    // Nothing in the last 3 months.
    expect(chartOf('range=3m', priced('000007', { '2024-01-01': 100, '2024-02-01': null })).plot).toBeNull();
  });

  test('of products with the same name show their SKUs', () => {
    const twin = { ...later, detail: { ...later.detail, package_size: rising.detail.package_size } };
    expect(chartOf('', rising, twin).lines.map(({ label }) => label)).toEqual([
      'Gin, size of 000001, SKU 000001',
      'Gin, size of 000001, SKU 000002',
    ]);
  });
});

test('differences have a sign, even for zero', () => {
  expect([4.16, -3.84, 0.04, -0.04].map(percentText)).toEqual(['+4.2 %', '−3.8 %', '±0.0 %', '±0.0 %']);
});

test('an address only has what differs from the defaults', () => {
  expect(formatAsked(asked('skus=000001,000002,000001&range=1y&scale=nope'))).toEqual({
    ...{ skus: '000001,000002', range: '1y', scale: null, unit: null },
  });
});
