import { beforeAndNow } from './before-and-now.ts';
import { type Figure, figuresOf } from './figure.ts';
import { Lab } from './lab.ts';
import type { Run } from './measure.ts';
import type { Program } from './program.ts';
import { writeSeries } from './synthetic-series.ts';
import { seriesSize } from './synthetic-size.ts';
import type { Workspace } from './workspace.ts';

/** Days before the measured ones, so that the site keeps as many publications as it ever does. */
const daysBefore = 4;

/**
 * Builds the same days of inventory into a site, and into one with twice as many products, half of which are never
 * requested. The measured days have no catalog. `programs` are that of this tree, and optionally that of another.
 */
export async function untouchedBenchmark(
  programs: readonly Program[],
  workspace: Workspace,
  { scale, repetitions }: { readonly scale: number; readonly repetitions: number },
  say: (text: string) => void,
): Promise<Figure[]> {
  // The second catalog of a series comes with its sixth snapshot.
  const publications = 6 + daysBefore + repetitions;
  const series = [1, 2].map((untouched) =>
    writeSeries(workspace.path('snapshots'), seriesSize({ publications, scale, untouched })),
  );
  const worlds: { lab: Lab; site: string; runs: Run[] }[] = [];
  for (const [program, snapshots] of programs.flatMap((one) => series.map((days) => [one, days] as const))) {
    const lab = new Lab(program, workspace, snapshots, repetitions, say);
    const site = workspace.path('site');
    for (const database of [...(await lab.earlierDatabases()), ...(await lab.databases()).slice(0, 1)]) {
      await lab.build(database, site, 'current');
    }
    worlds.push({ lab, site, runs: [] });
  }
  for (let repetition = 1; repetition <= repetitions; repetition += 1) {
    for (const { lab, site, runs } of worlds) {
      const database = (await lab.databases())[repetition];
      if (!database) throw new Error(`no database of day ${repetition}`);
      say(`one more publication, with and without other products, ${repetition} of ${repetitions}`);
      runs.push(await lab.build(database, site, 'current'));
    }
  }
  const [once = [], twice = [], , twiceBefore = []] = worlds.map(({ runs }) => runs);
  const benchmark = 'one more publication, with twice the products that nobody asked for';
  return [
    ...figuresOf(benchmark, [
      { program: '`build`, twice the untouched products', runs: twice },
      { program: '`build`', runs: once },
    ]),
    ...beforeAndNow(benchmark, twiceBefore, twice),
  ];
}
