import type { Server } from 'node:http';

const signals = ['SIGTERM', 'SIGINT'] as const;

/** npm and tsx pass on a signal that the terminal gave to every process already: the two are one wish. */
const echoMs = 500;

type Reactions = { readonly stop: () => void; readonly abort: () => void };

/**
 * What ends a server. It listens from the moment it is made, as a signal may come while the process still starts: there is
 * nothing to bring to an end then, and the process ends at once, with exit code 0.
 */
export class StopSignals {
  #reactions: Reactions = { stop: () => process.exit(0), abort: () => process.exit(1) };
  #stoppedAt: number | null = null;

  constructor() {
    for (const signal of signals) process.on(signal, () => this.#react());
  }

  /** From now on `stop` is called at the first signal, and `abort` at another one: somebody has no more patience. */
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

const lookEveryMs = 100;

/**
 * Takes no new connection, lets running answers finish, and closes connections as they fall idle; those that are still
 * busy after `patienceMs` are cut. Whoever answers says `Connection: close` from now on, or a client could keep its
 * connection busy with one request after another.
 */
export async function stopGracefully(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
