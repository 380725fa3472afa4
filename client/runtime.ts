/* Structural types for the parts of the runtime that the client uses, so that programs need no types of a browser. */

export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface FetchedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** The URL that answered, after redirects. */
  readonly url?: string;
  /** A `ReadableStream` of bytes, or null. */
  readonly body: unknown;
}

export interface Fetcher {
  fetch(url: string, init: object): Promise<FetchedAnswer>;
}

/**
 * The options of every question. Aborting `signal` ends the question.
 *
 * @example
 * ```ts
 * const controller = new AbortController();
 * const brands = await site.brands({ q: 'wren' }, { signal: controller.signal }).take(10);
 * ```
 */
export type AskOptions = { readonly signal?: Signal | undefined };

/** The address of the page or worker in a browser; undefined elsewhere. */
export const pageUrl = (globalThis as { readonly location?: { readonly href: string } }).location?.href;

/**
 * A browser has its own HTTP cache, which makes conditional requests by itself. With a header field of ours, a request
 * to another origin would need a preflight.
 */
export const isBrowser = pageUrl !== undefined;

const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };

/**
 * Whether requests may wait for each other's work. Cloudflare's runtime ends a request that waits for what another one
 * reads.
 */
export const mayShareWork = navigator?.userAgent !== 'Cloudflare-Workers';

/** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal is aborted. */
export async function pause(ms: number, signal: Signal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await orAborted(waiting, signal);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Limits work to `ms`. After that time, or when the caller's signal is aborted, aborts the signal that the work got and
 * rejects, whether or not the work stops.
 */
export async function withinTime<Result>(
  ms: number,
  signal: Signal | undefined,
  once: (within: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing within ${ms} ms`)), ms);
  });
  try {
    return await orAborted(Promise.race([late, once(controller.signal)]), signal);
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The result of work that others may wait for too. Rejects with the signal's reason as soon as the signal is aborted;
 * the work continues for the others.
 */
export async function orAborted<Value>(work: Promise<Value>, signal: Signal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
