import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { exportResource } from '../contract/columns/export.ts';
import type { ExportResource } from '../contract/vocabulary.ts';
import { type Figure, figuresOf } from './figure.ts';
import type { Lab } from './lab.ts';
import { project, type Taken, works } from './measure.ts';

export const makeExports = new URL('./make-exports.ts', import.meta.url);

/** What make-exports.ts prints about a file. */
type MadeFile = Pick<Taken, 'seconds' | 'cpuSeconds'> & { readonly resource: ExportResource };

type Times = Record<ExportResource, Taken[]>;

/** Whether sqlite3 has the functions that the queries need, which came with SQLite 3.38. */
const hasShell = works('sqlite3', ':memory:', "SELECT unixepoch('now'), json_object()");
const pinned = works('taskset', '-c', '0', 'true') ? ['taskset', '-c', '0'] : [];
const pipeline = 'sqlite3 -readonly "$1" < "$2" | gzip -6 > "$3"';

/**
 * Compares making the export files of the latest publication, on one core, with SQLite's JSON of the same records and
 * gzip.
 */
export async function exportBenchmark(lab: Lab): Promise<Figure[]> {
  if (!hasShell) {
    lab.say('no sqlite3 of version 3.38 or later: nothing to measure the exports by');
    return [];
  }
  const database = (await lab.databases()).at(-1) ?? '';
  const [made, queried] = [lab.workspace.path('made'), lab.workspace.path('queried')];
  for (const folder of [made, queried]) mkdirSync(folder);
  const makeTimes: Times = { products: [], stores: [], inventory: [] };
  const queryTimes: Times = { products: [], stores: [], inventory: [] };
  const records: Record<string, number> = {};
  for (let repetition = 0; repetition <= lab.repetitions; repetition += 1) {
    lab.say(repetition === 0 ? 'exports, a comparison first' : `exports, ${repetition} of ${lab.repetitions}`);
    const { output, peakBytes } = await lab.run([...pinned, ...lab.program.script(makeExports, database, made)]);
    const files = JSON.parse(output) as MadeFile[];
    for (const { resource, seconds, cpuSeconds } of files) {
      const query = join(project, 'bench/queries', `${resource}.sql`);
      const target = join(queried, `${resource}.ndjson.gz`);
      const done = await lab.run([...pinned, 'sh', '-c', pipeline, 'sh', database, query, target]);
      if (repetition === 0) records[resource] = equalRecords(join(made, `${resource}.ndjson.gz`), target);
      else {
        makeTimes[resource].push({ seconds, cpuSeconds, peakBytes });
        queryTimes[resource].push(done);
      }
    }
  }
  const groups: [string, readonly ExportResource[]][] = [
    ['all three export files', exportResource.options],
    ['the products export', ['products']],
    ['the inventory export', ['inventory']],
  ];
  return groups.flatMap(([name, resources]) => {
    const count = resources.reduce((sum, resource) => sum + (records[resource] ?? 0), 0);
    return figuresOf(`${name}, ${count.toLocaleString('en-US')} records`, [
      { program: 'encoded and checked', runs: summed(makeTimes, resources), amounts: { records: count } },
      { program: '`sqlite3` and `gzip -6`', runs: summed(queryTimes, resources), amounts: { records: count } },
    ]);
  });
}

/** The time of several files together, for each repetition. */
function summed(taken: Times, resources: readonly ExportResource[]): Taken[] {
  return taken.products.map((_, index) => {
    const runs = resources.flatMap((resource) => taken[resource][index] ?? []);
    const peaks = runs.flatMap(({ peakBytes }) => peakBytes ?? []);
    const seconds = runs.reduce((sum, run) => sum + run.seconds, 0);
    const times = runs.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
    const cpuSeconds = times.length === runs.length ? times.reduce((sum, time) => sum + time, 0) : null;
    return { seconds, cpuSeconds, peakBytes: peaks.length > 0 ? Math.max(...peaks) : null };
  });
}

/**
 * The number of records in each of two files, not counting the header of the first. Throws unless all their fields are
 * equal.
 */
function equalRecords(made: string, queried: string): number {
  const [, ...ours] = linesOf(made);
  const theirs = linesOf(queried);
  if (ours.length !== theirs.length) throw new Error(`${made} has ${ours.length} records, the query ${theirs.length}`);
  const odd = ours.findIndex((line, index) => normalized(line) !== normalized(theirs[index] ?? 'null'));
  if (odd >= 0) throw new Error(`record ${odd + 1} of ${made} is ${ours[odd]}, of the query ${theirs[odd]}`);
  return ours.length;
}

function linesOf(file: string): string[] {
  return gunzipSync(readFileSync(file)).toString().trimEnd().split('\n');
}

/** Formats a record again, because SQLite writes a whole number of degrees as 40.0. */
function normalized(line: string): string {
  return JSON.stringify(JSON.parse(line));
}
