import { cpSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { objectPath, parsePath } from '../contract/paths.ts';
import { readPreviousSite } from '../generator/site/built-site.ts';
import { Storage } from '../generator/site/storage.ts';
import { nativeFloor } from './native-floor.ts';
import type { Program } from './program.ts';
import { numberRow, type Row, rowsOf, timesRow } from './report.ts';
import type { Bench } from './run.ts';
import type { Taken } from './workspace.ts';

/** The publications before the first measured day. With this many, the site already keeps as many as it ever will. */
const keptBefore = 3;
/** A kind of answer with a smaller share of the bytes has no row of its own. */
const leastShare = 0.01;

/** What an operator's machine runs in a day, with the words that its rows of the report begin with. */
const programs = {
  day: '`update` with a new snapshot',
  nothingNew: '`update` without anything new',
  otherCode: '`build` with other code',
  verify: '`verify` of everything',
  build: '`build --exports current` from nothing',
} as const;
type Name = keyof typeof programs;

/** The options of `build`. Earlier clones have other defaults. */
const output = ['--db', 'publication.sqlite', '--out', 'dist'];

/** The working folder of an operator: a database, and a site of all publications but those of the measured days. */
export type Home = {
  readonly program: Program;
  readonly folder: string;
  readonly published: Taken;
  readonly runs: Readonly<Record<Name, Taken[]>>;
};

/** Makes a home for each program. */
export async function openHomes(bench: Bench): Promise<Home[]> {
  const homes: Home[] = [];
  for (const program of bench.programs) homes.push(await openHome(bench, program));
  return homes;
}

async function openHome({ workspace, snapshots, repetitions, say }: Bench, program: Program): Promise<Home> {
  say(`${program.tree}: the site that the days begin with`);
  const folder = workspace.newFolder('home');
  mkdirSync(join(folder, 'incoming'));
  writeFileSync(join(folder, 'shelfpress.json'), JSON.stringify({ site: 'dist' }));
  const run = (...args: readonly string[]) => workspace.run(program.shelfpress(...args), folder);
  const earlier = snapshots.slice(0, -repetitions);
  const first = Math.max(1, earlier.length - keptBefore);
  const published = await run('publish', ...earlier.slice(0, first), '--db', 'publication.sqlite');
  await run('build', ...output);
  for (const snapshot of earlier.slice(first)) {
    await run('publish', snapshot, '--db', 'publication.sqlite');
    await run('build', ...output);
  }
  // The first update leaves a proof, with which the next one verifies.
  await run('update', '--quiet');
  return { program, folder, published, runs: { day: [], nothingNew: [], otherCode: [], verify: [], build: [] } };
}

/**
 * Runs `update` for each of the last snapshots, as cron does, and once more without anything new. Then builds as after
 * an upgrade, verifies everything, and builds everything into an empty folder, beside native tools. `homes`: this
 * clone's and, optionally, that of the clone that it is compared with.
 */
export async function siteRows(bench: Bench, homes: readonly Home[]): Promise<Row[]> {
  const floors: number[] = [];
  const days = bench.snapshots.slice(-bench.repetitions);
  for (const [index, snapshot] of days.entries()) {
    for (const home of homes) {
      bench.say(`${home.program.tree}: day ${index + 1} of ${days.length}`);
      const fresh = await runDay(bench, home, snapshot);
      if (home === homes[0]) floors.push((await nativeFloor(bench.workspace, fresh)).cpuSeconds);
      bench.workspace.remove(fresh);
    }
  }
  const rows = (Object.keys(programs) as Name[]).map((name) =>
    rowsOf(
      programs[name],
      homes.map(({ runs }) => runs[name]),
    ),
  );
  const [buildCpu] = rows.at(-1) as [Row];
  const published = homes.map((home) => [home.published]);
  const first = Math.max(1, bench.snapshots.length - days.length - keptBefore);
  return [
    ...rowsOf(`\`publish\` of the first ${first} snapshots`, published),
    ...rows.flat(),
    { what: '`cp`, `sha256`, `md5` and `gzip` of the same files', unit: 'CPU seconds', now: floors, before: null },
    timesRow('`build` from nothing, compared with that', buildCpu, floors),
  ];
}

/** Returns the folder with everything built from nothing. */
async function runDay({ workspace }: Bench, { program, folder, runs }: Home, snapshot: string): Promise<string> {
  const run = (...args: readonly string[]) => workspace.run(program.shelfpress(...args), folder);
  cpSync(snapshot, join(folder, 'incoming', `day-${runs.day.length}`), { recursive: true });
  // An invented or a shortened series may look implausible.
  runs.day.push(await run('update', '--quiet', '--accept', 'all'));
  runs.nothingNew.push(await run('update', '--quiet'));
  const ledger = join(folder, 'dist/build-ledger.json');
  writeFileSync(ledger, JSON.stringify({ ...JSON.parse(readFileSync(ledger, 'utf8')), key: '0'.repeat(64) }));
  runs.otherCode.push(await run('build', ...output));
  runs.verify.push(await run('verify', 'dist'));
  const fresh = workspace.path('fresh');
  runs.build.push(await run('build', '--db', 'publication.sqlite', '--out', fresh, '--exports', 'current'));
  return fresh;
}

/** The bytes of each kind of answer, compressed forms included. An object that several answers share counts once. */
export function sizeRows(homes: readonly Home[]): Row[] {
  const sites = homes.map(({ folder }) => bytesByKind(join(folder, 'dist')));
  const sum = (kinds: ReadonlyMap<string, number>) => [...kinds.values()].reduce((all, bytes) => all + bytes, 0);
  const [now = new Map<string, number>()] = sites;
  const large = [...now].filter(([, bytes]) => bytes >= leastShare * sum(now)).sort((a, b) => b[1] - a[1]);
  const names = large.map(([kind]) => kind);
  const row = (what: string, of: (kinds: ReadonlyMap<string, number>) => number) =>
    numberRow(
      what,
      'MB',
      sites.map((kinds) => of(kinds) / 1e6),
    );
  const databases = homes.map(({ folder }) => statSync(join(folder, 'publication.sqlite')).size / 1e6);
  return [
    ...names.map((name) => row(name, (kinds) => kinds.get(name) ?? 0)),
    row('all other kinds', (kinds) => sum(new Map([...kinds].filter(([kind]) => !names.includes(kind))))),
    row('together', sum),
    numberRow('the database', 'MB', databases),
  ];
}

function bytesByKind(site: string): Map<string, number> {
  const storage = new Storage(site);
  const current = readPreviousSite(storage);
  if (current === null) throw new Error(`${site}: expected a site, got none`);
  const counted = new Set<string>();
  const kinds = new Map<string, number>();
  const count = (kind: string, sha256: string, size: number) => {
    if (!counted.has(sha256)) kinds.set(kind, (kinds.get(kind) ?? 0) + size);
    counted.add(sha256);
  };
  for (const { path, variants = [], ...whole } of current.routes.values()) {
    for (const { sha256, size } of [whole, ...variants]) count(parsePath(path)?.kind ?? 'unknown', sha256, size);
  }
  for (const sha256 of current.objects) count('route table', sha256, storage.read(objectPath(sha256))?.length ?? 0);
  return kinds;
}
