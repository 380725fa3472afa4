import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadRequest } from '../answer.ts';
import type { Fields } from '../http/conditional.ts';

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
  /** Knows the number of bytes if the body is streamed. */
  stream: { readonly bytesRead: number } | null = null;
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
