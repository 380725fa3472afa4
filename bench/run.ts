import { arch, availableParallelism, cpus, loadavg, platform } from 'node:os';
import { dirname, resolve } from 'node:path';
import { buildBenchmark, plainDocuments } from './build-benchmark.ts';
import { comparisonBenchmark } from './comparison-benchmark.ts';
import { dayBenchmark } from './day-benchmark.ts';
import { type ExplorerFigures, explorerBenchmark } from './explorer/explorer-benchmark.ts';
import { exportBenchmark, makeExports } from './export-benchmark.ts';
import type { Figure } from './figure.ts';
import { formatsBenchmark } from './formats-benchmark.ts';
import { type Exports, Lab } from './lab.ts';
import { type FairnessFigure, fairnessBenchmark } from './load/fairness-benchmark.ts';
import { type LoadFigure, loadBenchmark } from './load/load-benchmark.ts';
import { type SwitchingFigure, switchingBenchmark } from './load/switching.ts';
import { project } from './measure.ts';
import { type Growth, memoryBenchmark } from './memory-benchmark.ts';
import { help, type Options, readOptions } from './options.ts';
import { Program } from './program.ts';
import { plainInserts, publishBenchmark } from './publish-benchmark.ts';
import { type ScaleFigure, scaleBenchmark } from './scale/scale-benchmark.ts';
import { scaleTables } from './scale/scale-table.ts';
import { type SlowestFigure, slowestBenchmark } from './slowest/slowest-benchmark.ts';
import { snapshotFolders } from './snapshot-parts.ts';
import { writeSeries } from './synthetic-series.ts';
import { seriesSize } from './synthetic-size.ts';
import { explorerTables, fairnessTable, figureTable, growthTable, loadTable, slowestTable } from './table.ts';
import { untouchedBenchmark } from './untouched-benchmark.ts';
import { Workspace } from './workspace.ts';

const leastPublications = 2;
/** Benchmarks that make their own series. */
const ownSeries = new Set(['memory', 'comparison', 'scale']);

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) return console.log(help);
  const started = performance.now();
  const loadBefore = loadavg();
  const workspace = new Workspace(options.tmp);
  const { figures, growths, loads, switching, fairness, explorer, slowest, scales } = await measure(options, workspace);
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown processor',
    threads: availableParallelism(),
    system: `${platform()} ${arch()}`,
    node: process.version,
    folder: dirname(workspace.folder),
    load_average: { before: loadBefore, after: loadavg() },
    seconds: Math.round((performance.now() - started) / 1000),
  };
  if (options.json)
    return console.log(
      JSON.stringify({ machine, figures, growths, loads, switching, fairness, explorer, slowest, scales }, null, 2),
    );
  const { processor, threads, system, node, folder, seconds } = machine;
  const averages = [loadBefore, machine.load_average.after].map(([minute = 0]) => minute.toFixed(1));
  console.log(`${threads} threads of ${processor}, ${system}, Node ${node}, in ${folder}`);
  console.log(`${seconds} s; load average ${averages[0]} before, ${averages[1]} after\n`);
  if (figures.length > 0) console.log(`${figureTable(figures)}\n`);
  if (growths.length > 0) console.log(`${growthTable(growths)}\n`);
  if (loads.length > 0) console.log(`${loadTable(loads)}\n`);
  if (switching) {
    const { switches, answers, failed, mixed } = switching;
    console.log(`${switches} switches under load: ${answers} answers, ${failed} failed, ${mixed} mixed\n`);
  }
  if (fairness.length > 0) console.log(`${fairnessTable(fairness)}\n`);
  if (explorer) console.log(`${explorerTables(explorer)}\n`);
  if (slowest.length > 0) console.log(`${slowestTable(slowest)}\n`);
  for (const figure of scales) console.log(`${scaleTables(figure)}\n`);
}

type Measurements = {
  readonly figures: readonly Figure[];
  readonly growths: readonly Growth[];
  readonly loads: readonly LoadFigure[];
  readonly switching: SwitchingFigure | null;
  readonly fairness: readonly FairnessFigure[];
  readonly explorer: ExplorerFigures | null;
  readonly slowest: readonly SlowestFigure[];
  readonly scales: readonly ScaleFigure[];
};

async function measure(options: Options, workspace: Workspace): Promise<Measurements> {
  const { only, repetitions, histories, fairnessSeconds } = options;
  const started = performance.now();
  const say = (text: string) => {
    process.stderr.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
  };
  const program = new Program(project, workspace.path('package'), [plainInserts, plainDocuments, makeExports]);
  const other = options.against === null ? null : new Program(resolve(options.against), workspace.path('before'));
  const figures: Figure[] = [];
  let loads: readonly LoadFigure[] = [];
  let switching: SwitchingFigure | null = null;
  let fairness: readonly FairnessFigure[] = [];
  let explorer: ExplorerFigures | null = null;
  let slowest: readonly SlowestFigure[] = [];
  if ([...only].some((name) => !ownSeries.has(name))) {
    const snapshots = seriesOf(options, workspace);
    const lab = new Lab(program, workspace, snapshots, repetitions, say);
    const before = other && new Lab(other, workspace, snapshots, repetitions, say);
    const [floor, incremental] = [only.has('build'), only.has('incremental')];
    if (only.has('publish')) figures.push(...(await publishBenchmark(lab, before)));
    const build = async (exports: Exports, floor: boolean) =>
      figures.push(...(await buildBenchmark(lab, before, { exports, floor, incremental })));
    if (floor || incremental) await build('current', floor);
    if (incremental) await build('retained', false);
    if (incremental && !options.snapshots) {
      const programs = other ? [program, other] : [program];
      figures.push(...(await untouchedBenchmark(programs, workspace, options, say)));
    }
    if (only.has('day')) figures.push(...(await dayBenchmark(lab, before)));
    if (only.has('exports')) figures.push(...(await exportBenchmark(lab)));
    if (only.has('formats')) figures.push(...(await formatsBenchmark(lab)));
    if (only.has('load')) {
      loads = await loadBenchmark(lab, options.loadSeconds);
      switching = await switchingBenchmark(lab);
    }
    if (only.has('fairness')) fairness = await fairnessBenchmark(lab, fairnessSeconds);
    if (only.has('explorer')) explorer = await explorerBenchmark(lab);
    if (only.has('slowest')) slowest = await slowestBenchmark(lab);
  }
  if (only.has('comparison')) figures.push(...(await comparisonBenchmark(repetitions, say)));
  const growths = only.has('memory') ? await memoryBenchmark(program, workspace, histories, say) : [];
  const scales = only.has('scale') ? await scaleBenchmark(program, options.scales, options.tmp, say) : [];
  return { figures, growths, loads, switching, fairness, explorer, slowest, scales };
}

/** The snapshot folders to measure, oldest first. */
function seriesOf({ snapshots, publications, scale }: Options, workspace: Workspace): string[] {
  const folders = snapshots
    ? snapshotFolders(snapshots).slice(0, publications ?? undefined)
    : writeSeries(workspace.path('snapshots'), seriesSize({ scale, ...(publications && { publications }) }));
  if (folders.length >= leastPublications) return folders;
  throw new Error(
    `expected at least ${leastPublications} snapshots${snapshots ? ` in ${snapshots}` : ''}, got ${folders.length}`,
  );
}

main().catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
