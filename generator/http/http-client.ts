import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../files/failure.ts';
import {
  Connections,
  FailedAttempt,
  type Pieces,
  type Receive,
  type Response,
  readPieces,
  skimBody,
  startWatch,
  type Watch,
} from './body.ts';
import { backoffMs, type Patience, redirects, usualPatience } from './limits.ts';
import { collectBytes } from './receivers.ts';
import type { SiteHeaders } from './site-headers.ts';
import { isRedirect, redirectTarget } from './urls.ts';

/** `body` is what `receive` made of it; null unless the status is 200. */
export type Reply<Body = Buffer> = { readonly status: number; readonly headers: Headers; readonly body: Body | null };

/** `maxBytes`: a longer body fails the attempt. `accepts`: codings, usually none; null says nothing about them. */
type Question = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly accepts?: string | null;
  readonly maxBytes: number;
};

export type ClientOptions = {
  readonly patience?: Patience | undefined;
  /** Other hosts that redirects may lead to. */
  readonly redirectsTo?: readonly string[] | undefined;
  readonly siteHeaders?: SiteHeaders | null | undefined;
};

/**
 * Repeats requests when that may help: after network errors, silence, 408, 429, 5xx (RFC 9110 15.5 and 15.6) and
 * refused answers. Waits grow and are never shorter than Retry-After asks. Limits the size and slowness of answers, and
 * the targets of redirects.
 */
export class HttpClient {
  readonly #patience: Patience;
  readonly #redirectsTo: readonly string[];
  readonly #siteHeaders: SiteHeaders | null;
  readonly #connections = new Connections();
  readonly #stopped = new AbortController();
  #requests = 0;
  #bytes = 0;

  constructor({ patience = usualPatience, redirectsTo = [], siteHeaders = null }: ClientOptions = {}) {
    this.#patience = patience;
    this.#redirectsTo = redirectsTo;
    this.#siteHeaders = siteHeaders;
    // Each request under way adds a listener. Callers limit their number.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** The number of requests so far, including repeated ones. */
  get requests(): number {
    return this.#requests;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** All requests under way reject. */
  stop(): void {
    this.#stopped.abort();
    this.#connections.close();
  }

  /**
   * Gets a final answer: 2xx, 304 or 4xx. Otherwise throws a Failure that names the last answer or error. The body of a
   * 200 answer goes to `receive`, once for each attempt; without `receive`, it is kept in memory. An error in `receive`
   * is not the host's, so the request is not repeated.
   */
  get(url: string, question: Question): Promise<Reply>;
  get<Body>(url: string, question: Question, receive: Receive<Body>): Promise<Reply<Body>>;
  async get(url: string, question: Question, receive: Receive<unknown> = collectBytes): Promise<Reply<unknown>> {
    const { attempts, firstWaitMs, longestWaitMs } = this.#patience;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#ask(url, question, receive, attempt > 1);
      } catch (error) {
        this.#stopped.signal.throwIfAborted();
        if (!(error instanceof FailedAttempt)) throw error;
        const { message, retryAfterMs } = error;
        if (attempt === attempts)
          throw new Failure('host_failed', `${url}: ${message}${attempts > 1 ? `, ${attempts} times` : ''}`);
        if (retryAfterMs > longestWaitMs) {
          throw new Failure('host_failed', `${url}: ${message}, with Retry-After ${Math.ceil(retryAfterMs / 1000)} s`);
        }
        const backoff = backoffMs(firstWaitMs, attempt);
        await wait(Math.max(retryAfterMs, Math.min(backoff, longestWaitMs)), null, { signal: this.#stopped.signal });
      }
    }
  }

  async #ask<Body>(
    url: string,
    { headers: own, accepts = 'identity', maxBytes }: Question,
    receive: Receive<Body>,
    isRepeated: boolean,
  ): Promise<Reply<Body>> {
    const watch = startWatch(this.#patience);
    const count = (bytes: number) => {
      watch.received(bytes);
      this.#bytes += bytes;
    };
    // A cache that gave a wrong answer would give it again.
    const codings = accepts === null ? {} : { 'Accept-Encoding': accepts };
    const asked = { ...codings, ...own, ...(isRepeated ? { 'Cache-Control': 'no-cache' } : {}) };
    const open = async () => {
      const response = await this.#follow(url, asked, watch);
      if (response.status !== 200) await skimBody(response, count);
      return response;
    };
    try {
      const response = await open().catch((error: unknown) => failAttempt(error, watch));
      const { status, headers } = response;
      if (status === 408 || status === 429 || status >= 500)
        throw new FailedAttempt(`expected an answer, got status ${status}`, retryAfterMs(headers));
      const pieces = piecesFromHost(readPieces(response, maxBytes, count), watch);
      return { status, headers, body: status === 200 ? await receive(pieces) : null };
    } finally {
      watch.stop();
    }
  }

  async #follow(url: string, headers: Readonly<Record<string, string>>, watch: Watch): Promise<Response> {
    const signal = AbortSignal.any([watch.signal, this.#stopped.signal]);
    const asked = new URL(url);
    let address = asked;
    for (let hops = 0; ; hops += 1) {
      this.#requests += 1;
      const fields = this.#siteHeaders?.origin === address.origin ? this.#siteHeaders.fields : {};
      const response = await this.#connections.get(address, { ...fields, ...headers }, signal);
      if (!isRedirect(response.status)) return response;
      await skimBody(response, (bytes) => watch.received(bytes));
      if (hops === redirects)
        throw new Failure('host_failed', `${url}: expected at most ${redirects} redirects, got more`);
      address = redirectTarget(asked, address, response.headers.get('location'), this.#redirectsTo);
    }
  }
}

async function* piecesFromHost(pieces: Pieces, watch: Watch): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    failAttempt(error, watch);
  }
}

/** Throws an explained error unchanged, and any other as a {@link FailedAttempt}. */
function failAttempt(error: unknown, watch: Watch): never {
  if (error instanceof FailedAttempt || error instanceof Failure) throw error;
  const { message, code } = error as NodeJS.ErrnoException;
  throw new FailedAttempt(`expected an answer, got ${watch.reason ?? code ?? message}`);
}

/** A number of seconds or a date (RFC 9110 10.2.3), in milliseconds; 0 if missing. */
function retryAfterMs(headers: Headers): number {
  const field = headers.get('retry-after');
  if (field === null) return 0;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const at = Date.parse(field);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}
