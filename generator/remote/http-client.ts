import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../failure.ts';

/** How long a client puts up with a host. Milliseconds. */
export type Patience = {
  /** So often something is asked for in all. */
  readonly attempts: number;
  /** Before the second attempt; twice as long before each further one. */
  readonly firstWaitMs: number;
  /** The longest wait between two attempts; a host that asks for more ends the run. */
  readonly longestWaitMs: number;
  /** Without a byte for so long a connection counts as dead. */
  readonly idleMs: number;
};

const usualPatience: Patience = { attempts: 6, firstWaitMs: 500, longestWaitMs: 60_000, idleMs: 30_000 };

export type Reply = { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array };

/** `maxBytes`: a longer body is no answer. `refuse`: what is wrong with an answer that came, so that it is asked for again. */
export type Question = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly refuse?: (reply: Reply) => string | null;
};

/** What came instead of an answer, and how long the host asks to be left alone for, if it does. */
class Complaint extends Error {
  override readonly name = 'Complaint';
  readonly retryAfterMs: number;

  constructor(message: string, retryAfterMs = 0) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/**
 * Asks a host over HTTP, again where that may help: after network errors, silence, 408, 429, 5xx (RFC 9110 15.5 and 15.6)
 * and answers that are refused, with growing waits that are never shorter than Retry-After asks.
 */
export class HttpClient {
  readonly #patience: Patience;
  readonly #stopped = new AbortController();
  #requests = 0;
  #bytes = 0;

  constructor(patience: Patience = usualPatience) {
    this.#patience = patience;
    // Each request under way listens; their number is bounded by whoever asks.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** Requests sent, repeated ones too. */
  get requests(): number {
    return this.#requests;
  }

  /** Bytes of bodies received. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Gives up everything under way, which then rejects. */
  stop(): void {
    this.#stopped.abort();
  }

  /** An answer that is final: 2xx, 304 or 4xx. Throws a Failure that names the last thing that came instead. */
  async get(url: string, question: Question): Promise<Reply> {
    const { attempts, firstWaitMs, longestWaitMs } = this.#patience;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#ask(url, question, attempt > 1);
      } catch (error) {
        this.#stopped.signal.throwIfAborted();
        if (!(error instanceof Complaint)) throw error;
        const { message, retryAfterMs } = error;
        if (attempt === attempts) throw new Failure(`${url}: ${message}${attempts > 1 ? `, ${attempts} times` : ''}`);
        if (retryAfterMs > longestWaitMs) {
          throw new Failure(
            `${url}: ${message}, and the wish to be asked again in ${Math.ceil(retryAfterMs / 1000)} s`,
          );
        }
        const backoff = firstWaitMs * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
        await wait(Math.max(retryAfterMs, Math.min(backoff, longestWaitMs)), null, { signal: this.#stopped.signal });
      }
    }
  }

  async #ask(url: string, { headers = {}, maxBytes, refuse }: Question, isRepeated: boolean): Promise<Reply> {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), this.#patience.idleMs);
    // What a cache on the way answered wrongly once, it would answer again.
    const fields = {
      'Accept-Encoding': 'identity',
      ...headers,
      ...(isRepeated ? { 'Cache-Control': 'no-cache' } : {}),
    };
    this.#requests += 1;
    let reply: Reply;
    try {
      const signal = AbortSignal.any([silence.signal, this.#stopped.signal]);
      const response = await fetch(url, { headers: fields, signal });
      const { status } = response;
      const bytes = await this.#body(response, maxBytes, timer);
      if (status === 408 || status === 429 || status >= 500) {
        throw new Complaint(`expected an answer, got status ${status}`, retryAfterMs(response.headers));
      }
      reply = { status, headers: response.headers, bytes };
    } catch (error) {
      if (error instanceof Complaint) throw error;
      if (silence.signal.aborted)
        throw new Complaint(`expected an answer, got nothing for ${this.#patience.idleMs} ms`);
      throw new Complaint(`expected an answer, got ${causeOf(error)}`);
    } finally {
      clearTimeout(timer);
    }
    const reason = refuse?.(reply) ?? null;
    if (reason !== null) throw new Complaint(reason);
    return reply;
  }

  async #body(response: Response, maxBytes: number, timer: NodeJS.Timeout): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let size = 0;
    for await (const piece of response.body ?? []) {
      timer.refresh();
      size += piece.length;
      this.#bytes += piece.length;
      if (size > maxBytes) throw new Complaint(`expected at most ${maxBytes} bytes, got more`);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  }
}

/** RFC 9110 10.2.3: seconds, or a date. */
function retryAfterMs(headers: Headers): number {
  const field = headers.get('retry-after');
  if (field === null) return 0;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const at = Date.parse(field);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

/** What fetch says is only that it failed; the reason is below. */
function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? reason ?? message;
}
