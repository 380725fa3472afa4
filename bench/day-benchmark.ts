import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAndNow } from './before-and-now.ts';
import { type Figure, figuresOf } from './figure.ts';
import type { Lab } from './lab.ts';
import type { Run } from './measure.ts';

/** What an operator's machine does: each kind of run, in the order in which the runs happen. */
type Runs = { readonly day: Run[]; readonly nothingNew: Run[]; readonly upgrade: Run[]; readonly verify: Run[] };

/**
 * Runs `update` for each of the last snapshots of a series, as cron does: with the new snapshot in `incoming`, and once
 * more without anything new. Then builds with the ledger of other code, as after an upgrade, and verifies everything.
 * `before`: another tree of the project, which does the same alternately.
 */
export async function dayBenchmark(lab: Lab, before: Lab | null): Promise<Figure[]> {
  const homes = await Promise.all([lab, ...(before ? [before] : [])].map(openHome));
  const days = lab.snapshots.slice(-lab.repetitions);
  for (const [index, snapshot] of days.entries()) {
    lab.say(`a day with update, ${index + 1} of ${days.length}`);
    for (const home of homes) await home.runDay(snapshot);
  }
  for (const home of homes) home.end();
  const [now, other] = homes.map(({ runs }) => runs);
  if (!now) throw new Error('no home was opened');
  const benchmark = 'a day, with all exports';
  const programs = [
    ['day', '`update` with a new snapshot'],
    ['nothingNew', '`update` without anything new'],
    ['upgrade', '`build` with other code'],
    ['verify', '`verify` of everything'],
  ] as const;
  const [first, ...rest] = programs.map(([name, program]) => ({ program, runs: now[name] }));
  if (!first) throw new Error('no program was measured');
  return [
    ...figuresOf(benchmark, [first, ...rest]),
    ...programs.flatMap(([name, program]) => beforeAndNow(program, other?.[name] ?? [], now[name])),
  ];
}

/** The working folder of an operator, with a site of all publications but those that are measured. */
async function openHome(lab: Lab) {
  const folder = lab.workspace.path('home');
  const at = (...names: string[]) => join(folder, ...names);
  mkdirSync(at('incoming'), { recursive: true });
  writeFileSync(at('shelfpress.json'), JSON.stringify({ explorer: false }));
  lab.say('the site that the days begin with');
  const [first] = await lab.databases();
  if (!first) throw new Error('no publication comes before the days');
  cpSync(first, at('publication.sqlite'));
  for (const database of await lab.earlierDatabases()) {
    await lab.shelfpress('build', '--db', database, '--out', at('site'), '--no-explorer');
  }
  const update = () => lab.shelfpress('update', '--quiet', '--accept', 'all', '--settings', at('shelfpress.json'));
  await update();
  const runs: Runs = { day: [], nothingNew: [], upgrade: [], verify: [] };
  const runDay = async (snapshot: string) => {
    cpSync(snapshot, at('incoming', `day-${runs.day.length}`), { recursive: true });
    runs.day.push(await update());
    runs.nothingNew.push(await update());
    const ledger = at('site', 'build-ledger.json');
    writeFileSync(ledger, JSON.stringify({ ...JSON.parse(readFileSync(ledger, 'utf8')), key: '0'.repeat(64) }));
    const args = ['--db', at('publication.sqlite'), '--out', at('site'), '--no-explorer'];
    runs.upgrade.push(await lab.shelfpress('build', ...args));
    runs.verify.push(await lab.shelfpress('verify', at('site')));
  };
  return { runs, runDay, end: () => lab.workspace.remove(folder) };
}
