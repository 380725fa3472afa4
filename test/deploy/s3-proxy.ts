import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What the proxy does to a request. `pass` does nothing. `drop` and `drop_after` drop the connection before or after
 * the server has the request. A number answers with this status. `corrupt_upload` and `corrupt_answer` change one byte
 * of the body. `cut` ends the answer in the middle.
 */
export type Fate = 'pass' | 'drop' | 'drop_after' | 500 | 503 | 'corrupt_upload' | 'corrupt_answer' | 'cut';

/** `target` is the path and query exactly as sent. */
export type Asked = { readonly method: string; readonly target: string };

const codes = { 500: 'InternalError', 503: 'SlowDown' } as const;

/** A proxy in front of an S3 server. It records requests and can disturb them. */
export class S3Proxy implements AsyncDisposable {
  fate: (asked: Asked) => Fate | Promise<Fate> = () => 'pass';
  readonly asked: Asked[] = [];
  readonly #upstream: string;
  readonly #server = createServer((incoming, response) => void this.#answer(incoming, response));

  private constructor(upstream: string) {
    this.#upstream = upstream;
  }

  static async start(upstream: string): Promise<S3Proxy> {
    const proxy = new S3Proxy(upstream);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Keys of all requests with this method so far, in order. */
  keysAsked(method: 'PUT' | 'DELETE' | 'GET', bucket: string): string[] {
    const start = `/${bucket}/`;
    const own = this.asked.filter((one) => one.method === method && one.target.startsWith(start));
    return own.map(({ target }) => target.slice(start.length).split('?')[0] ?? '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = { method: incoming.method ?? '', target: incoming.url ?? '' };
    this.asked.push(asked);
    const fate = await this.fate(asked);
    if (fate === 'drop') {
      incoming.socket.destroy();
      return;
    }
    const body = await readBody(incoming);
    if (body === null) return;
    if (typeof fate === 'number') {
      const code = codes[fate];
      const xml = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>a test</Message></Error>`;
      response.writeHead(fate, { 'Content-Type': 'application/xml' }).end(xml);
      return;
    }
    if (fate === 'corrupt_upload') flip(body);
    // The signature covers the client's Host, so headers are passed unchanged.
    const onward = request(`${this.#upstream}${asked.target}`, { method: asked.method, headers: incoming.headers });
    onward.on('error', () => incoming.socket.destroy());
    onward.on('response', async (answer) => {
      const answered = await readBody(answer);
      if (answered === null || fate === 'drop_after') {
        incoming.socket.destroy();
        return;
      }
      if (fate === 'corrupt_answer') flip(answered);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (fate !== 'cut' || answered.length < 2) response.end(answered);
      else response.write(answered.subarray(0, answered.length / 2), () => incoming.socket.destroy());
    });
    onward.end(body);
  }
}

/** Null when the body is cut off. */
async function readBody(message: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  return new Promise((resolve) => {
    message.on('data', (piece: Buffer) => pieces.push(piece));
    message.on('end', () => resolve(Buffer.concat(pieces)));
    message.on('error', () => resolve(null));
  });
}

function flip(bytes: Buffer): void {
  const middle = Math.floor(bytes.length / 2);
  if (bytes.length > 0) bytes[middle] = (bytes[middle] ?? 0) ^ 0x40;
}
