import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Failure } from '../failure.ts';
import {
  Connections,
  FailedAttempt,
  locally,
  MemoryReceiver,
  type Receiver,
  ReceiverError,
  type Response,
  readBody,
  skimBody,
  Watch,
} from './body.ts';
import { backoffMs, type Patience, redirects, usualPatience } from './limits.ts';
import { isRedirect, redirectTarget } from './urls.ts';

export type Reply = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer };

/**
 * `maxBytes`: a longer body counts as a failed attempt. `receive`: makes the receiver for the body of a 200 answer; without it, the body is kept in memory.
 */
type Question = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly receive?: () => Receiver;
};

export type ClientOptions = {
  readonly patience?: Patience | undefined;
  /** Hosts that redirects may lead to, in addition to the requested one. */
  readonly redirectsTo?: readonly string[] | undefined;
};

/**
 * Sends requests over HTTP, and repeats them where that may help: after network errors, silence, 408, 429, 5xx (RFC
 * 9110 15.5 and 15.6) and refused answers. Waits grow and are never shorter than Retry-After asks. Limits apply to the
 * size and slowness of answers and to the targets of redirects.
 */
export class HttpClient {
  readonly #patience: Patience;
  readonly #redirectsTo: readonly string[];
  readonly #connections = new Connections();
  readonly #stopped = new AbortController();
  #requests = 0;
  #bytes = 0;

  constructor({ patience = usualPatience, redirectsTo = [] }: ClientOptions = {}) {
    this.#patience = patience;
    this.#redirectsTo = redirectsTo;
    // Each request under way adds a listener. Callers limit their number.
    setMaxListeners(0, this.#stopped.signal);
  }

  /** Requests sent, repeated ones too. */
  get requests(): number {
    return this.#requests;
  }

  /** Bytes of the bodies received. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Gives up all requests under way, which then reject. */
  stop(): void {
    this.#stopped.abort();
    this.#connections.close();
  }

  /** Gets a final answer: 2xx, 304 or 4xx. Throws a Failure that names the last thing that came instead. */
  async get(url: string, question: Question): Promise<Reply> {
    const { attempts, firstWaitMs, longestWaitMs } = this.#patience;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#ask(url, question, attempt > 1);
      } catch (error) {
        this.#stopped.signal.throwIfAborted();
        if (error instanceof ReceiverError) throw error.cause;
        if (!(error instanceof FailedAttempt)) throw error;
        const { message, retryAfterMs } = error;
        if (attempt === attempts) throw new Failure(`${url}: ${message}${attempts > 1 ? `, ${attempts} times` : ''}`);
        if (retryAfterMs > longestWaitMs) {
          throw new Failure(
            `${url}: ${message}, and the wish to be asked again in ${Math.ceil(retryAfterMs / 1000)} s`,
          );
        }
        const backoff = backoffMs(firstWaitMs, attempt);
        await wait(Math.max(retryAfterMs, Math.min(backoff, longestWaitMs)), null, { signal: this.#stopped.signal });
      }
    }
  }

  async #ask(url: string, question: Question, isRepeated: boolean): Promise<Reply> {
    const watch = new Watch(this.#patience);
    // A cache on the way that gave a wrong answer would give it again.
    const headers = {
      'Accept-Encoding': 'identity',
      ...question.headers,
      ...(isRepeated ? { 'Cache-Control': 'no-cache' } : {}),
    };
    try {
      return await this.#answer(await this.#follow(url, headers, watch), question, watch);
    } catch (error) {
      if (error instanceof FailedAttempt || error instanceof ReceiverError || error instanceof Failure) throw error;
      throw new FailedAttempt(`expected an answer, got ${watch.reason ?? causeOf(error)}`);
    } finally {
      watch.stop();
    }
  }

  /** Follows redirects to an answer. */
  async #follow(url: string, headers: Readonly<Record<string, string>>, watch: Watch): Promise<Response> {
    const signal = AbortSignal.any([watch.signal, this.#stopped.signal]);
    const asked = new URL(url);
    let address = asked;
    for (let hops = 0; ; hops += 1) {
      this.#requests += 1;
      const response = await this.#connections.get(address, headers, signal);
      if (!isRedirect(response.status)) return response;
      await skimBody(response, (bytes) => watch.received(bytes));
      if (hops === redirects) throw new Failure(`${url}: expected at most ${redirects} redirects, got more`);
      address = redirectTarget(asked, address, response.headers.get('location'), this.#redirectsTo);
    }
  }

  async #answer(response: Response, { maxBytes, receive }: Question, watch: Watch): Promise<Reply> {
    const { status, headers } = response;
    const count = (bytes: number) => {
      watch.received(bytes);
      this.#bytes += bytes;
    };
    if (status !== 200) {
      await skimBody(response, count);
      if (status === 408 || status === 429 || status >= 500) {
        throw new FailedAttempt(`expected an answer, got status ${status}`, retryAfterMs(headers));
      }
      return { status, headers, bytes: Buffer.alloc(0) };
    }
    const memory = new MemoryReceiver();
    const receiver = receive === undefined ? memory : await locally(receive);
    try {
      await readBody(response, maxBytes, receiver, count);
      const reason = await locally(() => receiver.end());
      if (reason !== null) throw new FailedAttempt(reason);
      return { status, headers, bytes: memory.bytes };
    } catch (error) {
      receiver.abandon();
      throw error;
    }
  }
}

/** Retry-After in milliseconds. It is a number of seconds or a date (RFC 9110 10.2.3); 0 when missing. */
function retryAfterMs(headers: Headers): number {
  const field = headers.get('retry-after');
  if (field === null) return 0;
  if (/^\d+$/.test(field)) return Number(field) * 1000;
  const at = Date.parse(field);
  return Number.isNaN(at) ? 0 : Math.max(0, at - Date.now());
}

function causeOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  return code ?? message;
}
