import type { Server } from 'node:http';

const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * npm and tsx pass on a signal that the terminal has already sent to every process. Two signals within this time count
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
    for (const signal of signals) process.on(signal, () => this.#react());
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

const lookEveryMs = 100;

/**
 * Takes no new connections, lets running answers finish, and closes connections that fall idle. Connections that are
 * still busy after `patienceMs` are cut. The server must send `Connection: close` from now on; otherwise a client could
 * keep its connection busy with one request after another.
 */
export async function stopGracefully(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idle = setInterval(() => server.closeIdleConnections(), lookEveryMs);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
