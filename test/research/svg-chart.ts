/** A row of a query's result: text of every value, by column; null where there is none. */
export type ResultRow = Readonly<Record<string, string | null>>;

/** Columns of a result that are drawn in one colour each, and what the legend calls them. */
type Series = Readonly<Record<string, string>>;

/**
 * A chart of a result. `columns` stand for each row side by side, `bars` lie below each other, and `ranges` are dots
 * joined by a line. `values` names what is measured, with its unit; `rows` what a row of the result is.
 */
export type Chart = {
  readonly kind: 'columns' | 'bars' | 'ranges';
  /** Says in a sentence what is drawn, for readers who do not see it. */
  readonly description: string;
  readonly rows: { readonly column: string; readonly label: string };
  readonly series: Series;
  readonly values: string;
  /** Each step of a logarithmic axis is ten times the one before. Only `ranges` have one. */
  readonly isLogarithmic?: boolean;
};

/** Colours that people with any colour vision tell apart, at least 3 to 1 against the white behind them. */
const colours = ['#0072b2', '#d55e00', '#00805f'];
const [ink, pale, paper] = ['#1b1f24', '#d7dce2', '#ffffff'];

const width = 720;
const right = width - 24;
const top = 78;
/** About the width of a character of the labels, in pixels. */
const characterWidth = 6.7;

