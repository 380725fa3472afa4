import { setImmediate as macrotask } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BusyError, FairScheduler, SolitaryScheduler } from '../../../shim/scheduling/scheduler.ts';
import { atOnce, inSteps, Turns, UnwantedError, Work } from '../../../shim/scheduling/work.ts';

const [many, other, third] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

/** A question of several turns. */
async function long(work: Work): Promise<void> {
  for (let piece = 0; piece < 10; piece += 1) await work.spend(1000);
}

describe('FairScheduler', () => {
  test('whoever asks many questions at once waits for oneself, and nobody else does', async () => {
    const scheduler = new FairScheduler(setImmediate);
    const order: string[] = [];
    const ask = (client: string) => scheduler.run(client, long).then(() => order.push(client));
    const asked = Array.from({ length: 100 }, () => ask(many));
    asked.push(ask(other), ask(third));
    await Promise.all(asked);
    expect(order).toHaveLength(102);
    expect(order.indexOf(other)).toBeLessThan(6);
    expect(order.indexOf(third)).toBeLessThan(6);
  });

  test('whoever asks little is answered before those who ask much, however many they are', async () => {
    const scheduler = new FairScheduler(setImmediate);
    const order: string[] = [];
    const ask = (client: string, compute: (work: Work) => Promise<void>) =>
      scheduler.run(client, compute).then(() => order.push(client));
    const dear = Array.from({ length: 100 }, (_, n) => ask(`198.51.100.${n % 10}`, long));
    const cheap = Array.from({ length: 20 }, () => ask(other, async () => {}));
    await Promise.all([...dear, ...cheap]);
    expect(order.lastIndexOf(other)).toBeLessThan(60);
  });

  test('when nothing runs, nobody has asked more than others', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 1 });
    await scheduler.run(many, long);
    const order: string[] = [];
    await Promise.all([third, many, other].map((client) => scheduler.run(client, long).then(() => order.push(client))));
    expect(order).toEqual([third, many, other]);
  });

  test('it remembers a client that had more than others, but not for ever when many ask once each', async () => {
    for (const [others, expected] of [
      [10, [other, many]],
      [5000, [many, other]],
    ] as const) {
      const scheduler = new FairScheduler(setImmediate, { running: 2 });
      let end = () => {};
      const isOver = new Promise<void>((resolve) => {
        end = resolve;
      });
      const underWay = scheduler.run(third, () => isOver);
      await scheduler.run(many, long);
      for (let n = 0; n < others; n += 1) await scheduler.run(`10.0.${n >> 8}.${n & 255}`, async () => {});
      const order: string[] = [];
      const first = scheduler.run('198.51.100.1', long);
      await Promise.all([many, other].map((client) => scheduler.run(client, long).then(() => order.push(client))));
      expect(order).toEqual(expected);
      end();
      await Promise.all([first, underWay]);
    }
  });

  test('a question ends before its next piece when its client has gone, and its place is free again', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 1 });
    let pieces = 0;
    const abandoned = scheduler.run(many, async (work) => {
      work.onlyWhile(() => pieces < 3);
      for (; pieces < 10; pieces += 1) await work.spend(1000);
    });
    await expect(abandoned).rejects.toThrow(UnwantedError);
    expect(pieces).toBe(3);
    expect(await scheduler.run(other, async () => 'answered')).toBe('answered');
  });

  test('what is made for all is made to the end', async () => {
    const work = new Work(new Turns(setImmediate));
    work.onlyWhile(() => false);
    await long(work.free);
    await expect(long(work)).rejects.toThrow(UnwantedError);
  });

  test('addresses of one IPv6 /64 are one client', async () => {
    const scheduler = new FairScheduler(setImmediate, { runningPerClient: 1 });
    let [running, most] = [0, 0];
    const ask = (client: string) =>
      scheduler.run(client, async (work) => {
        most = Math.max(most, ++running);
        await long(work);
        running -= 1;
      });
    await Promise.all(['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3'].map(ask));
    expect(most).toBe(1);
  });

  test('no more are answered at once than there is memory for', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 3, runningPerClient: 2 });
    let [running, most] = [0, 0];
    const ask = (_: unknown, n: number) =>
      scheduler.run(`192.0.2.${n % 7}`, async () => {
        most = Math.max(most, ++running);
        await macrotask();
        running -= 1;
      });
    await Promise.all(Array.from({ length: 50 }, ask));
    expect([most, running]).toEqual([3, 0]);
  });

  test('a queue that is too long takes no more, and takes them again when it is shorter', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 1, waitingPerClient: 2 });
    const asked = Array.from({ length: 5 }, () => scheduler.run(many, long));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect((outcomes[3] as PromiseRejectedResult).reason).toBeInstanceOf(BusyError);
    await scheduler.run(many, long);
  });

  test('a refusal takes its time', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 1, waitingPerClient: 0 });
    const happened: string[] = [];
    const running = scheduler.run(many, long);
    const refused = scheduler.run(many, long).catch(() => happened.push('refused'));
    setTimeout(() => happened.push('a tenth of a second'), 100);
    await Promise.all([running, refused]);
    expect(happened).toEqual(['a tenth of a second', 'refused']);
  });

  test('when all queues together are too long, the longest one loses its last question', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 1, waiting: 3 });
    const asked = [many, many, many, many, other, third, other].map((client) => scheduler.run(client, long));
    const outcomes = await Promise.allSettled(asked);
    // One runs and three wait. Then the fourth and the third question of the first client make room. After that no
    // queue is much longer than another.
    expect(outcomes.map(({ status }) => (status === 'fulfilled' ? 1 : 0))).toEqual([1, 1, 0, 0, 1, 1, 0]);
  });

  test('a question that fails gives up its place', async () => {
    const scheduler = new FairScheduler(setImmediate, { running: 1 });
    const failing = Array.from({ length: 5 }, () =>
      scheduler.run(many, async () => {
        throw new Error('no');
      }),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await scheduler.run(many, async () => 'yes')).toBe('yes');
  });
});

describe('turns', () => {
  test('work is cut: the event loop turns while it is done, in proportion to its units', async () => {
    const scheduler = new FairScheduler(setImmediate);
    let [turns, isOver] = [0, false];
    const watch = (): void => {
      turns += 1;
      if (!isOver) setImmediate(watch);
    };
    setImmediate(watch);
    await Promise.all(Array.from({ length: 20 }, () => scheduler.run(many, long)));
    isOver = true;
    // 200,000 units, in turns of 3,000 units and at most one piece more.
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  test('many small questions are cut as well: none of them is long enough by itself', async () => {
    const scheduler = new FairScheduler(setImmediate, { waitingPerClient: 1000 });
    let [turns, isOver] = [0, false];
    const watch = (): void => {
      turns += 1;
      if (!isOver) setImmediate(watch);
    };
    setImmediate(watch);
    await Promise.all(Array.from({ length: 500 }, () => scheduler.run(many, async () => null)));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  test('steps have one result, however they are taken, and units are counted', async () => {
    function* counting(): Generator<number, string> {
      for (let step = 0; step < 100; step += 1) yield 100;
      return 'counted';
    }
    const work = new Work(new Turns(setImmediate));
    expect([atOnce(counting()), await inSteps(counting(), work), work.charged]).toEqual(['counted', 'counted', 10_000]);
  });
});

describe('SolitaryScheduler', () => {
  test('nobody waits for another question, and too many at once are refused', async () => {
    const scheduler = new SolitaryScheduler(2);
    const asked = Array.from({ length: 3 }, () => scheduler.run(many, long));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await scheduler.run(many, long);
  });
});
