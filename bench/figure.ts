import type { Taken } from './measure.ts';
import { ratioOf, type Spread, spreadOf } from './statistics.ts';

/** What was measured of one program, over all repetitions. */
export type Figure = {
  readonly benchmark: string;
  readonly program: string;
  readonly seconds: Spread;
  /** What it handles a second, by the median. */
  readonly rates: readonly { readonly unit: string; readonly perSecond: number }[];
  /** The largest over all repetitions; null where nothing tells. */
  readonly peakBytes: number | null;
  /** Processor time; null where nothing tells. */
  readonly cpuSeconds: Spread | null;
  /** How many times as long the first program of the benchmark took; null of that program itself. */
  readonly ratio: Spread | null;
  /** The same of processor time. */
  readonly cpuRatio: Spread | null;
};

/** One program of a benchmark: its runs in order, and how much each of them handles, by unit. */
export type Measured = {
  readonly program: string;
  readonly runs: readonly Taken[];
  readonly amounts?: Readonly<Record<string, number>>;
};

/** The figures of a benchmark: the program that it is about first, then what it is measured by. */
export function figuresOf(benchmark: string, [subject, ...yardsticks]: readonly [Measured, ...Measured[]]): Figure[] {
  const cpuOfSubject = cpuSecondsOf(subject);
  return [subject, ...yardsticks].map((one) => {
    const seconds = spreadOf(secondsOf(one));
    const cpu = cpuSecondsOf(one);
    const peaks = one.runs.flatMap(({ peakBytes }) => peakBytes ?? []);
    return {
      benchmark,
      program: one.program,
      seconds,
      rates: Object.entries(one.amounts ?? {}).map(([unit, amount]) => ({ unit, perSecond: amount / seconds.median })),
      peakBytes: peaks.length > 0 ? Math.max(...peaks) : null,
      cpuSeconds: cpu && spreadOf(cpu),
      ratio: one === subject ? null : ratioOf(secondsOf(subject), secondsOf(one)),
      cpuRatio: one === subject || !cpu || !cpuOfSubject ? null : ratioOf(cpuOfSubject, cpu),
    };
  });
}

function secondsOf({ runs }: Measured): number[] {
  return runs.map(({ seconds }) => seconds);
}

function cpuSecondsOf({ runs }: Measured): number[] | null {
  const known = runs.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  return known.length === runs.length ? known : null;
}
