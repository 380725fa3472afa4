import { BusyError, type Scheduler } from './scheduler.ts';
import { Turns } from './turns.ts';
import { Work } from './work.ts';

const defaultRunning = 64;

/**
 * For runtimes in which no request may wait for what another one does, as at the edge: nobody queues, and beyond so many
 * questions at once they are refused. Each lets others through by a timer of its own.
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
