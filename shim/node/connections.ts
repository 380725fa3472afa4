import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.ts';

export type Connection = {
  /** The canonical address at the other end. */
  readonly peer: string;
  current: Exchange | null;
  /** Requests that the client sent ahead while the current one is answered, in their order. */
  readonly waiting: Exchange[];
};

type ConnectionsOptions = {
  readonly maxWaiting: number;
  /** Starts to answer an exchange. */
  readonly begin: (exchange: Exchange) => void;
  /** Called when the answer is complete or the connection closed. */
  readonly end: (exchange: Exchange) => void;
};

/**
 * The open connections, with one exchange at a time on each. A client that sends many requests ahead has one of them
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

  /** Undefined for a closed connection. */
  of(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** Begins an exchange, now or when it is its turn. If too many are waiting, closes the connection. */
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
 * Lets the server answer clients that close their half of the connection after asking, as `nc -N` does. The connection
 * ends after the answer to their last request, RFC 9112 9.6. Node has a property for this that is in no type and no
 * manual; a test fails if Node drops it. A client that has gone answers the first bytes with a reset. One that does not
 * read runs into the idle timeout.
 */
export function answerHalfClosed(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}
