import UPlot from 'uplot';
import { siteZone } from '../site/site-profile.ts';
import { type Note, noteAt } from './chart-note.ts';
import { type Paint, type Plot, type PlotLine, toInstant } from './plot.ts';
import { dateText, zonedText } from './text.ts';

/**
 * A drawn chart. `resize` fits it to its container. `read` moves to another position by key (next, previous, first or
 * last) and shows its note; it returns false for other keys.
 */
export type Drawing = {
  readonly resize: () => void;
  readonly remove: () => void;
  readonly read: (key: string) => boolean;
};

/** Heights in pixels. Plots that share an axis of time have value axes of equal width. */
const heights = { alone: 180, first: 260, tall: 320, upper: 120, last: 150 };
const alignedAxis = 72;
/** In pixels: the minimum and maximum width of a bar, and how close the pointer must be. */
const bar = { least: 3, most: 28, reach: 24 };
/** Steps between the ticks of an axis: days (in seconds) and whole numbers. */
const days = [1, 2, 7, 14, 30, 60, 90, 180, 365, 730, 1825].map((count) => count * 86_400);
const whole = Array.from({ length: 12 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
const font = '12px system-ui, sans-serif';

/** Draws a plot into an element, with a note that follows the pointer. A change of colours needs a new drawing. */
export function drawPlot(element: HTMLElement, plot: Plot): Drawing {
  const style = getComputedStyle(element);
  const colour = (paint: Paint) => style.getPropertyValue(paint).trim();
  const note = document.createElement('div');
  note.className = 'chart-note';
  note.setAttribute('role', 'status');
  note.hidden = true;
  const axis: UPlot.Axis = {
    font,
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { stroke: colour('--line'), width: 1 },
  };
  const first = plot.lines[0];
  const height = heights[plot.isTall ? 'tall' : (plot.aligned ?? 'alone')];
  const hasMarks = plot.lines.some(({ mark }) => mark !== undefined);
  const chart = new UPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      tzDate: (time) => UPlot.tzDate(new Date(time * 1000), siteZone()),
      padding: [10, hasMarks ? 24 : 12, 0, 0],
      cursor: {
        drag: { x: false, y: false },
        y: false,
        ...(plot.kind !== 'lines' && { points: { show: false } }),
        ...(plot.aligned && { sync: { key: 'time' } }),
        // uPlot marks this position, or none for null.
        dataIdx: (drawn, _, __, moment) => noteAtMoment(drawn, plot, moment)?.index ?? null,
      },
      scales: {
        x: { range: (_, low, high) => shownRange(plot, low, high) },
        ...(plot.from === 0
          ? { y: { range: (_, __, high) => [0, Math.max(1, high * 1.08)] as UPlot.Range.MinMax } }
          : plot.isClose
            ? { y: { range: closeRange(plot) } }
            : {}),
      },
      axes: [
        {
          ...axis,
          incrs: days,
          values: (_, splits) => dayTexts(splits),
          ...(plot.aligned === 'upper' && { size: 6, values: (_: UPlot, splits: number[]) => splits.map(() => '') }),
        },
        {
          ...axis,
          ...(plot.from === 0 || first?.isAmount ? { incrs: whole } : {}),
          size: plot.aligned ? alignedAxis : axisWidth,
          values: (_, splits) => splits.map((split) => first?.text(split) ?? ''),
        },
      ],
      series: [{}, ...drawnLines(plot).map((line) => uplotSeries(plot, line, colour(line.paint)))],
      hooks: {
        setCursor: [(drawn) => showNote(drawn, plot, note)],
        drawClear: [(drawn) => shade(drawn, plot, colour('--unasked'))],
        draw: [(drawn) => drawMarks(drawn, plot, colour)],
      },
    },
    plot.kind === 'steps'
      ? stepData(plot)
      : [[...plot.positions], ...drawnLines(plot).map(({ values }) => [...values])],
    element,
  );
  chart.over.append(note);
  const shown = plot.positions.filter((position) => {
    const [from, to] = plot.range ?? [position, position];
    return position >= from && position <= to;
  });
  let read = shown.length;
  return {
    resize: () => chart.setSize({ width: element.clientWidth, height }),
    remove: () => chart.destroy(),
    read: (key) => {
      const steps: Readonly<Record<string, number>> = {
        ArrowLeft: read - 1,
        ArrowRight: read + 1,
        Home: 0,
        End: shown.length,
      };
      const next = steps[key];
      if (next === undefined) return false;
      read = Math.max(0, Math.min(shown.length - 1, next));
      // The extra half pixel keeps rounding from choosing the previous position.
      chart.setCursor({ left: chart.valToPos(shown[read] ?? 0, 'x') + 0.5, top: 0 });
      return true;
    },
  };
}

/**
 * The data of steps for uPlot, which draws a line from each value to the next. A value that ends without a next one
 * needs an end of its own.
 */
function stepData({ positions, lines }: Plot): UPlot.AlignedData {
  const ends = positions.map((_, at) =>
    lines.some(({ values }) => at > 0 && (values[at] ?? null) === null && (values[at - 1] ?? null) !== null),
  );
  const indexes = positions.flatMap((_, at) => (ends[at] ? [at - 1, at] : [at]));
  const times = positions.flatMap((position, at) => (ends[at] ? [position - 1, position] : [position]));
  return [times, ...lines.map(({ values }) => indexes.map((index) => values[index] ?? null))];
}

/** The lines in drawing order. Stacked bars start with the total, so that each bar is visible above the next. */
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

