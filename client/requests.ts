import { hasCredentials, withoutCredentials } from '../contract/credentials.ts';
import type { Problem } from '../contract/problem.ts';
import { byteLimits } from '../contract/site/byte-limits.ts';
import { ByteCache } from '../shim/site/byte-cache.ts';
import { type Chunks, parseObject, readPieces, readWhole } from './answer-body.ts';
import { ConnectionError, ProblemError } from './errors.ts';
import {
  type AskOptions,
  type FetchedAnswer,
  type Fetcher,
  isBrowser,
  pause,
  type Signal,
  withinTime,
} from './runtime.ts';

/**
 * How {@link openSite} sends requests.
 *
 * @example
 * ```ts
 * import { openSite } from 'shelfpress/client';
 *
 * const site = await openSite('http://127.0.0.1:8080', {
 *   fetch: (url, init) => fetch(url, { ...init, headers: { 'User-Agent': 'my-program' } }),
 *   redirectsTo: ['cdn.example.org'],
 * });
 * ```
 */
export type RequestsOptions = {
  /** Sends a request. Default: the runtime's own. */
  readonly fetch?: Fetcher['fetch'];
  /** How often a request is sent, at most, while the host is busy or cannot be reached. Default: 4. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, if the host names no time. It doubles with every attempt. Default: 250. */
  readonly firstWaitMs?: number;
  /** A host that asks for a longer wait is not asked again. Default: 20,000. */
  readonly longestWaitMs?: number;
  /**
   * Milliseconds that one answer may take or, for the records of an export, the wait between two pieces of the file.
   * Default: 60,000.
   */
  readonly timeoutMs?: number;
  /** Bytes of answers that are kept for conditional requests. Browsers have their own cache. Default: 8 MiB. */
  readonly cacheBytes?: number;
  /** Other hosts that redirects may lead to, such as `example.org` or `example.org:8443`. Default: none. */
  readonly redirectsTo?: readonly string[];
};

/** `revision`: the answer's publication. `hasPolicy`: whether the host says how long the answer is fresh. */
export type WholeAnswer = {
  readonly bytes: Uint8Array;
  readonly revision: string | null;
  readonly hasPolicy: boolean;
};

/**
 * `isFresh`: no cache may answer without asking the host. `isSound`: whether these are the right bytes; only for an
 * address whose bytes never change, so that any copy will do. `maxBytes`: by default, the limit for documents.
 */
export type GetOptions = AskOptions & {
  readonly isFresh?: boolean;
  readonly isSound?: ((bytes: Uint8Array) => boolean | Promise<boolean>) | undefined;
  readonly maxBytes?: number;
};

type KeptAnswer = WholeAnswer & { readonly tag: string };

/** The statuses of a host that may answer later. */
const busy: readonly number[] = [429, 502, 503, 504];

const redirects: readonly number[] = [301, 302, 303, 307, 308];
/** The most redirects that one request follows; mirrors follow as many. */
const mostRedirects = 5;

/** Sends requests, repeats them if the host is busy, and revalidates kept answers. */
export class Requests {
  readonly #options: Required<Omit<RequestsOptions, 'fetch' | 'cacheBytes'>>;
  readonly #fetch: Fetcher['fetch'];
  readonly #kept: ByteCache<KeptAnswer>;

  constructor({ fetch, cacheBytes = 8 * 1024 * 1024, ...rest }: RequestsOptions) {
    const waits = { attempts: 4, firstWaitMs: 250, longestWaitMs: 20_000, timeoutMs: 60_000 };
    this.#options = { ...waits, redirectsTo: [], ...given(rest) };
    // A browser refuses to call its fetch as a method of another object.
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#kept = new ByteCache(isBrowser ? 0 : cacheBytes);
  }

