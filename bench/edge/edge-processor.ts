import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { LocalEdge } from '../../test/support/local-edge.ts';
import { type EdgeQuestion, edgeQuestions } from './edge-questions.ts';

/** Milliseconds of processor time per answer, in an isolate that has already read what it needs. */
export type EdgeProcessorTime = { readonly kind: string; readonly milliseconds: number };

/** The clock ticks of Linux, the same on every processor that Node runs on. */
const ticksPerSecond = 100;

const warmups = 100;

/**
 * Asks every kind of question `repetitions` times, one after the other. The time is for all of workerd, including its
 * HTTP server, so it is more than Cloudflare counts. Null if there is no `/proc`.
 */
export async function measureProcessorTime(dist: string, repetitions: number): Promise<EdgeProcessorTime[] | null> {
  const variables = { CURSOR_SECRET: 'a secret of this benchmark' };
  await using edge = await LocalEdge.start([{ name: 'edge', bucket: 'site', variables, ratePerMinute: null }]);
  const runtime = workerdProcess();
  if (runtime === null) return null;
  await edge.upload(dist, 'edge');
  const url = await edge.urlOf('edge');
  const found: EdgeProcessorTime[] = [];
  for (const question of await edgeQuestions(url)) {
    await ask(url, question, warmups);
    const before = ticksOf(runtime);
    await ask(url, question, repetitions);
    const milliseconds = ((ticksOf(runtime) - before) / ticksPerSecond / repetitions) * 1000;
    found.push({ kind: question.kind, milliseconds });
  }
  return found;
}

async function ask(url: URL, { target, headers = {} }: EdgeQuestion, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    const answer = await fetch(new URL(target(turn), url), { headers: { ...headers } });
    await answer.arrayBuffer();
  }
}

/** The process id of the runtime, a child of this process. */
function workerdProcess(): number | null {
  if (!existsSync('/proc/self/stat')) return null;
  const children = readdirSync('/proc').filter((name) => {
    const [, comm, parent] = /^\d+ \((.+)\) \S (\d+) /.exec(statOf(name)) ?? [];
    return comm === 'workerd' && Number(parent) === process.pid;
  });
  return children.length === 1 ? Number(children[0]) : null;
}

/** Ticks in user and kernel mode. */
function ticksOf(pid: number): number {
  const fields = statOf(String(pid))
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Empty for a name that is not a process, or for a process that has ended. */
function statOf(name: string): string {
  if (!/^\d+$/.test(name)) return '';
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return '';
    throw error;
  }
}
