/** A CSS variable that holds a colour, such as `--chart-1`. */
export type Paint = `--${string}`;

/** A line of a plot, with one value per position. Null means no value, and a gap in the line. */
export type PlotLine = {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly paint: Paint;
  /** The unit of the values. */
  readonly unit?: string;
  /** Whether the values are amounts in the minor unit of the site's currency. */
  readonly isAmount?: true;
  /** Lengths of dashes and gaps. Default: a solid line. */
  readonly dash?: readonly number[];
  /** A letter at the end of the line, also shown in the legend. */
  readonly mark?: string;
  /** When the value at each position began, which may be before the chart does. Null: nothing was observed yet. */
  readonly begins?: readonly (number | null)[];
  /** What each value is a part of, such as how many stores were checked. */
  readonly outOf?: { readonly label: string; readonly values: readonly (number | null)[] };
  /** A value as text. */
  readonly text: (value: number) => string;
};

/** The value of a line at an index as text, with what it is a part of; null for no value. */
export function valueText({ values, outOf, text }: PlotLine, index: number): string | null {
  const value = values[index] ?? null;
  const whole = outOf?.values[index] ?? null;
  if (value === null) return null;
  return whole === null ? text(value) : `${text(value)} of ${text(whole)}`;
}

/**
 * What a chart draws over time. `steps`: a value holds until the next position. `lines`: what each attempt reported,
 * joined to its neighbours; a failed attempt has no value. `bars`: side by side or, with `isStacked`, on top of each
 * other.
 */
export type Plot = {
  readonly kind: 'steps' | 'lines' | 'bars';
  readonly isStacked?: true;
  /** The positions in seconds since 1970, ascending. */
  readonly positions: readonly number[];
  readonly positionText: (position: number) => string;
  readonly lines: readonly PlotLine[];
  /** Indexes of positions that are not joined to the previous one. */
  readonly breaks?: ReadonlySet<number>;
  /** The first and last position shown. Default: all positions with values are shown. */
  readonly range?: readonly [number, number];
  /** Attempts before this time are no longer kept. */
  readonly knownFrom?: number;
  /** For plots stacked on one axis of time: `first` is the main one, and `last` shows the days for all. */
  readonly aligned?: 'first' | 'upper' | 'last';
  /** Whether it is tall enough for many lines. */
  readonly isTall?: true;
  /** Shaded spans, in which nothing was checked. */
  readonly unasked?: readonly (readonly [number, number])[];
  /** Whether the axis covers only the values within the range, with some room. */
  readonly isClose?: true;
  /** Where the axis starts. Default: just below the smallest value. */
  readonly from?: 0;
};

export function toSeconds(instant: string): number {
  return Date.parse(instant) / 1000;
}

export function toInstant(position: number): string {
  return new Date(position * 1000).toISOString();
}
