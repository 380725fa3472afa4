import { type Figure, figuresOf } from './figure.ts';
import { Lab } from './lab.ts';
import type { Run } from './measure.ts';
import { writeSeries } from './synthetic-series.ts';
import { seriesSize } from './synthetic-size.ts';
import type { Workspace } from './workspace.ts';

/** Days before the measured ones, so that the site keeps as many publications as it ever does. */
const daysBefore = 4;

/**
 * Builds the same days of inventory into a site, and into one with twice the products, of which the other half is never
 * asked for. No catalog comes with a measured day.
 */
export async function untouchedBenchmark(
  workspace: Workspace,
  { scale, repetitions }: { readonly scale: number; readonly repetitions: number },
  say: (text: string) => void,
): Promise<Figure[]> {
  // The second catalog of a series comes with its sixth snapshot.
  const publications = 6 + daysBefore + repetitions;
  const worlds: { lab: Lab; site: string; runs: Run[] }[] = [];
  for (const untouched of [1, 2]) {
    const folder = workspace.path('snapshots');
    const snapshots = writeSeries(folder, seriesSize({ publications, scale, untouched }));
    const lab = new Lab(workspace, snapshots, repetitions, say);
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
  const [once, twice] = worlds.map(({ runs }) => runs);
  return figuresOf('one more publication, with twice the products that nobody asked for', [
    { program: '`build`, twice the untouched products', runs: twice ?? [] },
    { program: '`build`', runs: once ?? [] },
  ]);
}
