import { parseArgs } from 'node:util';
import type { Histories } from './memory-benchmark.ts';
import { parseScales, type Scale } from './scale/scale-sizes.ts';

const benchmarks = {
  a: 'publish',
  b: 'build',
  c: 'incremental',
  d: 'exports',
  e: 'memory',
  f: 'comparison',
  g: 'load',
  h: 'fairness',
  i: 'explorer',
  j: 'slowest',
  k: 'scale',
  l: 'formats',
  m: 'day',
} as const;
type Benchmark = (typeof benchmarks)[keyof typeof benchmarks];

export type Options = {
  /** A folder of snapshot folders; null for a synthetic series. */
  readonly snapshots: string | null;
  /**
   * The number of snapshots to use, from the first; null for all of them, or for the default length of a synthetic
   * series.
   */
  readonly publications: number | null;
  /** Another clone of the project to measure, or null. */
  readonly against: string | null;
  readonly scale: number;
  readonly repetitions: number;
  readonly only: ReadonlySet<Benchmark>;
  readonly tmp: string | undefined;
  readonly json: boolean;
  readonly histories: Histories;
  /** Seconds of load in each measurement of a server. */
  readonly loadSeconds: number;
  /** For how many seconds the fairness benchmark requests everything at once. */
  readonly fairnessSeconds: number;
  /** The sizes of series that the scale benchmark measures. */
  readonly scales: readonly Scale[];
};

export const help = `Measures publishing, building and serving, each against a yardstick that runs in the same minute.

Usage: npm run bench -- [options]

  --only LIST         some of a publish, b build, c incremental, d exports, e memory,
                        f comparison, g load, h fairness, i explorer, j slowest, k scale,
                        l formats, m day
                        (letters or names); all by default
  --quick             a small series, once: under a minute
  --snapshots DIR     measure this series of snapshot folders instead of a synthetic one (all but e, f and k)
  --against TREE      also measure the project in another clone, with its packages, alternately with this one:
                        a, b, c and m then have rows that compare both
  --publications N    use the first N snapshots; a synthetic series has 12 (6 with --quick) by default
  --scale N           multiply the products and stores of the synthetic series (1: 10,700 products, 100 stores)
  --repetitions N     measure everything N times (3; with --quick 1), but h once
  --fairness-seconds N
                      for how long h requests everything at once (5; with --quick 2)
  --scale-of LIST     sizes for k: lcbo, lcbo/10 for a tenth of its products, factors of the products and stores
                      such as 4x1, or numbers of them such as 40000@600, where every product is retrieved in every
                      store (0.1x1, with --quick 0.02x1); k stops if there is too little space for a size
  --tmp DIR           work below this folder (/dev/shm if it has 6 GB, otherwise the system's temporary folder)
  --json              print one JSON object instead of tables
  --help              print this

Example:
  npm run bench -- --only build,exports --publications 10`;

/** Null if help was requested. Throws an error that says what is wrong with the arguments. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      snapshots: { type: 'string' },
      against: { type: 'string' },
      publications: { type: 'string' },
      scale: { type: 'string' },
      repetitions: { type: 'string' },
      'fairness-seconds': { type: 'string' },
      'scale-of': { type: 'string' },
      tmp: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const { quick, snapshots = null } = values;
  const publications = count('--publications', values.publications) ?? (quick ? 6 : null);
  return {
    snapshots,
    publications,
    against: values.against ?? null,
    scale: positive('--scale', values.scale) ?? (quick ? 0.2 : 1),
    repetitions: count('--repetitions', values.repetitions) ?? (quick ? 1 : 3),
    only: selection(values.only),
    tmp: values.tmp,
    json: values.json,
    loadSeconds: quick ? 1 : 3,
    fairnessSeconds: positive('--fairness-seconds', values['fairness-seconds']) ?? (quick ? 2 : 5),
    scales: parseScales(values['scale-of'] ?? (quick ? '0.02x1' : '0.1x1')),
    histories: quick ? { products: 200, publications: [10, 100] } : { products: 500, publications: [30, 300] },
  };
}

function selection(list: string | undefined): ReadonlySet<Benchmark> {
  const all = Object.entries(benchmarks);
  if (list === undefined) return new Set(Object.values(benchmarks));
  return new Set(
    list.split(',').map((text) => {
      const [, name] = all.find((names) => names.includes(text.trim())) ?? [];
      if (name) return name;
      throw new Error(`--only: expected letters or names of ${all.flat().join(', ')}, got ${text}`);
    }),
  );
}

function count(flag: string, text: string | undefined): number | null {
  const value = positive(flag, text);
  if (value === null || Number.isInteger(value)) return value;
  throw new Error(`${flag}: expected a whole number, got ${text}`);
}

function positive(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new Error(`${flag}: expected a number above 0, got ${text}`);
}
