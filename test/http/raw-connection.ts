import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Reply } from '../support/http-client.ts';

/** A request whose target and fields can be any bytes, one per character. */
export type RawRequest = {
  readonly method: string;
  readonly target: string;
  readonly fields?: readonly (readonly [name: string, value: string])[];
};

/** An answer with its raw head. `isLast`: the server announced that it closes the connection, or has closed it. */
export type RawReply = Reply & { readonly head: string; readonly isLast: boolean };

/** No answer came in time. */
export class NoAnswer extends Error {}

/** A client that does not check what it sends. It uses one connection for as long as the server keeps it open. */
export class RawConnection implements Disposable {
  readonly #host: string;
  readonly #port: number;
  readonly #patienceMs: number;
  #socket: Socket | null = null;
  #received = '';

  constructor({ host, port }: { readonly host: string; readonly port: number }, patienceMs: number) {
    this.#host = host;
    this.#port = port;
    this.#patienceMs = patienceMs;
  }

  /** Sends a request and waits for its answer. Rejects with {@link NoAnswer} if there is none in time. */
  ask({ method, target, fields = [] }: RawRequest): Promise<RawReply> {
    const lines = [
      `${method} ${target} HTTP/1.1`,
      'Host: example.org',
      ...fields.map(([name, value]) => `${name}: ${value}`),
    ];
    return this.send(method, `${lines.join('\r\n')}\r\n\r\n`);
  }

  /** Sends these bytes unchecked. `method` decides whether the answer has a body. */
  async send(method: string, bytes: string): Promise<RawReply> {
    const socket = await this.#open();
    socket.write(bytes, 'latin1');
    const deadline = performance.now() + this.#patienceMs;
    for (;;) {
      const reply = parseReply(this.#received, method, socket.readableEnded || socket.destroyed);
      if (reply) {
        this.#received = this.#received.slice(reply.length);
        // The bytes may contain several requests, whose answers must not be taken for answers to the next one.
        if (reply.isLast || /[\r\n]/.test(bytes.slice(0, -4).replaceAll(/\r\n(?=[!-~]+: )/g, ''))) this.#close();
        return reply;
      }
      if (socket.readableEnded || socket.destroyed) throw new Error(`the connection ended after ${this.#received}`);
      const left = deadline - performance.now();
      if (left <= 0) {
        this.#close();
        throw new NoAnswer(`no answer within ${this.#patienceMs} ms`);
      }
      await movement(socket, left);
    }
  }

  async #open(): Promise<Socket> {
    if (this.#socket && !this.#socket.destroyed && !this.#socket.readableEnded) return this.#socket;
    const socket = connect(this.#port, this.#host);
    socket.setEncoding('latin1').on('data', (text) => {
      this.#received += text;
    });
    // A server that refuses may close before everything is sent.
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    this.#received = '';
    this.#socket = socket;
    return socket;
  }

  #close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}

/** Resolves when data arrives, the connection ends, or the time is up. */
function movement(socket: Socket, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const events = ['data', 'end', 'close'] as const;
    const done = () => {
      clearTimeout(timer);
      for (const event of events) socket.off(event, done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    for (const event of events) socket.once(event, done);
  });
}

/** The first answer in the received text, with its length; null while it is incomplete. */
function parseReply(text: string, method: string, hasEnded: boolean): (RawReply & { readonly length: number }) | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = text.slice(0, end);
  const [statusLine = '', ...lines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status)) throw new Error(`expected a status line, got ${statusLine}`);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+\-.^_`|~\w]+): ?(.*)$/.exec(line) ?? [];
    if (name === '' || name.toLowerCase() in headers) throw new Error(`expected each header once, got ${line}`);
    headers[name.toLowerCase()] = value;
  }
  const hasNoBody = method === 'HEAD' || status === 204 || status === 304;
  const size = hasNoBody ? 0 : Number(headers['content-length'] ?? Number.NaN);
  if (Number.isNaN(size)) throw new Error(`expected a Content-Length, got ${head}`);
  const start = end + 4;
  if (text.length < start + size) return null;
  const body = Buffer.from(text.slice(start, start + size), 'latin1');
  const isLast = hasEnded || headers.connection === 'close';
  return { status, headers, body, head, isLast, length: start + size };
}
