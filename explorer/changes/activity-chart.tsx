import { useMemo } from 'preact/hooks';
import type { Activity } from '../../contract/schemas/metadata.ts';
import type { ChangeType } from '../../contract/vocabulary.ts';
import { Chart } from '../parts/chart.tsx';
import { type Paint, type Plot, toSeconds } from '../parts/plot.ts';
import { countNoun, countText, dateText, instantText } from '../parts/text.ts';
import { changeLabels } from './change-text.ts';

/** Event counts by type, one column entry per publication. `publication` is null if its number is not known. */
export type EventCounts = Omit<Activity['publications'], 'publication'> & {
  readonly publication: readonly (number | null)[];
};

/**
 * A bar chart of changes by publication. First observations are not changes and would dwarf them, so they have a chart
 * of their own.
 */
export function ActivityChart({
  title,
  counts,
  types,
  file,
}: {
  readonly title: string;
  readonly counts: EventCounts;
  readonly types: readonly ChangeType[];
  readonly file: string;
}) {
  const plot = useMemo(() => activityPlot(counts, types), [counts, types.join()]);
  return (
    <Chart title={title} summary={activitySummary(counts, types)} plot={plot} positionLabel="Publication" file={file} />
  );
}

/** The number of events of these types. */
export function totalEvents({ events }: EventCounts, types: readonly ChangeType[]): number {
  return types.reduce((sum, type) => sum + events[type].reduce((of, count) => of + count, 0), 0);
}

/** The counts of the publications that were published at wanted times. */
export function countsWhere(
  { publication, published_at, events }: EventCounts,
  isCounted: (publishedAt: string) => boolean,
): EventCounts {
  const kept = published_at.map(isCounted);
  const of = <Value,>(values: readonly Value[]) => values.filter((_, index) => kept[index]);
  const counts = Object.entries(events).map(([type, values]) => [type, of(values)]);
  return { publication: of(publication), published_at: of(published_at), events: Object.fromEntries(counts) };
}

function activityPlot({ publication, published_at, events }: EventCounts, types: readonly ChangeType[]): Plot {
  const positions = published_at.map(toSeconds);
  const names = new Map(
    published_at.map((at, index) => {
      const number = publication[index] ?? null;
      return [positions[index], number === null ? instantText(at) : `${dateText(at)}, publication ${number}`];
    }),
  );
  return {
    kind: 'bars',
    isStacked: true,
    positions,
    positionText: (position) => names.get(position) ?? '',
    lines: types.map((type, index) => ({
      label: changeLabels[type],
      values: events[type],
      paint: `--chart-${index + 1}` as Paint,
      text: countText,
    })),
    from: 0,
  };
}

function activitySummary({ published_at, events }: EventCounts, types: readonly ChangeType[]): string {
  const totals = published_at.map((_, index) => types.reduce((sum, type) => sum + (events[type][index] ?? 0), 0));
  const last = totals.findLastIndex((total) => total > 0);
  if (last < 0) return `None in the last ${countNoun(totals.length, 'publication')}.`;
  return `${countText(totals[last] ?? 0)} in the publication of ${dateText(published_at[last] ?? '')}, the latest with any; at most ${countText(Math.max(...totals))} in one of the last ${countNoun(totals.length, 'publication')}.`;
}
