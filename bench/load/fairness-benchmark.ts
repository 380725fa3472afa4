import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Random } from '../../test/support/random.ts';
import type { Lab } from '../lab.ts';
import { project, script } from '../measure.ts';
import type { Bystander } from './bystander.ts';
import { subjectsOf } from './load-benchmark.ts';
import { type MixedFigure, mixedLoad } from './mixed-load.ts';
import { type Subjects, searching, slowComparison, slowSelection, writeQuestions } from './questions.ts';
import { type Running, startService } from './servers.ts';
import { buildSwitched } from './switching.ts';
import { hasWrk, load } from './wrk.ts';

/** The waits of other clients while one kind of question was asked. */
export type FairnessFigure = {
  readonly load: string;
  readonly perSecond: number | null;
  readonly failed: number | null;
  readonly mixed: number | null;
  /** The waits of a client that asks for a document and of one that searches, from other addresses. */
  readonly document: Bystander;
  readonly search: Bystander;
  /** Peak memory of the service so far. */
  readonly peakBytes: number | null;
};

/** How many questions are asked at the same time. */
const connections = 120;
/** For how many seconds, at most, a single kind of question is asked. */
const mostSecondsAlone = 10;
const documentEveryMs = 5;
const searchEveryMs = 100;

type Attack = readonly [name: string, question: (random: Random, subjects: Subjects) => string];

const attacks: readonly Attack[] = [
  ['120 searches of one letter at once', (random) => `/v1/search?limit=100&q=${oneCharacter(random)}`],
  ['120 searches at once', searching],
  ['120 selections by store and time at once', slowSelection],
  ['120 comparisons of 25 products at once', slowComparison],
];

/** Builds publications to switch between, and measures the service over them. */
export async function fairnessBenchmark(lab: Lab, seconds: number): Promise<FairnessFigure[]> {
  if (!hasWrk) {
    lab.say('no wrk: nothing to ask many questions at once with');
    return [];
  }
  const dist = lab.workspace.path('fairness');
  const pointers = await buildSwitched(lab, dist);
  return measureFairness(lab, { dist, pointers }, seconds);
}

/**
 * Measures how long others wait while many clients ask expensive questions. The site is switched between `pointers`.
 * `seconds` says how long everything is requested at once.
 */
export async function measureFairness(
  lab: Pick<Lab, 'program' | 'workspace' | 'say'>,
  { dist, pointers }: { readonly dist: string; readonly pointers: readonly Buffer[] },
  seconds: number,
): Promise<FairnessFigure[]> {
  const service = await startService(
    lab.program,
    dist,
    lab.workspace.path('fairness-service'),
    '--trust-proxy',
    'loopback',
  );
  const alone = Math.min(seconds, mostSecondsAlone);
  try {
    const subjects = await subjectsOf(service.url);
    const figures = [
      await besides(lab, service, subjects, 'nothing else', async () => {
        await new Promise((resolve) => setTimeout(resolve, alone * 1000));
        return { perSecond: null, failed: null, mixed: null };
      }),
    ];
    for (const [name, question] of attacks) {
      const file = lab.workspace.path('questions.lua');
      writeQuestions(file, subjects, question);
      figures.push(
        await besides(lab, service, subjects, name, async () => {
          const headers = { 'X-Forwarded-For': '192.0.2.1' };
          const asked = { url: service.url, headers, script: file };
          const { requestsPerSecond, failures } = await load(asked, alone, connections, lab.workspace.path('wrk'));
          return { perSecond: requestsPerSecond, failed: failures, mixed: null };
        }),
      );
    }
    const mixed = await mixedLoad(lab, service.url, subjects, { dist, pointers });
    figures.push(await besides(lab, service, subjects, mixed.name, () => mixed.run(seconds)));
    return figures;
  } finally {
    await service.stop();
  }
}

/** Runs a load with two bystanders beside it, each in its own process. */
async function besides(
  lab: Pick<Lab, 'say'>,
  { url, peakBytes }: Running,
  { skus, words }: Subjects,
  name: string,
  run: () => Promise<MixedFigure>,
): Promise<FairnessFigure> {
  lab.say(`besides ${name}`);
  const document = startBystander(`${url}/v1/products/by-sku/${skus[0]}`, documentEveryMs, '192.0.2.2');
  const search = startBystander(
    `${url}/v1/search?q=${encodeURIComponent(words[0] ?? 'a')}`,
    searchEveryMs,
    '192.0.2.3',
  );
  const done = await run();
  return { load: name, ...done, document: await met(document), search: await met(search), peakBytes: peakBytes() };
}

function startBystander(url: string, everyMs: number, client: string): ChildProcessWithoutNullStreams {
  const [program = '', ...args] = script(new URL('./bystander.ts', import.meta.url), url, String(everyMs), client);
  const child = spawn(program, args, { cwd: project });
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('close', () => process.off('exit', kill));
  return child;
}

async function met(child: ChildProcessWithoutNullStreams): Promise<Bystander> {
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stdin.end();
  await once(child, 'close');
  return JSON.parse(output) as Bystander;
}

function oneCharacter(random: Random): string {
  return Math.floor(random() * 36).toString(36);
}
