import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.ts';

export type Connection = {
  /** The canonical address at the other end. */
  readonly peer: string;
  current: Exchange | null;
  /** Sent ahead while the current one is answered, in their order. */
  readonly waiting: Exchange[];
};

export type ConnectionsOptions = {
  readonly maxWaiting: number;
  /** Starts to answer. */
  readonly begin: (exchange: Exchange) => void;
  /** The answer is complete, or the connection gone. */
  readonly end: (exchange: Exchange) => void;
};

/**
 * The open connections, and on each of them one exchange at a time: a client that sends many requests ahead has one
 * answered, with one open file, while the others wait, RFC 9112 9.3.2.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections = new Map<Duplex, Connection>();
  #busy = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#connections.size;
  }

  get busy(): number {
    return this.#busy;
  }

  add(socket: Duplex, peer: string): void {
    this.#connections.set(socket, { peer, current: null, waiting: [] });
    socket.once('close', () => this.#connections.delete(socket));
  }

  /** Undefined for one that is closed. */
  of(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** Begins an exchange, now or when it is its turn. One too many ends the connection. */
  take(connection: Connection, exchange: Exchange): void {
    if (connection.current === null) this.#begin(connection, exchange);
    else if (connection.waiting.length < this.#options.maxWaiting) connection.waiting.push(exchange);
    else exchange.request.socket.destroy();
  }

  #begin(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    this.#busy += 1;
    exchange.response.on('close', () => {
      this.#busy -= 1;
      connection.current = null;
      this.#options.end(exchange);
      const next = exchange.request.socket.destroyed ? undefined : connection.waiting.shift();
      if (next) this.#begin(connection, next);
    });
    this.#options.begin(exchange);
  }
}

/**
 * Answers clients that close their half of the connection when they have asked, as `nc -N` does: the connection ends after
 * the answer to their last request, RFC 9112 9.6. Node does so on request; its property is in no type and no manual, and a
 * test notices should it leave. A client that is gone answers the first bytes with a reset, one that does not read
 * meets the idle timeout.
 */
export function answerHalfClosed(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}
