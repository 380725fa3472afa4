import { setImmediate as macrotask } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ProblemError } from '../../shim/problems.ts';
import { QuestionQueue, type QueueLimits } from '../../shim/question-queue.ts';

const [many, other, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

function makeQueue(limits: Partial<QueueLimits> = {}): QuestionQueue {
  return new QuestionQueue(
    { running: 6, runningPerClient: 2, waiting: 1024, waitingPerClient: 128, ...limits },
    setImmediate,
  );
}

/** A question that reads several files. */
async function long(): Promise<void> {
  for (let piece = 0; piece < 10; piece += 1) await macrotask();
}

/** A question that computes for a few milliseconds. */
async function busy(): Promise<void> {
  const end = performance.now() + 6;
  while (performance.now() < end);
}

test('a client that asks many questions at once delays only itself', async () => {
  for (const question of [long, busy]) {
    const queue = makeQueue();
    const order: string[] = [];
    const ask = (client: string) => queue.run(client, question).then(() => order.push(client));
    const asked = Array.from({ length: 60 }, () => ask(many));
    asked.push(ask(other), ask(third));
    await Promise.all(asked);
    expect(order).toHaveLength(62);
    expect(order.indexOf(other)).toBeLessThan(6);
    expect(order.indexOf(third)).toBeLessThan(6);
  }
});

test('addresses in the same IPv6 /64 are one client', async () => {
  const queue = makeQueue({ runningPerClient: 1 });
  let [running, most] = [0, 0];
  const ask = (client: string) =>
    queue.run(client, async () => {
      most = Math.max(most, ++running);
      await long();
      running -= 1;
    });
  await Promise.all(['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3'].map(ask));
  expect(most).toBe(1);
});

test('no more questions run at once than there is memory for', async () => {
  const queue = makeQueue({ running: 3 });
  let [running, most] = [0, 0];
  const ask = (_: unknown, n: number) =>
    queue.run(`192.0.2.${n % 7}`, async () => {
      most = Math.max(most, ++running);
      await macrotask();
      running -= 1;
    });
  await Promise.all(Array.from({ length: 50 }, ask));
  expect([most, running]).toEqual([3, 0]);
});

test('a full queue takes no more questions until it is shorter again', async () => {
  const queue = makeQueue({ running: 1, waitingPerClient: 2 });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => queue.run(many, long)));
  expect(outcomes.map(({ status }) => (status === 'fulfilled' ? 1 : 0))).toEqual([1, 1, 1, 0, 0]);
  expect((outcomes[3] as PromiseRejectedResult).reason).toBeInstanceOf(ProblemError);
  await queue.run(many, long);
});

test('a refusal is delayed', async () => {
  const queue = makeQueue({ running: 1, waitingPerClient: 0 });
  const happened: string[] = [];
  const running = queue.run(many, long);
  const refused = queue.run(many, long).catch(() => happened.push('refused'));
  setTimeout(() => happened.push('a tenth of a second'), 100);
  await Promise.all([running, refused]);
  expect(happened).toEqual(['a tenth of a second', 'refused']);
});

test('when all queues together are too long, the longest one loses its last question', async () => {
  const queue = makeQueue({ running: 1, waiting: 3 });
  const asked = [many, many, many, many, other, third, other].map((client) => queue.run(client, long));
  const outcomes = await Promise.allSettled(asked);
  // One runs and three wait. Then the first client's fourth and third question make room. After that, no queue is much
  // longer than another.
  expect(outcomes.map(({ status }) => (status === 'fulfilled' ? 1 : 0))).toEqual([1, 1, 0, 0, 1, 1, 0]);
});

test('a question that fails gives up its place', async () => {
  const queue = makeQueue({ running: 1 });
  const failing = Array.from({ length: 5 }, () =>
    queue.run(many, async () => {
      throw new Error('no');
    }),
  );
  expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
  expect(await queue.run(many, async () => 'yes')).toBe('yes');
});
