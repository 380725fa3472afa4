import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './program.ts';
import { type Row, rowsOf } from './report.ts';
import type { Bench } from './run.ts';
import type { Taken } from './workspace.ts';

/** The clock of processor time ticks a hundred times a second, so one start is too short. */
const starts = 10;

/** How long a command takes to start. */
export async function startRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const flag of ['--version', '--help']) {
    const runs = await alternately(bench, bench.repetitions, (program) => {
      const script = `for i in $(seq ${starts}); do "$@" > /dev/null || exit 1; done`;
      return bench.workspace.run(['sh', '-c', script, 'sh', ...program.shelfpress(flag)]);
    });
    rows.push(...rowsOf(`${starts} times \`shelfpress ${flag}\``, runs));
  }
  return rows;
}

/** What a newcomer waits for: the first `update` of the price list in `docs/tour.md`, in an empty folder. */
export async function priceListRows(bench: Bench): Promise<Row[]> {
  const { workspace } = bench;
  const runs = await alternately(bench, bench.repetitions, async (program) => {
    const folder = workspace.newFolder('price-list');
    const files = join(program.tree, 'fixtures/imports/csv');
    await workspace.run(program.shelfpress('init', '--recipe', join(files, 'recipe.json')), folder);
    const delivery = join(folder, 'incoming/2025-03-03');
    cpSync(files, delivery, { recursive: true, filter: (name) => !name.endsWith('.json') });
    return workspace.run(program.shelfpress('update', '--quiet'), folder);
  });
  return rowsOf('the first `update` of a price list', runs);
}

/** Runs a program in each clone by turns, so that a disturbance of the machine is likely to affect both. */
async function alternately(
  { programs }: Bench,
  times: number,
  run: (program: Program) => Promise<Taken>,
): Promise<Taken[][]> {
  const runs: Taken[][] = programs.map(() => []);
  for (let time = 0; time < times; time += 1) {
    for (const [index, program] of programs.entries()) runs[index]?.push(await run(program));
  }
  return runs;
}
