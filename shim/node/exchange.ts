import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadRequest } from '../answer.ts';
import type { Fields } from '../http/conditional.ts';

/** What of an answer is told in the log and counted. */
export type ExchangeAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A kind of address, or `probe`. */
  readonly resource: string;
};

/** The target without scheme and authority, which a client may put before it: RFC 9112 3.2.2. */
function originForm(target: string): string {
  const match = /^https?:\/\/[^/?#]*/i.exec(target);
  if (!match) return target;
  const rest = target.slice(match[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** RFC 3986 3.2.2 and 3.2.3, as far as they can be told from what no host is. */
const hostField = /^(?:[\w\-.~%!$&'()*+,;=]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** A request and its answer: what the handler is asked, and what there is to say of it when it is over. */
export class Exchange implements ReadRequest, Fields {
  readonly id: string = randomUUID();
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly target: string;
  readonly client: string;
  /** Null until there is one, and for good when the client goes away before. */
  answer: ExchangeAnswer | null = null;
  /** Bytes of the body handed to the connection. */
  bytes = 0;
  /** Where to ask for them when the body is streamed. */
  stream: { readonly bytesRead: number } | null = null;
  /** From the end of the request's head to the end of the answer. */
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

  /** A header field; Node gives repeated ones as one text, but for Set-Cookie, which nobody sends to a server. */
  get(name: string): string | null {
    return (this.request.headers[name] as string | undefined) ?? null;
  }

  /** The service takes no bodies: one that comes is not read, and so nothing can follow it on the connection. */
  get hasBody(): boolean {
    const { 'content-length': length, 'transfer-encoding': coding } = this.request.headers;
    return coding !== undefined || (length !== undefined && length !== '0');
  }

  /** Whom it is for must be said, once and validly, RFC 9112 3.2; before HTTP/1.1 it need not be. */
  get isMisaddressed(): boolean {
    const { rawHeaders } = this.request;
    let hosts = 0;
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i] as string;
      if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    }
    if (hosts === 0) return this.request.httpVersion === '1.1';
    return hosts > 1 || !hostField.test(this.request.headers.host ?? '');
  }

  get isAbandoned(): boolean {
    return this.request.socket.destroyed;
  }

  get isComplete(): boolean {
    return this.response.writableFinished;
  }

  end(): void {
    this.seconds = (performance.now() - this.#beganAt) / 1000;
    if (this.stream) this.bytes = this.stream.bytesRead;
  }
}
