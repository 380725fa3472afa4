import type { Taken } from './workspace.ts';

/**
 * A line of a report. `now`: what this clone took in each repetition. `before`: what the clone that it is compared with
 * took; null if there is none, or if the line is a yardstick for both.
 */
export type Row = {
  readonly what: string;
  readonly unit: string;
  readonly now: readonly number[];
  readonly before: readonly number[] | null;
};

/** The rows for what a program took in each clone. This clone comes first. */
export function rowsOf(what: string, [now = [], before]: readonly (readonly Taken[])[]): Row[] {
  const row = (unit: string, of: (taken: Taken) => number): Row => ({
    what,
    unit,
    now: now.map(of),
    before: before?.map(of) ?? null,
  });
  return [
    row('CPU seconds', ({ cpuSeconds }) => cpuSeconds),
    row('seconds', ({ seconds }) => seconds),
    row('peak MB', ({ peakBytes }) => peakBytes / 1e6),
  ];
}

/** A row with one number for each clone. */
export function numberRow(what: string, unit: string, [now = Number.NaN, before]: readonly number[]): Row {
  return { what, unit, now: [now], before: before === undefined ? null : [before] };
}

/**
 * How many times as much as the yardstick each repetition took. The yardstick is from the same repetition, so the
 * machine was in the same state.
 */
export function timesRow(what: string, row: Row, yardstick: readonly number[]): Row {
  const times = (values: readonly number[]) => values.map((value, index) => value / (yardstick[index] ?? Number.NaN));
  return { what, unit: 'times', now: times(row.now), before: row.before && times(row.before) };
}

/** Rows as a markdown table. A cell is a median, with the least and the most if they differ. */
export function table(rows: readonly Row[]): string {
  const compares = rows.some(({ before }) => before !== null);
  const head = ['', '', ...(compares ? ['before', 'now', 'now / before'] : ['now'])];
  const lines = rows.map(({ what, unit, now, before }, index) => [
    rows[index - 1]?.what === what ? '' : what,
    unit,
    ...(compares ? [before ? cell(before) : ''] : []),
    cell(now),
    ...(compares ? [before && median(before) > 0 ? `**${rounded(median(now) / median(before))}**` : ''] : []),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|---|---${'|---:'.repeat(head.length - 2)}|`, ...lines.map(line)].join('\n');
}

function cell(values: readonly number[]): string {
  const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)].map(rounded);
  return least === most ? `${middle}` : `${middle} (${least}..${most})`;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Three significant digits, thousands separated. */
function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 4 });
}
