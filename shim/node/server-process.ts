import { setFlagsFromString } from 'node:v8';

/**
 * npm passes on a signal that the terminal has already sent to every process. Two signals within this time count
 * as one.
 */
const echoMs = 500;

type Reactions = { readonly stop: () => void; readonly abort: () => void };

/**
 * Reacts to signals that end a server. It listens as soon as it is made, because a signal may come while the process is
 * still starting. Until `handTo`, there is nothing to finish, and the process ends at once with exit code 0.
 */
export class StopSignals {
  #reactions: Reactions = { stop: () => process.exit(0), abort: () => process.exit(1) };
  #stoppedAt: number | null = null;

  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#react());
  }

  /** From now on, the first signal calls `stop`, and another one, from an impatient user, calls `abort`. */
  handTo(reactions: Reactions): void {
    this.#reactions = reactions;
  }

  #react(): void {
    if (this.#stoppedAt === null) {
      this.#stoppedAt = performance.now();
      this.#reactions.stop();
    } else if (performance.now() - this.#stoppedAt > echoMs) this.#reactions.abort();
  }
}

/**
 * Lets the heap grow by no more than so many percent of what is alive before it is collected. Where the machine has much
 * memory, V8 lets it grow several times over. For this process and the threads that it starts from now on.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
