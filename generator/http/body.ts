import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { byteLimits } from '../../contract/site/byte-limits.ts';
import type { Patience } from './limits.ts';

export type Response = { readonly status: number; readonly headers: Headers; readonly message: IncomingMessage };

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Uses Node's `http`, because `fetch` decompresses answers without a limit on their size. */
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

  /** Sends again if the host closes a connection just as it is reused, which a host is free to do. */
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
      // Node ends a connection that changes to another protocol, and says nothing else.
      sent.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(new FailedAttempt(`expected an answer, got status ${statusCode}`));
      });
      sent.end();
    });
  }
}

/** An attempt without a usable answer. `retryAfterMs`: how long the host asks to wait, or 0. */
export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Ends a slow exchange; `reason` then says why. If this process was busy for long, it first reads what has arrived. */
export function startWatch({ idleMs, windowMs, leastBytesPerWindow }: Patience) {
  const abort = new AbortController();
  const signal: AbortSignal = abort.signal;
  let [bytes, bytesBefore, pieces] = [0, 0, 0];
  let reason: string | null = null;
  const end = (why: string) => {
    reason ??= why;
    abort.abort();
  };
  const silence = setTimeout(() => {
    const before = pieces;
    setImmediate(() => pieces === before && end(`nothing for ${idleMs} ms`));
  }, idleMs);
  const window = setInterval(() => {
    setImmediate(() => {
      const came = bytes - bytesBefore;
      bytesBefore = bytes;
      if (came < leastBytesPerWindow) end(`${came} bytes in ${windowMs} ms, fewer than ${leastBytesPerWindow}`);
    });
  }, windowMs);
  return {
    signal,
    get reason(): string | null {
      return reason;
    },
    received(count: number): void {
      bytes += count;
      pieces += 1;
      silence.refresh();
    },
    stop(): void {
      clearTimeout(silence);
      clearInterval(window);
    },
  };
}
export type Watch = ReturnType<typeof startWatch>;

/** A body in pieces, so that it need not fit in memory. A caller that stops early gives up the connection. */
export type Pieces = AsyncIterable<Uint8Array>;

export type Receive<Made> = (pieces: Pieces) => Promise<Made>;

/** Bytes by which a compressed body may exceed `maxBytes` in transfer. */
const packing = 64 * 1024;

/**
 * The decompressed pieces of a body. Throws a {@link FailedAttempt} if its Content-Length or its actual length exceeds
 * `maxBytes`. `count` gets the number of bytes transferred.
 */
export async function* readPieces(
  response: Response,
  maxBytes: number,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const said = Number(response.headers.get('content-length') ?? 0);
  if (said > maxBytes + packing) {
    response.message.destroy();
    throw new FailedAttempt(`expected at most ${maxBytes} bytes, got ${said}`);
  }
  const tooLong = () => new FailedAttempt(`expected at most ${maxBytes} bytes, got more`);
  let [came, size] = [0, 0];
  const pieces = unpacked(response, (bytes) => {
    came += bytes;
    count(bytes);
    if (came > maxBytes + packing) throw tooLong();
  });
  for await (const piece of pieces) {
    size += piece.length;
    if (size > maxBytes) throw tooLong();
    yield piece;
  }
}

/** The decompressed body. Throws for a content coding that was not asked for. */
async function* unpacked({ message, headers }: Response, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
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

/** Drops the rest of an answer, so that its connection can be used again. Gives up if it is long. */
export async function skimBody({ message }: Response, count: (bytes: number) => void): Promise<void> {
  let size = 0;
  for await (const piece of counted(message, count)) {
    size += piece.length;
    if (size > byteLimits.problem) return;
  }
}
