import { clientNetwork } from '../client-network.ts';
import { Turns, Work } from './work.ts';

/**
 * Decides when questions that take more than a lookup are answered. The host provides it, as it depends on the runtime.
 */
export interface Scheduler {
  /** Runs a client's computation in its turn. Rejects with a {@link BusyError} when too many wait already. */
  run<Result>(client: string, compute: (work: Work) => Promise<Result>): Promise<Result>;
}

/** Too many questions wait, in total or of this client. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
  /** Seconds after which the client should ask again. */
  readonly retryAfter = 1;
}

const defaultRunning = 64;

/**
 * For runtimes in which no request may wait for another one, as at the edge. There are no queues: questions beyond a
 * number at the same time are refused. Each question pauses on a timer of its own, so that others can run.
 */
export class SolitaryScheduler implements Scheduler {
  readonly #maxRunning: number;
  #running = 0;

  constructor(maxRunning = defaultRunning) {
    this.#maxRunning = maxRunning;
  }

  async run<Result>(_client: string, compute: (work: Work) => Promise<Result>): Promise<Result> {
    if (this.#running >= this.#maxRunning) throw new BusyError('too many questions are answered at once');
    this.#running += 1;
    try {
      return await compute(new Work(new Turns((callback) => void setTimeout(callback, 0))));
    } finally {
      this.#running -= 1;
    }
  }
}

const defaultLimits = {
  /** Questions that are answered at the same time. Each holds the documents it has read in memory. */
  running: 6,
  runningPerClient: 2,
  /** Questions that wait for their turn. */
  waiting: 1024,
  waitingPerClient: 128,
};

/** Units of work that every question takes: to look through the caches and to write the answer. */
const beginningUnits = 100;

/** How long a refusal is held back. */
const refusalDelayMs = 250;

type Waiting = { readonly begin: () => void; readonly refuse: (error: BusyError) => void };
type Client = {
  running: number;
  readonly waiting: Waiting[];
  /** Units of work done for the client. They start at the clock, so that a client gains nothing by having been away. */
  spent: number;
};

/** Clients without a question of which it is remembered that more work was done for them than for others. */
const rememberedClients = 4096;

/**
 * Each client has its own queue. The next question is that of the waiting client for which the least work was done:
 * start-time fair queueing. A client that asks many or expensive questions therefore delays only itself. A full queue
 * takes no more questions. When the queues together are full, the longest one loses its last question. For runtimes in
 * which one request may wait for another.
 */
export class FairScheduler implements Scheduler {
  readonly #turns: Turns;
  readonly #limits: typeof defaultLimits;
  /** Clients with a question. */
  readonly #clients = new Map<string, Client>();
  /** What was spent for clients without a question, where it is more than the clock. Those that asked last come last. */
  readonly #ahead = new Map<string, number>();
  #running = 0;
  #waiting = 0;
  /** The largest `spent` of a client when one of its questions began. */
  #clock = 0;

  constructor(afterOthers: (callback: () => void) => void, limits: Partial<typeof defaultLimits> = {}) {
    this.#turns = new Turns(afterOthers);
    this.#limits = { ...defaultLimits, ...limits };
  }

  async run<Result>(address: string, compute: (work: Work) => Promise<Result>): Promise<Result> {
    const name = clientNetwork(address);
    const client = this.#clients.get(name) ?? this.#enter(name);
    if (this.#mayBegin(client)) this.#begin(client);
    else await this.#wait(name, client).catch(refuseLater);
    const work = new Work(this.#turns);
    try {
      await this.#turns.next(beginningUnits);
      return await compute(work);
    } finally {
      this.#end(name, client, work.charged + beginningUnits);
    }
  }

  #enter(name: string): Client {
    const client = { running: 0, waiting: [], spent: Math.max(this.#ahead.get(name) ?? 0, this.#clock) };
    this.#ahead.delete(name);
    this.#clients.set(name, client);
    return client;
  }

  /** Takes a client without a question off the list. The one that asked longest ago is forgotten when too many are ahead. */
  #leave(name: string, { running, waiting, spent }: Client): void {
    if (running > 0 || waiting.length > 0) return;
    this.#clients.delete(name);
    if (spent > this.#clock) this.#ahead.set(name, spent);
    const [oldest] = this.#ahead.keys();
    if (this.#ahead.size > rememberedClients && oldest !== undefined) this.#ahead.delete(oldest);
  }

  #mayBegin({ running }: Client): boolean {
    return this.#running < this.#limits.running && running < this.#limits.runningPerClient;
  }

  #begin(client: Client): void {
    client.running += 1;
    this.#running += 1;
    this.#clock = Math.max(this.#clock, client.spent);
  }

  #end(name: string, ended: Client, units: number): void {
    ended.running -= 1;
    ended.spent += units;
    this.#running -= 1;
    this.#leave(name, ended);
    let next: Client | null = null;
    for (const client of this.#clients.values()) {
      if (client.waiting.length === 0 || !this.#mayBegin(client)) continue;
      if (next === null || client.spent < next.spent) next = client;
    }
    if (next === null) {
      // Nobody is ahead of anybody when nothing runs.
      if (this.#running === 0) this.#ahead.clear();
      return;
    }
    this.#waiting -= 1;
    this.#begin(next);
    next.waiting.shift()?.begin();
  }

  async #wait(name: string, client: Client): Promise<void> {
    const { waiting, waitingPerClient } = this.#limits;
    if (client.waiting.length >= waitingPerClient) throw new BusyError('too many questions of this client wait');
    if (this.#waiting >= waiting) this.#refuseOne(name, client);
    this.#waiting += 1;
    return new Promise((begin, refuse) => client.waiting.push({ begin, refuse }));
  }

  /**
   * Makes room for a question by refusing one of a client that has more of them waiting. Throws a {@link BusyError} if
   * there is no such client.
   */
  #refuseOne(name: string, client: Client): void {
    let longest = client;
    for (const other of this.#clients.values()) if (other.waiting.length > longest.waiting.length) longest = other;
    const error = new BusyError('too many questions wait');
    if (longest.waiting.length <= client.waiting.length + 1) {
      this.#leave(name, client);
      throw error;
    }
    this.#waiting -= 1;
    longest.waiting.pop()?.refuse(error);
  }
}

/**
 * A refusal takes its time: a client that asks again at once, over many connections, would otherwise keep the host busy
 * with refusals alone.
 */
async function refuseLater(error: unknown): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, refusalDelayMs));
  throw error;
}
