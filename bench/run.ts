import { existsSync, readdirSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { browserRows } from './browser.ts';
import { priceListRows, startRows } from './commands.ts';
import { comparisonRows } from './comparison.ts';
import { Program } from './program.ts';
import { type Row, table } from './report.ts';
import { writeSeries } from './series/series.ts';
import { parseSize } from './series/size.ts';
import { serveRows } from './serve.ts';
import { type Home, openHomes, siteRows, sizeRows } from './site.ts';
import { Workspace } from './workspace.ts';

/** What every benchmark gets. */
export type Bench = {
  readonly workspace: Workspace;
  /** This clone first, then the one that it is compared with. */
  readonly programs: readonly Program[];
  /** Snapshot folders, oldest first. */
  readonly snapshots: readonly string[];
  readonly repetitions: number;
  /** Seconds of load in each measurement of a server. */
  readonly loadSeconds: number;
  readonly say: (text: string) => void;
};

const names = ['start', 'price-list', 'browser', 'comparison', 'site', 'serve'] as const;

const help = `Measures what the project costs, and compares it with another clone of it.

Usage: npm run bench -- [options]

  --against TREE    also measure the clone in this folder, with its node_modules, by turns with this one
  --only LIST       some of these; all by default:
                      start        shelfpress --version and --help
                      price-list   the first update of the price list in docs/tour.md
                      browser      what browsers load, in gzip
                      comparison   the search for the stores to visit
                      site         a day with update, build with other code, verify, build from nothing beside
                                   native tools, peak memory, and bytes by kind of answer
                      serve        answers per second, beside bare node:http and nginx
  --quick           a small series, once: about a minute
  --repetitions N   measure everything N times (3; with --quick once)
  --snapshots DIR   measure this series of snapshot folders instead of a synthetic one
  --size SIZE       products and stores of the synthetic series, and after a slash, how many of them are retrieved
                      (10700/2400@100/50; with --quick 1000/300@30/20)
  --days N          days of the synthetic series (12; with --quick 4)
  --tmp DIR         work below this folder (/dev/shm if it has 8 GB, otherwise the system's temporary folder)
  --json            print one JSON object instead of tables
  --help            print this

site and serve need Linux with GNU time, openssl and gzip; nginx is measured if it is installed.

Example:
  npm run bench -- --only site,serve --against ../before`;

async function main(): Promise<void> {
  const options = readOptions();
  if (options === null) return console.log(help);
  const started = performance.now();
  const secondsSoFar = () => Math.round((performance.now() - started) / 1000);
  const say = (text: string) => process.stderr.write(`${String(secondsSoFar()).padStart(4)} s  ${text}\n`);
  const workspace = new Workspace(options.tmp);
  const programs = options.trees.map((tree) => {
    say(`${tree}: compiling`);
    return new Program(tree, workspace.path('package'));
  });
  const { only, repetitions, loadSeconds, size } = options;
  const snapshots =
    options.snapshots === null
      ? writeSeries(workspace.path('snapshots'), size)
      : snapshotFolders(resolve(options.snapshots));
  if (snapshots.length <= repetitions) {
    throw new Error(`expected more snapshots than ${repetitions} repetitions, got ${snapshots.length}`);
  }
  const bench: Bench = { workspace, programs, snapshots, repetitions, loadSeconds, say };
  let opened: Promise<Home[]> | null = null;
  const homes = () => {
    opened ??= openHomes(bench);
    return opened;
  };
  const reports: Record<(typeof names)[number], () => Row[] | Promise<Row[]>> = {
    start: () => startRows(bench),
    'price-list': () => priceListRows(bench),
    browser: () => browserRows(bench),
    comparison: () => comparisonRows(bench),
    site: async () => [...(await siteRows(bench, await homes())), ...sizeRows(await homes())],
    serve: async () => serveRows(bench, await homes()),
  };
  const measured: Record<string, Row[]> = {};
  for (const name of names.filter((name) => only.includes(name))) {
    say(name);
    measured[name] = await reports[name]();
    if (!options.json) console.log(`${name}\n\n${table(measured[name])}\n`);
  }
  const machine = { processor: cpus()[0]?.model, threads: cpus().length, node: process.version, load: loadavg() };
  if (options.json) console.log(JSON.stringify({ machine, seconds: secondsSoFar(), measured }, null, 2));
  else console.log(`${machine.threads} threads of ${machine.processor}, Node ${machine.node}, ${secondsSoFar()} s`);
}

/** Reads the arguments; null if help was requested. Throws an error that says what is wrong with the arguments. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      against: { type: 'string' },
      only: { type: 'string', default: names.join() },
      quick: { type: 'boolean', default: false },
      repetitions: { type: 'string' },
      snapshots: { type: 'string' },
      size: { type: 'string' },
      days: { type: 'string' },
      tmp: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const { quick, against, snapshots = null, tmp, json } = values;
  const only = values.only.split(',');
  const unknown = only.find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`--only: expected names of ${names.join(', ')}, got ${unknown}`);
  const days = count('--days', values.days, quick ? 4 : 12);
  return {
    only,
    snapshots,
    tmp,
    json,
    trees: [fileURLToPath(new URL('..', import.meta.url)), ...(against === undefined ? [] : [resolve(against)])],
    repetitions: count('--repetitions', values.repetitions, quick ? 1 : 3),
    loadSeconds: quick ? 1 : 3,
    size: parseSize(values.size ?? (quick ? '1000/300@30/20' : '10700/2400@100/50'), days),
  };
}

function count(flag: string, text: string | undefined, usual: number): number {
  const value = Number(text ?? usual);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`${flag}: expected a whole number above 0, got ${text}`);
}

/** The snapshot folders in a folder, by name. */
function snapshotFolders(folder: string): string[] {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  return paths.filter((path) => existsSync(join(path, 'snapshot.json'))).sort();
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
