import { Lab } from './lab.ts';
import type { Program } from './program.ts';
import { writeSeries } from './synthetic-series.ts';
import { seriesSize } from './synthetic-size.ts';
import type { Workspace } from './workspace.ts';

/** The measurements of one program at each length of history. */
export type Growth = {
  readonly program: string;
  readonly points: readonly {
    readonly publications: number;
    readonly peakBytes: number | null;
    readonly seconds: number;
  }[];
};

export type Histories = { readonly products: number; readonly publications: readonly number[] };

const programs = [
  '`publish` of the series',
  '`publish` of one more snapshot',
  '`build` from nothing',
  '`build` of what is new',
];

/**
 * Measures the peak memory of publishing and building, with histories of several lengths and the same products and
 * stores.
 */
export async function memoryBenchmark(
  program: Program,
  workspace: Workspace,
  { products, publications }: Histories,
  say: (text: string) => void,
): Promise<Growth[]> {
  const points: Growth['points'][] = [];
  for (const length of publications) {
    say(`memory, ${length} publications of ${products} products`);
    const folder = workspace.path('snapshots');
    const snapshots = writeSeries(folder, seriesSize({ publications: length, products }));
    const lab = new Lab(program, workspace, snapshots, 1, say);
    const [database, site] = [workspace.path('publication.sqlite'), workspace.path('site')];
    const runs = [
      await lab.publish(database, snapshots.slice(0, -2)),
      await lab.publish(database, snapshots.slice(-2, -1)),
      await lab.build(database, site, 'retained'),
    ];
    await lab.publish(database, snapshots.slice(-1));
    runs.push(await lab.build(database, site, 'retained'));
    points.push(runs.map(({ peakBytes, seconds }) => ({ publications: length, peakBytes, seconds })));
    workspace.remove(folder, database, site);
  }
  return programs.map((program, index) => ({ program, points: points.flatMap((runs) => runs[index] ?? []) }));
}
