import { expect, test } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import type { ProblemAnswer } from '../../shim/host.ts';
import { QuestionQueue, type QueueLimits } from '../../shim/question-queue.ts';
import type { Allowance, RateLimiter } from '../../shim/rate-limit.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { handlerOver } from './asking.ts';
import { feedSite, stores, syntheticEvents } from './lists/synthetic-feed.ts';
import { MemoryReader } from './memory-reader.ts';

const client = '192.0.2.1';
/** Events as large as real ones. */
const events = syntheticEvents(20_000, 7).map((event) => ({ ...event, padding: 'x'.repeat(550) }));
const site = feedSite(events, 1);

/** Counts like a rate limiter, but lets every request through. */
class Counts implements RateLimiter {
  counted = 0;

  async count(_client: string, points: number): Promise<Allowance> {
    this.counted += points;
    return { retryAfter: null, quota: null };
  }
}

const usualLimits = { running: 6, runningPerClient: 2, waiting: 1024, waitingPerClient: 128 };

function serve({
  keptBytes = 1,
  limits = {},
}: {
  readonly keptBytes?: number;
  readonly limits?: Partial<QueueLimits>;
} = {}) {
  const queue = new QuestionQueue({ ...usualLimits, ...limits }, setImmediate);
  const limiter = new Counts();
  const log = () => {};
  const reader = new MemoryReader(site);
  const publication = new CurrentPublication({ source: reader, log, checkEveryMs: 60_000, keptBytes });
  const handler = handlerOver(publication, { limiter, queue });
  const ask = async (target: string, isAbandoned = false) =>
    handler.answer({ id: crypto.randomUUID(), method: 'GET', target, headers: new Headers(), client, isAbandoned });
  return { ask, limiter, reader };
}

/** A question that few events pass, so that it reads as many pages as allowed. */
const dear = `/v1/changes?store_id=${stores[0]}&types=price_changed,store_inventory_changed&since=2025-01-02T00:00:00.5Z&until=2025-12-01T00:00:00.5Z&limit=100`;

test('a question costs what it read, whether or not that was in memory', async () => {
  const [cold, warm] = [serve(), serve({ keptBytes: 64 * 1024 * 1024 })];
  await cold.ask(dear);
  const { counted } = cold.limiter;
  expect(counted).toBeGreaterThan(1);
  await warm.ask(dear);
  await warm.ask(dear.replace('limit=100', 'limit=99'));
  await warm.ask(dear);
  expect(warm.limiter.counted).toBe(3 * counted);
});

test('a plain question costs one point', async () => {
  const { ask, limiter } = serve();
  await ask('/v1/changes?limit=10');
  await ask('/v1/changes?types=price_changed&limit=1');
  expect(limiter.counted).toBe(2);
});

test('if more questions come than can wait, the rest are told to come back in a second', async () => {
  const { ask } = serve({ limits: { running: 1, waitingPerClient: 1 } });
  const answers = await Promise.all([1, 2, 3].map((limit) => ask(`/v1/changes?limit=${limit}`)));
  // Each reads the pointer before it waits for its turn, so it is not known which of them comes last.
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429]);
  const refused = answers.find(({ status }) => status === 429) as ProblemAnswer;
  expect(problem.parse(JSON.parse(refused.body)).code).toBe('RATE_LIMITED');
  expect(refused.headers['Retry-After']).toBe('1');
});

test('nothing is computed for a client that has hung up', async () => {
  const { ask, limiter, reader } = serve();
  await ask('/v1');
  const before = reader.reads.length;
  expect((await ask(dear, true)).status).toBe(429);
  expect([reader.reads.length, limiter.counted]).toEqual([before, 1]);
});

test('a document is answered while questions are being computed', async () => {
  const { ask } = serve();
  await ask('/v1/changes/pages/1.json');
  let answered = 0;
  const count = () => {
    answered += 1;
  };
  const computing = Array.from({ length: 30 }, (_, n) => ask(dear.replace('limit=100', `limit=${n + 1}`)).then(count));
  // After the first turn, the questions have begun.
  await new Promise(setImmediate);
  await ask('/v1/changes/pages/1.json');
  expect(answered).toBeLessThan(30);
  await Promise.all(computing);
  expect(answered).toBe(30);
});
