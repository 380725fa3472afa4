import { ProblemError } from './problems.ts';
import { clientNetwork } from './rate-limit.ts';

/** The problem if too many questions are waiting, in total or from this client. */
const tooMany = () => new ProblemError('RATE_LIMITED', [], { retryAfter: 1 });

/** How many questions can be running and waiting at a time, in total and per client. */
export type QueueLimits = {
  readonly running: number;
  readonly runningPerClient: number;
  readonly waiting: number;
  readonly waitingPerClient: number;
};

/** Milliseconds for which questions are answered one after another before the runtime does other work. */
const sliceMs = 4;

/** Milliseconds for which a refusal is held back. */
const refusalDelayMs = 250;

type Waiting = { readonly begin: () => void; readonly refuse: (error: ProblemError) => void };
type Client = { running: number; readonly waiting: Waiting[] };

/**
 * Clients take turns: each has a queue, and the next question comes from the client whose last one began longest ago.
 * So a client that asks many questions delays only itself. A full queue takes no more questions. When all queues
 * together are full, the longest one loses its last question.
 *
 * A time slice limits how long other requests wait for questions. A question is never interrupted, because even the
 * longest one takes only about ten milliseconds.
 */
export class QuestionQueue {
  readonly #limits: QueueLimits;
  readonly #afterOthers: (callback: () => void) => void;
  /** Clients with a question. The one whose last question began longest ago is first. */
  readonly #clients = new Map<string, Client>();
  #running = 0;
  #waiting = 0;
  /** When the slice began; null until the first question after other work. */
  #sliceBegan: number | null = null;

  /** `afterOthers` schedules a callback after all other work that is due. It is only called if questions can wait. */
  constructor(limits: QueueLimits, afterOthers: (callback: () => void) => void) {
    this.#limits = limits;
    this.#afterOthers = afterOthers;
  }

  /** Runs a client's question when its turn comes. Rejects with a `RATE_LIMITED` if too many are already waiting. */
  async run<Result>(address: string, answer: () => Promise<Result>): Promise<Result> {
    const name = clientNetwork(address);
    const client = this.#clients.get(name) ?? { running: 0, waiting: [] };
    this.#clients.set(name, client);
    try {
      if (this.#waiting === 0 && this.#mayBegin(client)) this.#begin(name, client);
      else await this.#wait(client);
    } catch (error) {
      this.#forgetIdle(name, client);
      return refuseLater(error);
    }
    try {
      return await answer();
    } finally {
      client.running -= 1;
      this.#running -= 1;
      this.#forgetIdle(name, client);
      this.#beginNext();
    }
  }

  #mayBegin({ running }: Client): boolean {
    const { running: most, runningPerClient, waiting } = this.#limits;
    return this.#running < most && running < runningPerClient && (waiting === 0 || !this.#isSliceOver());
  }

  #isSliceOver(): boolean {
    if (this.#sliceBegan === null) {
      this.#sliceBegan = performance.now();
      this.#afterOthers(() => {
        this.#sliceBegan = null;
        this.#beginNext();
      });
    }
    return performance.now() - this.#sliceBegan >= sliceMs;
  }

  #begin(name: string, client: Client): void {
    client.running += 1;
    this.#running += 1;
    this.#clients.delete(name);
    this.#clients.set(name, client);
  }

  /**
   * Begins a single question. The next one begins when it ends, or in the next slice, so that its duration is known by
   * then.
   */
  #beginNext(): void {
    for (const [name, client] of this.#clients) {
      if (client.waiting.length === 0 || !this.#mayBegin(client)) continue;
      this.#waiting -= 1;
      this.#begin(name, client);
      client.waiting.shift()?.begin();
      return;
    }
  }

  async #wait(client: Client): Promise<void> {
    const { waiting, waitingPerClient } = this.#limits;
    if (client.waiting.length >= waitingPerClient) throw tooMany();
    if (this.#waiting >= waiting) this.#makeRoom(client);
    this.#waiting += 1;
    return new Promise((begin, refuse) => client.waiting.push({ begin, refuse }));
  }

  /**
   * Refuses a question from a client that has more of them waiting. Throws a `RATE_LIMITED` if there is no such client.
   */
  #makeRoom(client: Client): void {
    let longest = client;
    for (const other of this.#clients.values()) if (other.waiting.length > longest.waiting.length) longest = other;
    if (longest.waiting.length <= client.waiting.length + 1) throw tooMany();
    this.#waiting -= 1;
    longest.waiting.pop()?.refuse(tooMany());
  }

  #forgetIdle(name: string, { running, waiting }: Client): void {
    if (running === 0 && waiting.length === 0) this.#clients.delete(name);
  }
}

/**
 * Delays a refusal: otherwise a client that asks again at once, over many connections, would keep the host busy with
 * nothing but refusals.
 */
async function refuseLater(error: unknown): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, refusalDelayMs));
  throw error;
}
