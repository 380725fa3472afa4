import { clientNetwork } from '../client-network.ts';
import { BusyError, type Scheduler } from './scheduler.ts';
import { Turns } from './turns.ts';
import { Work } from './work.ts';

export type FairLimits = {
  /** Questions that are answered at once, each with the documents that it has read in memory. */
  readonly running: number;
  readonly runningPerClient: number;
  /** Questions that wait for that. */
  readonly waiting: number;
  readonly waitingPerClient: number;
};

const defaultLimits: FairLimits = { running: 6, runningPerClient: 2, waiting: 1024, waitingPerClient: 128 };

/** What it takes to begin a question: its caches are looked through, its answer is written. */
const beginningUnits = 100;

type Waiting = { readonly begin: () => void; readonly refuse: (error: BusyError) => void };
type Client = { running: number; readonly waiting: Waiting[] };

/**
 * Clients take turns: each has its own queue, and whoever asks many questions at once waits for oneself. A queue that is
 * too long takes no more; when all of them together are, the longest one loses its last question. For runtimes in which
 * one request may wait for another.
 */
export class FairScheduler implements Scheduler {
  readonly #turns: Turns;
  readonly #limits: FairLimits;
  /** Those with a question, the one that began last at the end. */
  readonly #clients = new Map<string, Client>();
  #running = 0;
  #waiting = 0;

  constructor(afterOthers: (callback: () => void) => void, limits: Partial<FairLimits> = {}) {
    this.#turns = new Turns(afterOthers);
    this.#limits = { ...defaultLimits, ...limits };
  }

  async run<Result>(address: string, compute: (work: Work) => Promise<Result>): Promise<Result> {
    const name = clientNetwork(address);
    const client = this.#clients.get(name) ?? { running: 0, waiting: [] };
    this.#clients.set(name, client);
    if (this.#mayBegin(client)) this.#begin(name, client);
    else await this.#wait(name, client);
    try {
      await this.#turns.next(beginningUnits);
      return await compute(new Work(this.#turns));
    } finally {
      this.#end(name, client);
    }
  }

  #mayBegin({ running }: Client): boolean {
    return this.#running < this.#limits.running && running < this.#limits.runningPerClient;
  }

  #begin(name: string, client: Client): void {
    client.running += 1;
    this.#running += 1;
    this.#clients.delete(name);
    this.#clients.set(name, client);
  }

  #end(name: string, client: Client): void {
    client.running -= 1;
    this.#running -= 1;
    this.#forgetIdle(name, client);
    for (const [nextName, next] of this.#clients) {
      if (next.waiting.length === 0 || !this.#mayBegin(next)) continue;
      this.#waiting -= 1;
      this.#begin(nextName, next);
      next.waiting.shift()?.begin();
      return;
    }
  }

  #forgetIdle(name: string, { running, waiting }: Client): void {
    if (running === 0 && waiting.length === 0) this.#clients.delete(name);
  }

  #wait(name: string, client: Client): Promise<void> {
    const { waiting, waitingPerClient } = this.#limits;
    if (client.waiting.length >= waitingPerClient) throw new BusyError('too many questions of this client wait');
    if (this.#waiting >= waiting) this.#refuseOne(name, client);
    this.#waiting += 1;
    return new Promise((begin, refuse) => client.waiting.push({ begin, refuse }));
  }

  /** Makes room for one more, where another client has more of them waiting. */
  #refuseOne(name: string, client: Client): void {
    let longest = client;
    for (const other of this.#clients.values()) if (other.waiting.length > longest.waiting.length) longest = other;
    const error = new BusyError('too many questions wait');
    if (longest.waiting.length <= client.waiting.length + 1) {
      this.#forgetIdle(name, client);
      throw error;
    }
    this.#waiting -= 1;
    longest.waiting.pop()?.refuse(error);
  }
}