function uplotSeries({ kind, breaks }: Plot, { dash }: PlotLine, stroke: string): UPlot.Series {
  const { stepped, bars } = UPlot.paths;
  if (kind === 'bars')
    return {
      stroke,
      fill: stroke,
      width: 0,
      points: { show: false },
      ...(bars && { paths: bars({ size: [0.7, bar.most, bar.least] }) }),
    };
  const points = { show: kind === 'lines', size: 5, fill: stroke };
  const gaps: UPlot.Series.GapsRefiner = (chart, _, __, ___, ofNulls) => [...ofNulls, ...gapsBefore(chart, breaks)];
  return {
    stroke,
    width: 2,
    points,
    gaps,
    ...(dash && { dash: [...dash] }),
    ...(kind === 'steps' && stepped && { paths: stepped({ align: 1 }) }),
  };
}

/**
 * Writes the letter of each line at its end. If lines end at the same height, the letters are spread out vertically.
 */
function drawMarks({ ctx, bbox, valToPos }: UPlot, { lines, positions }: Plot, colour: (paint: Paint) => string): void {
  const line = 14 * devicePixelRatio;
  ctx.font = `600 ${13 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  const edge = bbox.left + bbox.width;
  const ends = lines.flatMap(({ mark, paint, values }) => {
    const at = values.findLastIndex((value) => value !== null);
    if (mark === undefined || at < 0) return [];
    const x = at === values.length - 1 ? edge : valToPos(positions[at + 1] ?? 0, 'x', true);
    return [{ mark, paint, x, y: valToPos(values[at] ?? 0, 'y', true) }];
  });
  let lowest = bbox.top + bbox.height + line;
  let least = -Infinity;
  const spread = ends
    .sort((a, b) => a.y - b.y)
    .map((end) => {
      least = Math.max(end.y, least + line);
      return { ...end, y: least };
    });
  for (const { mark, paint, x, y } of spread.reverse()) {
    lowest = Math.min(y, lowest - line);
    ctx.fillStyle = colour(paint);
    ctx.fillText(mark, x + 6 * devicePixelRatio, lowest);
  }
}

/** Shades the spans in which nothing was checked. */
function shade({ ctx, bbox, valToPos }: UPlot, { unasked = [] }: Plot, colour: string): void {
  ctx.fillStyle = colour;
  for (const [from, to] of unasked) {
    const left = Math.max(bbox.left, valToPos(from, 'x', true));
    const right = Math.min(bbox.left + bbox.width, valToPos(to, 'x', true));
    if (right > left) ctx.fillRect(left, bbox.top, right - left, bbox.height);
  }
}

/** The gap in pixels before each position that is not joined to the previous one. */
function gapsBefore(chart: UPlot, breaks: Plot['breaks']): UPlot.Series.Gaps {
  const pixel = (index: number) => Math.round(chart.valToPos(chart.data[0][index] ?? 0, 'x', true));
  return [...(breaks ?? [])].map((index) => [pixel(index - 1), pixel(index)]);
}

/** Leaves room for half a bar at both ends, and covers at least a day. */
function shownRange({ kind, range }: Plot, low: number, high: number): UPlot.Range.MinMax {
  const [from, to] = range ?? [low, high];
  const span = to - from;
  const room = Math.max(kind === 'bars' ? 0.06 * span : 0, (86_400 - span) / 2);
  return [from - room, to + room];
}

/** The range of the values in force within the plot, with some room above and below. */
function closeRange({ positions, lines, range }: Plot): UPlot.Range.MinMax {
  const [from = 0] = range ?? [];
  const first = Math.max(
    0,
    positions.findLastIndex((position) => position <= from),
  );
  const values = lines.flatMap(({ values }) => values.slice(first).filter((value) => value !== null));
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = most > least ? (most - least) / 6 : Math.max(1, most / 10);
  return values.length === 0 ? [0, 1] : [least - room, most + room];
}

/** Labels for days. The year is shown on the first label and whenever it changes. */
function dayTexts(splits: readonly number[]): string[] {
  return splits.map((split, index) => {
    const day = dateText(toInstant(split));
    const before = splits[index - 1];
    const isOfYear = before !== undefined && calendarYear(before) === calendarYear(split);
    return isOfYear ? day.slice(0, -5) : day.replace(/ (\d{4})$/, '\n$1');
  });
}

function calendarYear(position: number): string {
  return zonedText(toInstant(position)).isoDay.slice(0, 4);
}

/** The width of an axis with these labels. */
function axisWidth(_: UPlot, labels: string[] | null): number {
  return 22 + 7 * Math.max(3, ...(labels ?? []).map(({ length }) => length));
}

function noteAtMoment(chart: UPlot, plot: Plot, moment: number): Note | null {
  return noteAt(plot, moment, bar.reach * (chart.posToVal(1, 'x') - chart.posToVal(0, 'x')));
}

/** Shows the note for the moment under the pointer, in this chart or in one that shares its axis of time. */
function showNote(chart: UPlot, plot: Plot, element: HTMLElement): void {
  const pointed = chart.cursor.left ?? -1;
  const moment = chart.posToVal(pointed, 'x');
  const note = pointed < 0 ? null : noteAtMoment(chart, plot, moment);
  element.hidden = note === null;
  if (note === null) return;
  const head = document.createElement('b');
  head.textContent = note.head;
  const lines = note.texts.map((text) => {
    const line = document.createElement('div');
    line.textContent = text;
    return line;
  });
  element.replaceChildren(head, ...lines);
  const left = chart.valToPos(note.index === null ? moment : (plot.positions[note.index] ?? moment), 'x');
  const { clientWidth } = chart.over;
  const isRight = left > clientWidth / 2;
  element.style.left = isRight ? '' : `${Math.max(0, left + 10)}px`;
  element.style.right = isRight ? `${Math.max(0, clientWidth - left + 10)}px` : '';
}
