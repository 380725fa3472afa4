import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** How much of its answers a client has taken. `since`: when it last took more, in milliseconds. */
type Progress = { readonly written: string; kernel: string | null; since: number };

/**
 * Cuts connections whose clients take nothing of their answers. A slow reader is kept: on Linux, progress is what the
 * system has sent, because Node sees room in the system's buffer only after megabytes.
 */
export class StalledReaders {
  readonly #timeoutMs: number;
  readonly #progress = new WeakMap<Socket, Progress>();

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Call this several times within the timeout. */
  cut(sockets: readonly Socket[], now: number): void {
    const suspects = sockets.filter((socket) => !this.#hasMoved(socket, now));
    if (suspects.length === 0) return;
    const queues = sendQueues();
    for (const socket of suspects) {
      const progress = this.#progress.get(socket) as Progress;
      const kernel = queues.get(`${socket.localPort} ${socket.remotePort}`) ?? null;
      if (progress.kernel !== null && kernel !== progress.kernel) progress.since = now;
      progress.kernel = kernel;
      if (now - progress.since >= this.#timeoutMs) socket.destroy();
    }
  }

  /** Whether Node has handed something over since the last call, or has nothing to hand over. */
  #hasMoved(socket: Socket, now: number): boolean {
    if (socket.writableLength === 0) {
      this.#progress.delete(socket);
      return true;
    }
    const written = `${socket.bytesWritten} ${queuedBytes(socket)}`;
    if (this.#progress.get(socket)?.written === written) return false;
    this.#progress.set(socket, { written, kernel: null, since: now });
    return true;
  }
}

/**
 * Bytes of the current chunk that the system has not taken. There is no public property for this; Node's own timeouts
 * use this one.
 */
function queuedBytes(socket: Socket): number {
  const { _handle } = socket as Socket & { readonly _handle: { readonly writeQueueSize: number } | null };
  return _handle?.writeQueueSize ?? 0;
}

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * The bytes that the system has not delivered to clients, by the ports of server and client: proc(5). Clients with the
 * same port at different addresses share an entry. Empty on systems other than Linux.
 */
function sendQueues(): ReadonlyMap<string, string> {
  const queues = new Map<string, string>();
  for (const table of tables.filter((file) => existsSync(file))) {
    for (const row of readFileSync(table, 'latin1').split('\n').slice(1, -1)) {
      const [, local = '', remote = '', , bytes = ''] = row.trim().split(/\s+/);
      const key = `${portIn(local)} ${portIn(remote)}`;
      queues.set(key, `${queues.get(key) ?? ''} ${bytes.split(':')[0]}`);
    }
  }
  return queues;
}

/** The port at the end of an address such as `0100007F:1F90`. */
function portIn(address: string): number {
  return Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
}
