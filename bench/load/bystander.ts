import { Agent, get } from 'node:http';

/** The waits of a client that asked one thing at a steady pace while others kept the server busy, in milliseconds. */
export type Bystander = {
  readonly answers: number;
  /** Answers other than 200. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly worst: number;
};

/**
 * Requests one address every `everyMs` milliseconds, whether or not earlier answers have arrived, until standard input
 * ends. Then prints a {@link Bystander}. It has its own process, so that only the server can delay it.
 */
const [url = '', everyMs = '', client = ''] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true });
const waits: number[] = [];
let failed = 0;
let open = 0;

function ask(): void {
  const began = performance.now();
  open += 1;
  const done = (isFailed: boolean) => {
    open -= 1;
    waits.push(performance.now() - began);
    if (isFailed) failed += 1;
  };
  const request = get(url, { agent, headers: { 'X-Forwarded-For': client } }, (answer) => {
    answer.resume();
    answer.once('end', () => done(answer.statusCode !== 200));
  });
  request.once('error', () => done(true));
}

const timer = setInterval(ask, Number(everyMs));
process.stdin.resume().once('end', () => {
  clearInterval(timer);
  const settled = setInterval(() => {
    if (open > 0) return;
    clearInterval(settled);
    agent.destroy();
    const sorted = waits.sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const met: Bystander = { answers: sorted.length, failed, p50: at(0.5), p99: at(0.99), worst: at(1) };
    console.log(JSON.stringify(met));
  }, 5);
});
