import type { Problem } from '../generator/contract/problem.ts';
import { ByteCache } from '../shim/site/byte-cache.ts';
import { ConnectionError, ProblemError, UnexpectedContentError } from './errors.ts';
import { type AskOptions, type FetchedAnswer, type Fetcher, isBrowser, pause, type Signal } from './runtime.ts';

export type RequestsOptions = {
  /** Default: the runtime's own. */
  readonly fetch?: Fetcher['fetch'];
  /** How often a request is sent at most, while the host is busy or cannot be reached. Default: 4. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, if the host names no time. It doubles with every attempt. Default: 250. */
  readonly firstWaitMs?: number;
  /** A host that asks for a longer wait is not asked again. Default: 20,000. */
  readonly longestWaitMs?: number;
  /** Milliseconds for one answer. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Bytes of answers that are kept to ask for them with a condition. Browsers do this by themselves. Default: 8 MiB. */
  readonly cacheBytes?: number;
};

/** `revision`: the publication that the answer says it is of. `hasPolicy`: whether the host says how long it is fresh. */
export type WholeAnswer = {
  readonly bytes: Uint8Array;
  readonly revision: string | null;
  readonly hasPolicy: boolean;
};

/**
 * `isFresh`: no cache on the way may answer without asking the host. `isSound`: given for an address that never gets other bytes,
 * so that any copy of them will do; whether these are them.
 */
export type GetOptions = AskOptions & {
  readonly isFresh?: boolean;
  readonly isSound?: ((bytes: Uint8Array) => boolean | Promise<boolean>) | undefined;
};

type KeptAnswer = WholeAnswer & { readonly tag: string };

/** Statuses of hosts that may answer later. */
const busy: readonly number[] = [429, 502, 503, 504];

/** Sends requests, again where a host is busy, and keeps answers to ask whether they still hold. */
export class Requests {
  readonly #options: Required<Omit<RequestsOptions, 'fetch' | 'cacheBytes'>>;
  readonly #fetch: Fetcher['fetch'];
  readonly #kept: ByteCache<KeptAnswer>;

  constructor({ fetch, cacheBytes = 8 * 1024 * 1024, ...rest }: RequestsOptions) {
    this.#options = { attempts: 4, firstWaitMs: 250, longestWaitMs: 20_000, timeoutMs: 60_000, ...given(rest) };
    // A browser refuses its own fetch as a method of another object.
    this.#fetch = fetch ?? ((url, init) => globalThis.fetch(url, init));
    this.#kept = new ByteCache(isBrowser ? 0 : cacheBytes);
  }

  /** A whole answer. Rejects with a {@link ProblemError}, a {@link ConnectionError}, or the signal's reason. */
  async get(url: string, { signal, isFresh = false, isSound }: GetOptions): Promise<WholeAnswer> {
    const kept = this.#kept.get(url);
    if (kept && isSound) return kept;
    const init = requestInit(isFresh, kept?.tag);
    const { answer, bytes } = await this.#send(url, signal, async (within) => {
      const answer = await this.#fetch(url, { ...init, signal: within });
      return { answer, bytes: await bytesOf(answer) };
    });
    const { status, headers } = answer;
    const heads = { revision: headers.get('X-Publication-Revision'), hasPolicy: headers.get('Cache-Control') !== null };
    if (status === 304 && kept) return { ...kept, revision: heads.revision ?? kept.revision };
    if (status !== 200) throw problemOf(url, answer, bytes);
    const tag = headers.get('ETag');
    // A host or a proxy may have answered with something else, which would stay for ever.
    const mayKeep = tag !== null && !isBrowser && (isSound === undefined || (await isSound(bytes)));
    if (mayKeep) this.#kept.set(url, { bytes, ...heads, tag }, bytes.length);
    return { bytes, ...heads };
  }

  /** The answer as soon as it begins; its body is not read. It may take as long as it takes. */
  async begin(url: string, { signal }: AskOptions): Promise<FetchedAnswer> {
    const { answer, bytes } = await this.#send(url, signal, async () => {
      const answer = await this.#fetch(url, { ...requestInit(false), ...(signal && { signal }) });
      return { answer, bytes: answer.status === 200 ? new Uint8Array() : await bytesOf(answer) };
    });
    if (answer.status !== 200) throw problemOf(url, answer, bytes);
    return answer;
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
        wait = waitOf(headers.get('Retry-After')) ?? wait;
        if (wait > longestWaitMs) return sent;
      } catch (cause) {
        signal?.throwIfAborted();
        if (isLast) throw new ConnectionError(url, `no answer: ${messageOf(cause)}`, { cause });
      }
      await pause(Math.min(wait, longestWaitMs), signal);
    }
  }
}

function requestInit(isFresh: boolean, tag?: string): object {
  if (isBrowser) return isFresh ? { cache: 'no-cache' } : {};
  return { headers: { ...(isFresh && { 'Cache-Control': 'no-cache' }), ...(tag && { 'If-None-Match': tag }) } };
}

async function withinTime<Result>(
  ms: number,
  signal: Signal | undefined,
  once: (within: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => controller.abort(new Error(`expected one within ${ms} ms`)), ms);
  signal?.addEventListener('abort', stop);
  try {
    return await once(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** Milliseconds of a Retry-After, RFC 9110 10.2.3; null for none. */
function waitOf(field: string | null): number | null {
  if (field === null) return null;
  const ms = /^\d+$/.test(field) ? Number(field) * 1000 : Date.parse(field) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

async function bytesOf(answer: FetchedAnswer): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

function problemOf(url: string, { status, headers }: FetchedAnswer, bytes: Uint8Array): ProblemError {
  const isProblem = headers.get('Content-Type')?.startsWith('application/problem+json');
  const problem = isProblem ? (parseJson(url, bytes) as Problem) : null;
  return new ProblemError(url, status, problem?.code ?? null, problem);
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

/** The options without those that are undefined. */
function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Whether bytes are JSON. */
export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Throws an {@link UnexpectedContentError} for bytes that are no JSON. */
export function parseJson(url: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new UnexpectedContentError(url, `expected JSON, got ${bytes.length} bytes that are none`, { cause });
  }
}
