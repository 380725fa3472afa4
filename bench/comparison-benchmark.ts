import { bitCount, type Candidates, searchPlans } from '../shim/comparison/plan-search.ts';
import { integer, seededRandom } from '../test/support/random.ts';
import { candidatesOf, largeWorlds, statewideWorlds } from './comparison-worlds.ts';
import { type Figure, figuresOf } from './figure.ts';
import type { Taken } from './measure.ts';

/** Times are for this many comparisons, so that seconds in the figures are milliseconds per comparison. */
const comparisons = 1_000;
/** How many seconds a search is repeated for, so that a run is longer than a tick of the clock. */
const leastSeconds = 0.1;
/** With more pairs of stores than this, the time for all triples is extrapolated from this many random pairs. */
const mostPairs = 5_000;
const maxStops = 3;

/** Compares the search for plans with trying all triples of stores. */
export async function comparisonBenchmark(repetitions: number, say: (text: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const world of [...statewideWorlds, ...largeWorlds]) {
    const name = `${comparisons.toLocaleString('en-US')} searches, ${world.stores.toLocaleString('en-US')} stores, ${world.name}`;
    say(name);
    const candidates = candidatesOf(world);
    const search = () => searchPlans(candidates, maxStops);
    timed(search);
    everyTriple(candidates);
    const [searched, enumerated]: [Taken[], Taken[]] = [[], []];
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      searched.push(timed(search));
      enumerated.push(everyTriple(candidates));
    }
    figures.push(
      ...figuresOf(name, [
        { program: 'the search', runs: searched, amounts: { comparisons } },
        {
          program: world.stores ** 2 / 2 > mostPairs ? 'all triples, from a sample' : 'all triples',
          runs: enumerated,
          amounts: { comparisons },
        },
      ]),
    );
  }
  return figures;
}

/** The time of {@link comparisons} runs, extrapolated from runs of at least {@link leastSeconds} together. */
function timed(program: () => unknown): Taken {
  const started = performance.now();
  const cpu = process.cpuUsage();
  let [runs, seconds] = [0, 0];
  while (seconds < leastSeconds) {
    program();
    runs += 1;
    seconds = (performance.now() - started) / 1000;
  }
  const { user, system } = process.cpuUsage(cpu);
  const factor = comparisons / runs;
  return { seconds: seconds * factor, cpuSeconds: ((user + system) / 1e6) * factor, peakBytes: null };
}

/** The time to compare every plan of three stores with the best so far, extrapolated if pairs were sampled. */
function everyTriple({ coverage, distances }: Candidates): Taken {
  const { length } = coverage;
  let [bestSize, bestFarthest, bestTotal, triples] = [0, 0, 0, 0];
  const started = performance.now();
  const cpu = process.cpuUsage();
  for (const [first, second] of firstPairs(length)) {
    const covered = (coverage[first] as number) | (coverage[second] as number);
    const total = (distances[first] as number) + (distances[second] as number);
    triples += length - 1 - second;
    for (let third = second + 1; third < length; third += 1) {
      const size = bitCount(covered | (coverage[third] as number));
      if (size < bestSize) continue;
      const farthest = distances[third] as number;
      const isBetter = size > bestSize || farthest < bestFarthest || (farthest === bestFarthest && total < bestTotal);
      if (isBetter) [bestSize, bestFarthest, bestTotal] = [size, farthest, total];
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const factor = (comparisons * ((length * (length - 1) * (length - 2)) / 6)) / triples;
  return { seconds: seconds * factor, cpuSeconds: ((user + system) / 1e6) * factor, peakBytes: null };
}

/** All pairs of stores, or a random sample of them. */
function* firstPairs(stores: number): Generator<readonly [number, number]> {
  if (stores ** 2 / 2 > mostPairs) {
    const random = seededRandom(2);
    for (let pair = 0; pair < mostPairs; pair += 1) {
      const [one, other] = [integer(random, 0, stores - 1), integer(random, 0, stores - 1)];
      if (one !== other) yield [Math.min(one, other), Math.max(one, other)];
    }
    return;
  }
  for (let first = 0; first < stores; first += 1) {
    for (let second = first + 1; second < stores; second += 1) yield [first, second];
  }
}
