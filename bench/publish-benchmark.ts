import { beforeAndNow } from './before-and-now.ts';
import { type Figure, figuresOf } from './figure.ts';
import type { Lab } from './lab.ts';
import type { Run, Taken } from './measure.ts';

export const plainInserts = new URL('./plain-inserts.ts', import.meta.url);

/** Compares publishing the whole series into a new database with inserting the same rows into plain tables. */
export async function publishBenchmark(lab: Lab, before: Lab | null): Promise<Figure[]> {
  const published: Run[] = [];
  const publishedBefore: Run[] = [];
  const inserted: Run[] = [];
  const insertsAlone: Taken[] = [];
  let rows = 0;
  for (let repetition = 1; repetition <= lab.repetitions; repetition += 1) {
    lab.say(`publish, ${repetition} of ${lab.repetitions}`);
    const [database, plain] = [lab.workspace.path('publication.sqlite'), lab.workspace.path('plain.sqlite')];
    published.push(await lab.publish(database, lab.snapshots));
    const inserts = await lab.run(lab.program.script(plainInserts, plain, ...lab.snapshots));
    const said = JSON.parse(inserts.output) as { rows: number; seconds: number };
    rows = said.rows;
    inserted.push(inserts);
    insertsAlone.push({ seconds: said.seconds, cpuSeconds: null, peakBytes: null });
    lab.workspace.remove(database, plain);
    if (before) publishedBefore.push(await before.publish(database, lab.snapshots));
    lab.workspace.remove(database);
  }
  const amounts = { rows };
  const benchmark = `publish of ${lab.snapshots.length} snapshots, ${rows.toLocaleString('en-US')} rows`;
  return [
    ...figuresOf(benchmark, [
      { program: '`publish`', runs: published, amounts },
      { program: 'read, parse and insert', runs: inserted, amounts },
      { program: 'the inserts alone', runs: insertsAlone, amounts },
    ]),
    ...beforeAndNow(benchmark, publishedBefore, published),
  ];
}