/** Draws a result as SVG. It has its own background, so it looks the same on light and dark pages. */
export function svgChart(title: string, chart: Chart, rows: readonly ResultRow[]): string {
  const { height, marks } = chart.kind === 'columns' ? upright(chart, rows) : lying(chart, rows);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" ` +
      'aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="12">',
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(chart.description)}</desc>`,
    `<rect width="${width}" height="${height}" rx="6" fill="${paper}" stroke="${pale}"/>`,
    text(24, 30, title, 'font-size="15" font-weight="600"'),
    ...legend(chart),
    ...marks,
    '</svg>',
    '',
  ].join('\n');
}

type Drawing = { readonly height: number; readonly marks: readonly string[] };

/** Rows from left to right, values upwards. */
function upright({ rows: { column, label }, series, values }: Chart, rows: readonly ResultRow[]): Drawing {
  const [left, bottom] = [76, top + 210];
  const { ticks, at } = axis(valuesOf(rows, series), bottom, top, false);
  const slot = (right - left) / rows.length;
  const columns = Object.keys(series);
  const thickness = Math.min(34, (slot * 0.8) / columns.length);
  const grid = ticks.flatMap((tick) => [
    line(left, at(tick), right, at(tick)),
    text(left - 8, at(tick) + 4, numberText(tick), 'text-anchor="end"'),
  ]);
  const bars = rows.flatMap((row, index) => {
    const middle = left + slot * (index + 0.5);
    return [
      ...columns.flatMap((own, nth) => {
        const x = middle + (nth - columns.length / 2) * thickness;
        const value = row[own];
        if (value === null || value === undefined) return [];
        const y = at(Number(value));
        return [
          rect(x + 1, y, thickness - 2, bottom - y, colours[nth]),
          text(x + thickness / 2, y - 4, value, 'text-anchor="middle" font-size="11"'),
        ];
      }),
      text(middle, bottom + 18, row[column] ?? '', 'text-anchor="middle"'),
    ];
  });
  const height = bottom + 54;
  return { height, marks: [...grid, ...bars, axisTitle((left + right) / 2, height - 12, label), sideways(20, values)] };
}

/** Rows from top to bottom, values to the right. */
function lying({ kind, rows: { column }, series, values, isLogarithmic }: Chart, rows: readonly ResultRow[]): Drawing {
  const left = 36 + characterWidth * Math.max(...rows.map((row) => (row[column] ?? '').length));
  const slot = kind === 'bars' ? 14 + 16 * Object.keys(series).length : 26;
  const bottom = top + slot * rows.length;
  const { ticks, at } = axis(valuesOf(rows, series), left, right - 24, isLogarithmic === true);
  const grid = ticks.flatMap((tick) => [
    line(at(tick), top, at(tick), bottom),
    text(at(tick), bottom + 18, numberText(tick), 'text-anchor="middle"'),
  ]);
  const drawn = rows.flatMap((row, index) => {
    const middle = top + slot * (index + 0.5);
    const points = Object.keys(series).map((own) => ({ x: at(Number(row[own])), value: row[own] ?? '' }));
    const name = text(left - 12, middle + 4, row[column] ?? '', 'text-anchor="end"');
    return [name, ...(kind === 'bars' ? barsOf(points, left, middle) : rangeOf(points, middle))];
  });
  const height = bottom + 50;
  return { height, marks: [...grid, ...drawn, axisTitle((left + right) / 2, height - 10, values)] };
}

type Point = { readonly x: number; readonly value: string };

function barsOf(points: readonly Point[], left: number, middle: number): string[] {
  return points.flatMap(({ x, value }, nth) => {
    const y = middle + (nth - points.length / 2) * 16;
    return [rect(left, y + 1, x - left, 14, colours[nth]), text(x + 5, y + 12, value, 'font-size="11"')];
  });
}

function rangeOf(points: readonly Point[], middle: number): string[] {
  const places = points.map(({ x }) => x);
  const dots = points.map(
    ({ x, value }, nth) =>
      `<circle cx="${round(x)}" cy="${round(middle)}" r="5" fill="${colours[nth]}"><title>${escaped(value)}</title></circle>`,
  );
  return [line(Math.min(...places), middle, Math.max(...places), middle, '#8a939e', 2), ...dots];
}

/** The names of the series beside their colours. One series alone is what the axis says. */
function legend({ series }: Chart): string[] {
  if (Object.keys(series).length === 1) return [];
  let x = 24;
  return Object.values(series).flatMap((label, nth) => {
    const entry = [rect(x, 45, 11, 11, colours[nth]), text(x + 17, 55, label)];
    x += 41 + characterWidth * label.length;
    return entry;
  });
}

/** Round values along an axis, and the place of any value between the places `start` and `end`. */
function axis(values: readonly number[], start: number, end: number, isLogarithmic: boolean) {
  const largest = Math.max(...values, Number.MIN_VALUE);
  if (isLogarithmic) {
    const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(largest))];
    const ticks = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
    return { ticks, at: (value: number) => start + ((Math.log10(value) - low) / (high - low)) * (end - start) };
  }
  const power = 10 ** Math.floor(Math.log10(largest / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size * 5 >= largest) ?? power;
  const count = Math.ceil(largest / step);
  const ticks = Array.from({ length: count + 1 }, (_, i) => i * step).filter((tick) => Number.isInteger(tick));
  return { ticks, at: (value: number) => start + (value / (count * step)) * (end - start) };
}

function valuesOf(rows: readonly ResultRow[], series: Series): number[] {
  return rows.flatMap((row) => Object.keys(series).map((column) => Number(row[column] ?? 0)));
}

function axisTitle(x: number, y: number, label: string): string {
  return text(x, y, label, 'text-anchor="middle" font-weight="600"');
}

function sideways(x: number, label: string): string {
  const y = top + 105;
  return text(x, y, label, `text-anchor="middle" font-weight="600" transform="rotate(-90 ${x} ${y})"`);
}

function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" fill="${ink}"${more ? ` ${more}` : ''}>${escaped(content)}</text>`;
}

function rect(x: number, y: number, wide: number, high: number, fill = ink): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(wide)}" height="${round(high)}" fill="${fill}"/>`;
}

function line(x1: number, y1: number, x2: number, y2: number, stroke = pale, thickness = 1): string {
  const ends = `x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}"`;
  return `<line ${ends} stroke="${stroke}" stroke-width="${thickness}"/>`;
}

/** A tenth of a pixel is enough, and the same on every machine. */
function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function numberText(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
