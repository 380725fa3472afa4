import { useMemo } from 'preact/hooks';
import type { ChangeType } from '../../../generator/contract/documents/change.ts';
import type { Activity } from '../../../generator/contract/documents/metadata.ts';
import { changeLabels } from '../changes/change-text.ts';
import type { Paint, Plot } from '../chart/plot.ts';
import { Chart } from '../components/chart.tsx';
import { countOf, countText, dateText } from '../components/text.ts';

type Publications = Activity['publications'];

/** Catalogs and inventory change in numbers of other sizes, so each has a chart. First observations are no changes. */
const ofCatalog: readonly ChangeType[] = [
  'price_changed',
  'status_changed',
  'product_presentation_changed',
  'catalog_presence_changed',
];
const ofInventory: readonly ChangeType[] = ['store_inventory_changed', 'aggregate_inventory_changed'];

/** Changes of each publication as bars. */
export function ActivityCharts({ publications }: { readonly publications: Publications }) {
  const catalog = useMemo(() => plotOf(publications, ofCatalog), [publications]);
  const inventory = useMemo(() => plotOf(publications, ofInventory), [publications]);
  return (
    <div class="columns">
      <Chart
        title="Changes of the catalog"
        summary={summaryOf(publications, ofCatalog)}
        plot={catalog}
        positionLabel="Publication"
        file="catalog-changes"
      />
      <Chart
        title="Changes of reported quantities"
        summary={summaryOf(publications, ofInventory)}
        plot={inventory}
        positionLabel="Publication"
        file="quantity-changes"
      />
    </div>
  );
}

function plotOf({ publication, published_at, events }: Publications, types: readonly ChangeType[]): Plot {
  const dates = new Map(publication.map((sequence, index) => [sequence, dateText(published_at[index] ?? '')]));
  return {
    kind: 'bars',
    isStacked: true,
    positions: publication,
    isTime: false,
    positionText: (sequence) => `Publication ${sequence}, ${dates.get(sequence)}`,
    lines: types.map((type, index) => ({
      label: changeLabels[type],
      values: events[type],
      paint: `--chart-${index + 1}` as Paint,
      text: countText,
    })),
    from: 0,
  };
}

function summaryOf({ publication, events }: Publications, types: readonly ChangeType[]): string {
  const totals = publication.map((_, index) => types.reduce((sum, type) => sum + (events[type][index] ?? 0), 0));
  const last = totals.at(-1) ?? 0;
  const most = Math.max(...totals);
  return `${countOf(last, 'change')} in the newest publication, ${countText(most)} at most in one of the last ${totals.length}.`;
}
