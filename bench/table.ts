import type { ExplorerFigures } from './explorer/explorer-benchmark.ts';
import type { Figure } from './figure.ts';
import type { Bystander } from './load/bystander.ts';
import type { FairnessFigure } from './load/fairness-benchmark.ts';
import type { LoadFigure } from './load/load-benchmark.ts';
import type { Growth } from './memory-benchmark.ts';
import type { SlowestFigure } from './slowest/slowest-benchmark.ts';
import type { Spread } from './statistics.ts';

/**
 * The figures as a markdown table. The last columns: the time of the benchmark's first program divided by this one's.
 */
export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map(({ benchmark, program, seconds, cpuSeconds, rates, peakBytes, ratio, cpuRatio }, index) => [
    figures[index - 1]?.benchmark === benchmark ? '' : benchmark,
    program,
    spread(seconds),
    cpuSeconds ? spread(cpuSeconds) : '',
    rates.map(({ unit, perSecond }) => `${rounded(perSecond)} ${unit}/s`).join(', '),
    megabytes(peakBytes),
    ratio ? `**${spread(ratio)}**` : '',
    cpuRatio ? spread(cpuRatio) : '',
  ]);
  const head = ['benchmark', 'program', 'seconds', 'CPU seconds', 'rate', 'peak MB', 'first / this', 'of CPU'];
  return table(head, ['', '', ':', ':', '', ':', ':', ':'], rows);
}

/** Peak memory and time at each length of history, and the ratio of the last peak to the first. */
export function growthTable(growths: readonly Growth[]): string {
  const lengths = growths[0]?.points.map(({ publications }) => `${publications} publications`) ?? [];
  const rows = growths.map(({ program, points }) => {
    const [first, last] = [points[0]?.peakBytes ?? null, points[points.length - 1]?.peakBytes ?? null];
    const growth = first && last ? `**${rounded(last / first)}**` : '';
    return [
      program,
      ...points.map(({ peakBytes, seconds }) => `${megabytes(peakBytes)} MB, ${rounded(seconds)} s`),
      growth,
    ];
  });
  return table(['peak memory', ...lengths, 'memory: last / first'], ['', ...lengths.map(() => ':'), ':'], rows);
}

/** The rates of servers, and the rate of `serve` as a share of each program's. */
export function loadTable(loads: readonly LoadFigure[]): string {
  const rows = loads.map(({ request, program, perSecond, p50, p99, share, peakBytes }, index) => [
    loads[index - 1]?.request === request ? '' : request,
    program,
    spread(perSecond),
    rounded(p50),
    rounded(p99),
    megabytes(peakBytes),
    share ? `**${spread(share)}**` : '',
  ]);
  const head = ['request', 'program', 'answers/s', 'p50 ms', 'p99 ms', 'peak MB', '`serve` / this'];
  return table(head, ['', '', ':', ':', ':', ':', ':'], rows);
}

/** How long others wait for a document, and for a search, while many questions are asked. */
export function fairnessTable(figures: readonly FairnessFigure[]): string {
  const waits = ({ p50, p99, worst }: Bystander) => [rounded(p50), rounded(p99), `**${rounded(worst)}**`];
  const optional = (value: number | null) => (value === null ? '' : rounded(value));
  const rows = figures.map(({ load, perSecond, failed, mixed, document, search, peakBytes }) => [
    load,
    optional(perSecond),
    optional(failed),
    optional(mixed),
    ...waits(document),
    ...waits(search),
    megabytes(peakBytes),
  ]);
  const others = ['a document: p50 ms', 'p99', 'worst', 'a search: p50 ms', 'p99', 'worst'];
  const head = ['while others request', 'answers/s', 'failed', 'mixed', ...others, 'peak MB'];
  return table(head, ['', ...Array<string>(head.length - 1).fill(':')], rows);
}

/** The slowest request of each kind that was found. */
export function slowestTable(figures: readonly SlowestFigure[]): string {
  const rows = figures.map(({ kind, tried, coldMs, warmMs, status, target }) => [
    kind,
    String(tried),
    `**${rounded(coldMs)}**`,
    rounded(warmMs),
    String(status),
    `\`${target}\``,
  ]);
  const head = ['the slowest of', 'tried', 'CPU ms, nothing in memory', 'asked again', 'status', 'request'];
  return table(head, ['', ':', ':', ':', ':', ''], rows);
}

/** What each view of the explorer takes, and how long keys take, with a processor four times slower. */
export function explorerTables({ views, interactions, scrolling }: ExplorerFigures): string {
  const kilobytes = (bytes: number) => (bytes / 1000).toFixed(0);
  const viewRows = views.map(({ view, requests, codeBytes, dataBytes, usable }) => [
    view,
    String(requests),
    kilobytes(codeBytes),
    kilobytes(dataBytes),
    spread(usable),
  ]);
  const rows = interactions.map(({ interaction, times, p50, worst, limit }) => [
    interaction,
    ...[times, p50, worst, limit].map(rounded),
  ]);
  const scrollRows = (scrolling ? [scrolling] : []).map(({ framesPerSecond, longestFrame, limit }) =>
    [framesPerSecond, limit, longestFrame].map(rounded),
  );
  return [
    table(['view', 'requests', 'KB of code', 'KB of data', 'ms until usable'], ['', ':', ':', ':', ':'], viewRows),
    table(['interaction', 'times', 'p50 ms', 'worst ms', 'at most'], ['', ':', ':', ':', ':'], rows),
    table(['scrolling: frames per second', 'at least', 'longest frame in ms'], [':', ':', ':'], scrollRows),
  ].join('\n\n');
}

/** A markdown table. `sides`: `:` for a column of numbers. */
export function table(head: readonly string[], sides: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${sides.map((side) => `---${side}|`).join('')}`, ...rows.map(line)].join('\n');
}

function spread({ median, min, max }: Spread): string {
  return min === max ? rounded(median) : `${rounded(median)} (${rounded(min)}..${rounded(max)})`;
}

/** Empty if the number is unknown. */
export function megabytes(bytes: number | null): string {
  return bytes === null ? '' : (bytes / 1e6).toFixed(0);
}

/** Three significant digits at most, thousands separated. */
export function rounded(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString('en-US', { maximumFractionDigits: 3 });
}
