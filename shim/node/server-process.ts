import { setFlagsFromString } from 'node:v8';

/**
 * npm forwards a signal that the terminal has already sent to every process. Two signals within this time count as one.
 */
const echoMs = 500;

type Reactions = { readonly stop: () => void; readonly abort: () => void };

/**
 * Reacts to signals that end a server. It listens as soon as it is made, because a signal may arrive while the process
 * is still starting. Until `handTo` is called, there is nothing to finish, and the process ends at once with exit code
 * 0.
 */
export class StopSignals {
  #reactions: Reactions = { stop: () => process.exit(0), abort: () => process.exit(1) };
  #stoppedAt: number | null = null;

  constructor() {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#react());
  }

  /** From now on, the first signal calls `stop`, and a second one, from an impatient user, calls `abort`. */
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
 * Limits how far the heap grows before it is collected, in percent of the live objects. On a machine with much memory,
 * V8 would let it grow several times over. Applies to this process, and to threads that it starts later.
 */
export function limitHeapGrowth(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
