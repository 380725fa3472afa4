import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadRequest } from '../host.ts';
import type { Fields } from '../http/request-fields.ts';

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
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly client: string;
  /** The answer. It is null until there is one, and stays null if the client goes away first. */
  answer: ExchangeAnswer | null = null;
  /** Bytes of the body that were handed to the connection. */
  bytes = 0;
  /** Seconds from the end of the request's head to the end of the answer. */
  seconds = 0;
  readonly #beganAt = performance.now();
  #id: string | null = null;

  constructor(request: IncomingMessage, response: ServerResponse, client: string) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? '';
    this.target = originForm(request.url ?? '');
    this.client = client;
  }

  /** Made when it is first needed, for a problem or for the log. */
  get id(): string {
    this.#id ??= randomUUID();
    return this.#id;
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
    const { headers, httpVersion, rawHeaders } = this.request;
    const { host } = headers;
    if (host === undefined) return httpVersion === '1.1';
    // Node keeps the first Host field only. The raw headers are names and values in turn.
    const isHost = (text: string, index: number) => index % 2 === 0 && text.length === 4 && /^host$/i.test(text);
    return !hostField.test(host) || rawHeaders.findIndex(isHost) !== rawHeaders.findLastIndex(isHost);
  }

  get isAbandoned(): boolean {
    return !this.request.socket.writable;
  }

  get isComplete(): boolean {
    return this.response.writableFinished;
  }

  end(): void {
    this.seconds = (performance.now() - this.#beganAt) / 1000;
  }
}
