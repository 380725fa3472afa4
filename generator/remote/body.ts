import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { limits, type Patience } from './limits.ts';

/** An answer whose body has not been read. */
export type Response = { readonly status: number; readonly headers: Headers; readonly message: IncomingMessage };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Connections to hosts, which are used again. They use Node's `http`, because `fetch` decompresses answers where their
 * size cannot be limited.
 */
export class Connections {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /** Resolves when the headers have arrived. They may take at most 16 KiB. */
  async get(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response> {
    const message = await this.#send(url, headers, signal);
    const fields = new Headers();
    for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
      fields.append(message.rawHeaders[index] ?? '', message.rawHeaders[index + 1] ?? '');
    }
    return { status: message.statusCode ?? 0, headers: fields, message };
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  /** Sends again when the host closes a connection just as it is reused. That is no failure of the host. */
  #send(url: URL, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const isSecure = url.protocol === 'https:';
      const options = { headers: { Accept: '*/*', 'User-Agent': 'shelfpress', ...headers }, signal };
      const sent = isSecure
        ? requestHttps(url, { ...options, agent: this.#https }, resolve)
        : requestHttp(url, { ...options, agent: this.#http }, resolve);
      sent.on('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted;
        if (isStale) this.#send(url, headers, signal).then(resolve, reject);
        else reject(error);
      });
      sent.end();
    });
  }
}

/**
 * The pieces of a body, decompressed as its Content-Encoding says. `count` gets the number of bytes transferred. A
 * caller who stops before the end gives up the connection. Throws for a content coding that was not asked for.
 */
async function* piecesOf(
  { message, headers }: Response,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') {
    yield* counted(message, count);
    return;
  }
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.() : undefined;
  if (decoder === undefined) {
    message.destroy();
    throw new Error('a body in a content coding that was not asked for');
  }
  // The pipeline passes every error to the decoder, which throws it below.
  pipeline(counted(message, count), decoder, () => undefined);
  yield* decoder;
}

async function* counted(message: IncomingMessage, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  for await (const piece of message) {
    count((piece as Uint8Array).length);
    yield piece as Uint8Array;
  }
}

/**
 * Receives the body of a successful answer piece by piece, so that it need not be kept in memory. One is made for each
 * attempt.
 */
export interface Receiver {
  /** Takes a piece. False: the receiver has enough, and the rest is not read. */
  write(piece: Uint8Array): boolean | Promise<boolean>;
  /** Ends the body. Returns what is wrong with it, so that it is requested again; null when nothing is. */
  end(): string | null | Promise<string | null>;
  /** Gives up the body after a failure, before or after `end`. */
  abandon(): void;
}

/** An attempt that got no usable answer. `retryAfterMs`: how long the host asks to wait, or 0. */
export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A failure on this machine and not at the host. Another request would not help. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError';
}

/** Keeps a body in memory. */
export class MemoryReceiver implements Receiver {
  readonly #pieces: Uint8Array[] = [];

  write(piece: Uint8Array): boolean {
    this.#pieces.push(piece);
    return true;
  }

  end(): null {
    return null;
  }

  abandon(): void {
    this.#pieces.length = 0;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

/**
 * Ends an exchange that is too slow; `reason` then says how. If this process was busy for long, the watch lets it read
 * what has arrived before it decides.
 */
export class Watch {
  readonly #abort = new AbortController();
  readonly #silence: NodeJS.Timeout;
  readonly #window: NodeJS.Timeout;
  #received = 0;
  #pieces = 0;
  #reason: string | null = null;

  constructor({ idleMs, windowMs, leastBytesPerWindow }: Patience) {
    this.#silence = setTimeout(() => {
      const before = this.#pieces;
      setImmediate(() => this.#pieces === before && this.#end(`nothing for ${idleMs} ms`));
    }, idleMs);
    let before = 0;
    this.#window = setInterval(() => {
      setImmediate(() => {
        const came = this.#received - before;
        before = this.#received;
        if (came < leastBytesPerWindow) this.#end(`${came} bytes in ${windowMs} ms, fewer than ${leastBytesPerWindow}`);
      });
    }, windowMs);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get reason(): string | null {
    return this.#reason;
  }

  received(bytes: number): void {
    this.#received += bytes;
    this.#pieces += 1;
    this.#silence.refresh();
  }

  stop(): void {
    clearTimeout(this.#silence);
    clearInterval(this.#window);
  }

  #end(reason: string): void {
    this.#reason ??= reason;
    this.#abort.abort();
  }
}

/** Bytes that a compressed body may have beyond `maxBytes` as transferred. */
const packing = 64 * 1024;

/**
 * Passes a body on, piece by piece. Throws a {@link FailedAttempt} when its Content-Length or its actual length exceeds
 * `maxBytes`, and a {@link ReceiverError} when it cannot be kept. `count` gets the number of bytes transferred.
 */
export async function readBody(
  response: Response,
  maxBytes: number,
  receiver: Receiver,
  count: (bytes: number) => void,
): Promise<void> {
  const said = Number(response.headers.get('content-length') ?? 0);
  if (said > maxBytes + packing) {
    response.message.destroy();
    throw new FailedAttempt(`expected at most ${maxBytes} bytes, got ${said}`);
  }
  const tooLong = () => new FailedAttempt(`expected at most ${maxBytes} bytes, got more`);
  let [came, size] = [0, 0];
  const pieces = piecesOf(response, (bytes) => {
    came += bytes;
    count(bytes);
    if (came > maxBytes + packing) throw tooLong();
  });
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw tooLong();
    if (!(await locally(() => receiver.write(piece)))) return;
  }
}

/** Reads and drops the rest of an answer, so that its connection can be used again. Gives up when it is long. */
export async function skimBody({ message }: Response, count: (bytes: number) => void): Promise<void> {
  let size = 0;
  for await (const piece of message) {
    size += (piece as Uint8Array).length;
    count((piece as Uint8Array).length);
    if (size > limits.problem) return;
  }
}

/** Turns any error of a receiver into a {@link ReceiverError}, because the host is not at fault. */
export async function locally<Result>(use: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (cause) {
    throw new ReceiverError('what came could not be kept', { cause });
  }
}
