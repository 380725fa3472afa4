import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ReadRequest } from '../host.ts';
import type { Fields } from '../http/request-fields.ts';

export type Connection = {
  readonly socket: Socket;
  /** The canonical address at the other end. */
  readonly peer: string;
  current: Exchange | null;
  /** Requests that the client sent ahead while the current one is being answered, in order. */
  readonly waiting: Exchange[];
  /** Whether it closes once the accepted requests are answered. */
  isEnding: boolean;
  /** Requests after the last accepted one, in bytes that Node had already read. */
  refused: number;
};

type ConnectionsOptions = {
  readonly maxWaiting: number;
  /** Starts answering an exchange. */
  readonly begin: (exchange: Exchange) => void;
  /** Called when the answer is complete, or the connection has closed. */
  readonly end: (exchange: Exchange) => void;
};

/**
 * Node keeps each refused request, about 2 KB, until its connection closes. Beyond this many in total, connections are
 * cut.
 */
const mostRefused = 16_384;

/** How long a connection stays open after its last answer, for a client that is still sending. */
const lingerMs = 2000;

/**
 * The open connections, with one exchange at a time on each. If a client sends many requests ahead, one is answered,
 * with one open file, while the others wait, RFC 9112 9.3.2.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #connections = new Map<Duplex, Connection>();
  #refused = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  get open(): number {
    return this.#connections.size;
  }

  get busy(): number {
    return [...this.#connections.values()].filter(({ current }) => current !== null).length;
  }

  get sockets(): readonly Socket[] {
    return [...this.#connections.values()].map(({ socket }) => socket);
  }

  add(socket: Socket, peer: string): void {
    const connection: Connection = { socket, peer, current: null, waiting: [], isEnding: false, refused: 0 };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      this.#connections.delete(socket);
      this.#refused -= connection.refused;
    });
  }

  /** Undefined for a closed connection. */
  of(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket);
  }

  /** Begins an exchange, now or when its turn comes. If too many are waiting, accepts no more on this connection. */
  take(connection: Connection, exchange: Exchange): void {
    if (connection.current === null && !connection.isEnding) this.#begin(connection, exchange);
    else if (connection.waiting.length < this.#options.maxWaiting && !connection.isEnding)
      connection.waiting.push(exchange);
    else {
      this.finish(connection);
      connection.refused += 1;
      this.#refused += 1;
      if (this.#refused > mostRefused) connection.socket.destroy();
    }
  }

  /** Closes a connection once the accepted requests are answered. Anything else that the client sends is not read. */
  finish(connection: Connection): void {
    const { socket, current, waiting, isEnding } = connection;
    if (isEnding) return;
    connection.isEnding = true;
    const last = waiting.at(-1) ?? current;
    if (last) last.response.shouldKeepAlive = false;
    // Node calls this to close a connection when its last answer has been sent.
    socket.destroySoon = () => closeGently(socket);
    // The first listener for data takes the bytes away from the request parser.
    socket.removeAllListeners('data').on('data', () => undefined);
  }

  #begin(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    exchange.response.on('close', () => {
      const { socket, waiting, isEnding } = connection;
      connection.current = null;
      this.#options.end(exchange);
      const next = socket.destroyed ? undefined : waiting.shift();
      if (next) this.#begin(connection, next);
      else if (isEnding) closeGently(socket);
    });
    this.#options.begin(exchange);
  }
}

/**
 * Closes a connection when the client has read its answers and closed its half, or has not done so for a while. Closing
 * while the client is still sending would reset the connection and destroy answers on their way, RFC 9112 9.6.
 */
function closeGently(socket: Socket): void {
  if (socket.writable) socket.end(() => setTimeout(() => socket.destroy(), lingerMs).unref());
}

/**
 * Lets the server answer clients that close their half of the connection after asking, as `nc -N` does. The connection
 * ends after the answer to their last request, RFC 9112 9.6. Node has an undocumented and untyped property for this; a
 * test fails if Node drops it. A client that has gone answers the first bytes with a reset. A client that does not read
 * hits the idle timeout.
 */
export function answerHalfClosed(server: Server): void {
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
}

/** The parts of an answer that are logged and counted. */
export type ExchangeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The kind of address, `none`, or `probe`. */
  readonly resource: string;
};

/** The target without a scheme and authority, which clients may also send: RFC 9112 3.2.2. */
function originForm(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (!match) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** A Host field, RFC 3986 3.2.2 and 3.2.3. The pattern is lenient: it rejects only what is certainly not a host. */
const hostField = /^(?:[\w\-.~%!$&'()*+,;=]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** A request and its answer: the handler's input, and later the values for the log and the metrics. */
export class Exchange implements ReadRequest, Fields {
  readonly id: string = randomUUID();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly client: string;
  /** Null until there is an answer; stays null if the client goes away first. */
  answer: ExchangeAnswer | null = null;
  /** Bytes of the body that were handed to the connection. */
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

  /** A header field. Node joins repeated fields into one text, except Set-Cookie, which requests do not have. */
  get(name: string): string | null {
    return (this.request.headers[name] as string | undefined) ?? null;
  }

  /** The service takes no bodies and does not read them, so no request can follow on the connection. */
  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': coding } = this.request.headers;
    return coding !== undefined || (length !== undefined && length !== '0');
  }

  /** Whether the Host field is missing, repeated or malformed, RFC 9112 3.2. Before HTTP/1.1 it is optional. */
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
