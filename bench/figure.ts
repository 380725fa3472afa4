import type { Taken } from './measure.ts';
import { ratioOf, type Spread, spreadOf } from './statistics.ts';

/** Measurements of one program over all repetitions. */
export type Figure = {
  readonly benchmark: string;
  readonly program: string;
  readonly seconds: Spread;
  /** Amounts handled per second, by the median time. */
  readonly rates: readonly { readonly unit: string; readonly perSecond: number }[];
  /** The largest peak of all repetitions, or null if unknown. */
  readonly peakBytes: number | null;
  /** Processor time, or null if unknown. */
  readonly cpuSeconds: Spread | null;
  /** The time of the benchmark's first program divided by the time of this one; null for the first program itself. */
  readonly ratio: Spread | null;
  /** The same ratio of processor times. */
  readonly cpuRatio: Spread | null;
};

/** One program of a benchmark: its runs in order, and the amounts that each run handles, by unit. */
export type Measured = {
  readonly program: string;
  readonly runs: readonly Taken[];
  readonly amounts?: Readonly<Record<string, number>>;
};

/** The figures of a benchmark: first the program under test, then the programs it is compared with. */
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
