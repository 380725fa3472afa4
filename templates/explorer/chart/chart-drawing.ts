import UPlot from 'uplot';
import { dateText } from '../components/text.ts';
import { instantOf, type Paint, type Plot } from './plot.ts';

/** A drawn chart. `resize` fits it to the width of its place. */
export type Drawing = { readonly resize: () => void; readonly remove: () => void };

/** Pixels. The axes of plots on one axis of time are equally wide. */
const heights = { alone: 180, upper: 120, last: 150 };
const alignedAxis = 72;
/** How far marks of an axis may be apart: days in seconds, and whole numbers. */
const days = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825].map((count) => count * 86_400);
const whole = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
const font = '12px system-ui, sans-serif';

/** Draws a plot into an element, with a note that follows the pointer. It is drawn again for other colours. */
export function drawPlot(place: HTMLElement, plot: Plot): Drawing {
  const style = getComputedStyle(place);
  const colour = (paint: Paint) => style.getPropertyValue(paint).trim();
  const note = document.createElement('div');
  note.className = 'chart-note';
  note.hidden = true;
  const axis: UPlot.Axis = {
    font,
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const first = plot.lines[0];
  const height = heights[plot.aligned ?? 'alone'];
  const chart = new UPlot(
    {
      width: place.clientWidth,
      height,
      legend: { show: false },
      tzDate: (time) => UPlot.tzDate(new Date(time * 1000), 'Etc/UTC'),
      padding: [10, 12, 0, 0],
      cursor: {
        drag: { x: false, y: false },
        y: false,
        points: { show: plot.kind !== 'bars' },
        ...(plot.aligned && { sync: { key: 'time' } }),
        ...(plot.kind === 'steps' ? { dataIdx: inForce } : {}),
      },
      scales: {
        x: { time: plot.isTime, range: (_, low, high) => rangeOf(plot, low, high) },
        ...(plot.from === 0
          ? { y: { range: (_, __, high) => [0, Math.max(1, high * 1.08)] as UPlot.Range.MinMax } }
          : {}),
      },
      axes: [
        {
          ...axis,
          incrs: plot.isTime ? days : whole,
          values: (_, splits) => (plot.isTime ? dayTexts(splits) : splits.map(plot.tickText ?? wholeText)),
          ...(plot.tickText && { space: 80 }),
          ...(plot.aligned === 'upper' && { size: 6, values: (_: UPlot, splits: number[]) => splits.map(() => '') }),
        },
        {
          ...axis,
          ...(plot.from === 0 ? { incrs: whole } : {}),
          size: plot.aligned ? alignedAxis : widestOf,
          values: (_, splits) => splits.map((split) => first?.text(split) ?? ''),
        },
      ],
      series: [{}, ...drawnLines(plot).map(({ paint }) => seriesOf(plot, colour(paint)))],
      hooks: {
        setCursor: [(drawn) => showNote(drawn, plot, note)],
        drawClear: [(drawn) => shade(drawn, plot, colour('--unasked'))],
      },
    },
    [[...plot.positions], ...drawnLines(plot).map(({ values }) => [...values])],
    place,
  );
  chart.over.append(note);
  return {
    resize: () => chart.setSize({ width: place.clientWidth, height }),
    remove: () => chart.destroy(),
  };
}

/** The lines in the order in which they are drawn. Of stacked bars the whole sums first, so that each is seen above the next. */
function drawnLines({ lines, isStacked }: Plot): Plot['lines'] {
  if (!isStacked) return lines;
  const sums: number[] = [];
  const stacked = lines.map((line) => {
    const values = line.values.map((value, index) => {
      sums[index] = (sums[index] ?? 0) + (value ?? 0);
      return sums[index] as number;
    });
    return { ...line, values };
  });
  return stacked.reverse();
}

function seriesOf({ kind, breaks }: Plot, stroke: string): UPlot.Series {
  const { stepped, bars } = UPlot.paths;
  if (kind === 'bars')
    return {
      stroke,
      fill: stroke,
      width: 0,
      points: { show: false },
      ...(bars && { paths: bars({ size: [0.7, 48] }) }),
    };
  const points = { show: kind === 'lines', size: 5, fill: stroke };
  const gaps: UPlot.Series.GapsRefiner = (chart, _, __, ___, ofNulls) => [...ofNulls, ...gapsBefore(chart, breaks)];
  return { stroke, width: 2, points, gaps, ...(kind === 'steps' && stepped && { paths: stepped({ align: 1 }) }) };
}

/** Shades the spans in which nothing was asked. */
function shade({ ctx, bbox, valToPos }: UPlot, { unasked = [] }: Plot, colour: string): void {
  ctx.fillStyle = colour;
  for (const [from, to] of unasked) {
    const left = Math.max(bbox.left, valToPos(from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, valToPos(to, 'x', true));
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
}

/** The pixels between each position that is not joined with the one before it, and that one. */
function gapsBefore(chart: UPlot, breaks: Plot['breaks']): UPlot.Series.Gaps {
  const pixel = (index: number) => Math.round(chart.valToPos(chart.data[0][index] ?? 0, 'x', true));
  return [...(breaks ?? [])].map((index) => [pixel(index - 1), pixel(index)]);
}

/** Leaves half a place at both ends of bars, and a day around a single moment. */
function rangeOf({ kind, range, isTime }: Plot, low: number, high: number): UPlot.Range.MinMax {
  if (kind === 'bars') return [low - 0.6, high + 0.6];
  const [from, to] = range ?? [low, high];
  const least = isTime ? 86_400 : 1;
  return to - from >= least ? [from, to] : [from - least / 2, to + least / 2];
}

/** Days of moments; the year where it is the first of a chart or another one. */
function dayTexts(splits: readonly number[]): string[] {
  return splits.map((split, index) => {
    const day = dateText(instantOf(split));
    const before = splits[index - 1];
    const isOfYear = before !== undefined && instantOf(before).slice(0, 4) === instantOf(split).slice(0, 4);
    return isOfYear ? day.slice(0, -5) : day.replace(/ (\d{4})$/, '\n$1');
  });
}

function wholeText(value: number): string {
  return Number.isInteger(value) ? String(value) : '';
}

/** Of a step, the position before the pointer is the one whose value holds there. */
function inForce(chart: UPlot, _: number, nearest: number, position: number): number {
  return nearest > 0 && (chart.data[0][nearest] ?? 0) > position ? nearest - 1 : nearest;
}

/** The width of an axis whose labels are these texts. */
function widestOf(_: UPlot, labels: string[] | null): number {
  return 22 + 7 * Math.max(3, ...(labels ?? []).map(({ length }) => length));
}

function showNote({ cursor, over, valToPos }: UPlot, plot: Plot, note: HTMLElement): void {
  const index = (plot.kind === 'steps' ? cursor.idxs?.[1] : cursor.idx) ?? null;
  const position = index === null ? undefined : plot.positions[index];
  note.hidden = index === null || position === undefined;
  if (index === null || position === undefined) return;
  const head = document.createElement('b');
  head.textContent = plot.positionText(position);
  const lines = plot.lines.flatMap(({ label, values, text }) => {
    const value = values[index] ?? null;
    if (value === null || (plot.isStacked && value === 0)) return [];
    const line = document.createElement('div');
    line.textContent = `${label}: ${text(value)}`;
    return [line];
  });
  note.replaceChildren(head, ...lines);
  const left = valToPos(position, 'x');
  const isRight = left > over.clientWidth / 2;
  note.style.left = isRight ? '' : `${Math.max(0, left + 10)}px`;
  note.style.right = isRight ? `${Math.max(0, over.clientWidth - left + 10)}px` : '';
}
