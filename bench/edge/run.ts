import { parseArgs } from 'node:util';
import { buildFixtures } from '../../generator/cli/preview.ts';
import { type EdgeReads, measureReads } from '../../test/support/edge-reads.ts';
import { Workspace } from '../workspace.ts';
import { type EdgeProcessorTime, measureProcessorTime } from './edge-processor.ts';

const help = `Measures the worker in workerd over a built site: reads of the bucket and processor time a request.

Usage: npm run bench:edge -- [options]

  --site DIR         the built site; the bundled fixtures when it is left out
  --repetitions N    ask every question N times for the processor time (1000)
  --json             print one JSON object instead of tables
  --help             print this

Example: npm run bench:edge -- --repetitions 300`;

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      site: { type: 'string' },
      repetitions: { type: 'string', default: '1000' },
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return console.log(help);
  const repetitions = Number(values.repetitions);
  if (!Number.isInteger(repetitions) || repetitions < 1) {
    throw new TypeError(`--repetitions: expected a whole number above 0, got ${values.repetitions}`);
  }
  const workspace = new Workspace();
  const dist = values.site ?? workspace.path('dist');
  if (values.site === undefined) await buildFixtures(dist);
  const reads = await measureReads(dist);
  const processorTime = await measureProcessorTime(dist, repetitions);
  console.log(values.json ? JSON.stringify({ reads, processor_time: processorTime }) : tables(reads, processorTime));
}

/** Two markdown tables with a row for each kind of request. The second is left out if there is no `/proc`. */
function tables(reads: readonly EdgeReads[], processorTime: readonly EdgeProcessorTime[] | null): string {
  const readRows = reads.map(({ kind, first, settled, again }) => `| ${kind} | ${first} | ${settled} | ${again} |`);
  const readTable = [
    '| request | reads, new isolate | publication known | asked again |',
    '|---|---:|---:|---:|',
    ...readRows,
  ];
  if (processorTime === null) return readTable.join('\n');
  const timeRows = processorTime.map(({ kind, milliseconds }) => `| ${kind} | ${milliseconds.toFixed(2)} |`);
  return [...readTable, '', '| request | CPU ms |', '|---|---:|', ...timeRows].join('\n');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`bench:edge: ${(error as Error).message}`);
  process.exit(error instanceof TypeError ? 2 : 1);
}
