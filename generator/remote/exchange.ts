import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

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
export async function* piecesOf(
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
