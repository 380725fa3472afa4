/** A variable of the style sheet that holds a colour, such as `--chart-1`. */
export type Paint = `--${string}`;

/** Values of a plot, one for each of its positions. Null: there is none, and a line has a gap. */
export type PlotLine = {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly paint: Paint;
  /** What the values are counted in. */
  readonly unit?: string;
  /** Whether the values are amounts in the minor unit of the site's currency. */
  readonly isAmount?: true;
  /** Lengths of the strokes and gaps of a line. Default: it has no gaps. */
  readonly dash?: readonly number[];
  /** A letter that stands at the end of a line. A legend has it too. */
  readonly mark?: string;
  /** When the value at each position began, where that may be before the chart does. Null: nothing was observed yet. */
  readonly begins?: readonly (number | null)[];
  /** A value as text. */
  readonly text: (value: number) => string;
};

/**
 * What a chart draws over time. `steps`: a value holds until the next position. `lines`: what was reported at each attempt, joined
 * where neighbours have a value; one that failed has none. `bars`: values beside each other or, with `isStacked`, on top of each
 * other.
 */
export type Plot = {
  readonly kind: 'steps' | 'lines' | 'bars';
  readonly isStacked?: true;
  /** Ascending: seconds since 1970. */
  readonly positions: readonly number[];
  readonly positionText: (position: number) => string;
  readonly lines: readonly PlotLine[];
  /** Indexes of positions that are not joined with the one before them. */
  readonly breaks?: ReadonlySet<number>;
  /** The first and last position that is shown. Default: those that have values. */
  readonly range?: readonly [number, number];
  /** Before this, what was asked is no longer kept. */
  readonly knownFrom?: number;
  /** A plot above others on one axis of time: the `first` is the one to read, and the `last` has the days of all. */
  readonly aligned?: 'first' | 'upper' | 'last';
  /** Whether it is high, for many lines. */
  readonly isTall?: true;
  /** Spans that are shaded, because nothing was asked. */
  readonly unasked?: readonly (readonly [number, number])[];
  /** Whether the axis has only the values within the range, and some room. */
  readonly isClose?: true;
  /** A value that the axis begins with. Default: one below the smallest value. */
  readonly from?: 0;
};

export function toSeconds(instant: string): number {
  return Date.parse(instant) / 1000;
}

export function toInstant(position: number): string {
  return new Date(position * 1000).toISOString();
}
