import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ReadRequest } from '../host.ts';
import type { Fields } from '../http/request-fields.ts';

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

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#connections.size;
  }

  get busy(): number {
    return [...this.#connections.values()].filter(({ current }) => current !== null).length;
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
    exchange.response.on('close', () => {
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

/** The parts of an answer that are logged and counted. */
export type ExchangeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A kind of address, `none`, or `probe`. */
  readonly resource: string;
};

/** The target without scheme and authority, which a client may send as well: RFC 9112 3.2.2. */
function originForm(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (!match) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Host fields by RFC 3986 3.2.2 and 3.2.3. The pattern is lenient: it rejects only what is certainly not a host. */
const hostField = /^(?:[\w\-.~%!$&'()*+,;=]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** A request and its answer: the input of the handler, and afterwards the values for the log and the metrics. */
export class Exchange implements ReadRequest, Fields {
  readonly id: string = randomUUID();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly client: string;
  /** Null until there is an answer, and forever if the client goes away first. */
  answer: ExchangeAnswer | null = null;
  /** Bytes of the body handed to the connection. */
  bytes = 0;
  /** Seconds from the end of the request's head to the end of the answer. */
  seconds = 0;
  readonly #beganAt = performance.now();

  constructor(request: IncomingMessage, response: ServerResponse, client: string) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? '';
    this.target = originForm(request.url ?? '');
    this.client = client;
  }

  get headers(): Fields {
    return this;
  }

  /** A header field. Node joins repeated fields into one text, except Set-Cookie, which is not a request field. */
  get(name: string): string | null {
    return (this.request.headers[name] as string | undefined) ?? null;
  }

  /** The service takes no bodies. It does not read one that comes, so no request can follow on the connection. */
  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': coding } = this.request.headers;
    return coding !== undefined || (length !== undefined && length !== '0');
  }

  /** Whether the Host field is missing, repeated or malformed, RFC 9112 3.2. Before HTTP/1.1 it may be missing. */
  get isMisaddressed(): boolean {
    const [host, ...others] = this.request.headersDistinct.host ?? [];
    if (host === undefined) return this.request.httpVersion === '1.1';
    return others.length > 0 || !hostField.test(host);
  }

  get isAbandoned(): boolean {
    return this.request.socket.destroyed;
  }

  get isComplete(): boolean {
    return this.response.writableFinished;
  }

  end(): void {
    this.seconds = (performance.now() - this.#beganAt) / 1000;
  }
}