  /** Rejects with a {@link ProblemError}, a {@link ConnectionError}, or the signal's reason. */
  async get(
    url: string,
    { signal, isFresh = false, isSound, maxBytes = byteLimits.document }: GetOptions,
  ): Promise<WholeAnswer> {
    const kept = this.#kept.get(url);
    if (kept && isSound) return kept;
    const init = requestInit(isFresh, kept?.tag);
    const { answer, bytes } = await this.#send(url, signal, async (within) => {
      const answer = await this.#follow(url, { ...init, signal: within });
      return { answer, bytes: await this.#readBody(url, answer, maxBytes) };
    });
    const { status, headers } = answer;
    const heads = { revision: headers.get('X-Publication-Revision'), hasPolicy: headers.get('Cache-Control') !== null };
    if (status === 304 && kept) return { ...kept, revision: heads.revision ?? kept.revision };
    if (status !== 200) throw problemFrom(url, answer, bytes);
    const tag = headers.get('ETag');
    // A host or a proxy may have sent wrong bytes, which would then be kept for ever.
    const mayKeep = tag !== null && !isBrowser && (isSound === undefined || (await isSound(bytes)));
    if (mayKeep) this.#kept.set(url, { bytes, ...heads, tag }, bytes.length);
    return { bytes, ...heads };
  }

  /**
   * Resolves when the body begins. Read it with {@link pieces}, which limits the time for each piece, not for the whole
   * body.
   */
  async begin(url: string, { signal }: AskOptions): Promise<Chunks | null> {
    const { answer, bytes } = await this.#send(url, signal, async (within) => {
      const answer = await this.#follow(url, { ...requestInit(false), signal: within });
      return { answer, bytes: answer.status === 200 ? null : await this.#readBody(url, answer, byteLimits.document) };
    });
    if (bytes !== null) throw problemFrom(url, answer, bytes);
    return answer.body as Chunks | null;
  }

  /** The pieces of a body. Each of them may take as long as a whole answer. */
  pieces(body: Chunks, signal?: Signal): AsyncGenerator<Uint8Array> {
    return readPieces(body, (read) => withinTime(this.#options.timeoutMs, signal, read));
  }

  /** The whole body must arrive within the time for its answer. */
  async #readBody(url: string, { body }: FetchedAnswer, maxBytes: number): Promise<Uint8Array> {
    return body ? readWhole(url, readPieces(body as Chunks), maxBytes) : new Uint8Array();
  }

  /**
   * Follows redirects within the origin, from http to https of the same host name, and to the allowed hosts. A host
   * must not direct a program to a host that only the program can reach, so each target is checked before a request is
   * sent to it. Browsers do not show redirects to scripts. There, the answer's URL is checked before its body is read,
   * and the browser withholds what other origins do not share.
   */
  async #follow(url: string, init: object): Promise<FetchedAnswer> {
    let at = url;
    for (let hops = 0; ; hops += 1) {
      const answer = await this.#fetch(at, { ...init, redirect: isBrowser ? 'follow' : 'manual' });
      const location = redirects.includes(answer.status) ? answer.headers.get('Location') : null;
      const target = new URL(location ?? (answer.url || at), at);
      const isKnown = mayLead(new URL(url), target) || this.#options.redirectsTo.includes(target.host);
      const isAllowed = isKnown && (isBrowser || !hasCredentials(target.href));
      if (isAllowed && location === null) return answer;
      (answer.body as Chunks | null)?.cancel().catch(() => undefined);
      if (!isAllowed) {
        throw new ConnectionError(
          url,
          `expected a redirect within the origin, got ${withoutCredentials(target.href).slice(0, 200)}`,
        );
      }
      if (hops === mostRedirects)
        throw new ConnectionError(url, `expected at most ${mostRedirects} redirects, got more`);
      at = target.href;
    }
  }

  async #send<Sent extends { readonly answer: FetchedAnswer }>(
    url: string,
    signal: Signal | undefined,
    once: (within: AbortSignal) => Promise<Sent>,
  ): Promise<Sent> {
    const { attempts, firstWaitMs, longestWaitMs, timeoutMs } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      let wait = firstWaitMs * 2 ** (attempt - 1);
      try {
        const sent = await withinTime(timeoutMs, signal, once);
        const { status, headers } = sent.answer;
        if (isLast || !busy.includes(status)) return sent;
        wait = retryAfterMs(headers.get('Retry-After')) ?? wait;
        if (wait > longestWaitMs) return sent;
      } catch (cause) {
        signal?.throwIfAborted();
        if (cause instanceof ConnectionError) throw cause;
        if (isLast) throw new ConnectionError(url, `no answer: ${describeError(cause)}`, { cause });
      }
      await pause(Math.min(wait, longestWaitMs), signal);
    }
  }
}

function requestInit(isFresh: boolean, tag?: string): object {
  if (isBrowser) return isFresh ? { cache: 'no-cache' } : {};
  return { headers: { ...(isFresh && { 'Cache-Control': 'no-cache' }), ...(tag && { 'If-None-Match': tag }) } };
}

function mayLead(asked: URL, { origin, protocol, hostname }: URL): boolean {
  return (
    origin === asked.origin || (asked.protocol === 'http:' && protocol === 'https:' && hostname === asked.hostname)
  );
}

/** Retry-After in milliseconds, RFC 9110 10.2.3; null if there is none. */
function retryAfterMs(field: string | null): number | null {
  if (field === null) return null;
  const ms = /^\d+$/.test(field) ? Number(field) * 1000 : Date.parse(field) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function problemFrom(url: string, { status, headers }: FetchedAnswer, bytes: Uint8Array): ProblemError {
  const isProblem = headers.get('Content-Type')?.startsWith('application/problem+json');
  const problem = isProblem ? (parseObject(url, bytes) as Problem) : null;
  return new ProblemError(url, status, problem?.code ?? null, problem);
}

function describeError(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}
