import { Turns } from './turns.ts';
import { Work } from './work.ts';

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
