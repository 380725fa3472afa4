import { join } from 'node:path';
import type { Candidates } from '../shim/comparison/plan-search.ts';
import { bestByTrial } from '../test/shim/comparison/every-plan.ts';
import { candidatesOf, hardWorlds, statewideWorld } from '../test/shim/comparison/hard-worlds.ts';
import { numberRow, type Row } from './report.ts';
import type { Bench } from './run.ts';

type PlanSearch = { readonly searchPlans: (candidates: Candidates, maxStops: number) => unknown };

const maxStops = 3;
/** A measured function is repeated until it has taken this many seconds of processor time. */
const leastSeconds = 0.2;

/** The search for plans, among as many stores as a state has, and in worlds of 10,000 stores that are hard for it. */
export async function comparisonRows({ programs, say }: Bench): Promise<Row[]> {
  say('the search for plans');
  const searches = await Promise.all(
    programs.map(({ tree }): Promise<PlanSearch> => import(join(tree, 'shim/comparison/plan-search.ts'))),
  );
  const inAll = (candidates: Candidates) =>
    searches.map(({ searchPlans }) => milliseconds(() => searchPlans(candidates, maxStops)));
  const state = candidatesOf(statewideWorld);
  const trial = milliseconds(() => bestByTrial(state, maxStops));
  const hard = hardWorlds.map((world) => inAll(candidatesOf(world)));
  const hardest = programs.map((_, index) => Math.max(...hard.map((times) => times[index] ?? 0)));
  const together = programs.map((_, index) => hard.reduce((sum, times) => sum + (times[index] ?? 0), 0));
  return [
    numberRow('25 products in 100 stores', 'CPU ms', inAll(state)),
    { what: 'the same by trying all plans', unit: 'CPU ms', now: [trial], before: null },
    numberRow('25 products in 10,000 stores, the hardest world', 'CPU ms', hardest),
    numberRow(`all ${hardWorlds.length} hard worlds together`, 'CPU ms', together),
  ];
}

/**
 * The processor time of one run of a function, in milliseconds. A first run, which may still compile it, does not
 * count.
 */
function milliseconds(program: () => unknown): number {
  program();
  const before = process.cpuUsage();
  let [runs, seconds] = [0, 0];
  while (seconds < leastSeconds) {
    program();
    runs += 1;
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1e6;
  }
  return (1000 * seconds) / runs;
}
