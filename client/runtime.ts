/*
 * What the client uses of its runtime, as structural types: programs without the types of a browser can use it too.
 */

/** What an `AbortSignal` has. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What a `Response` has. */
export interface FetchedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Where the answer came from, after redirects. */
  readonly url?: string;
  /** A `ReadableStream` of bytes, or null. */
  readonly body: unknown;
}

/** Something with a function like the runtime's own `fetch`. */
export interface Fetcher {
  fetch(url: string, init: object): Promise<FetchedAnswer>;
}

/** Options of every question. */
export type AskOptions = { readonly signal?: Signal | undefined };

/** The address of the page or worker in a browser; undefined elsewhere. */
export const pageUrl = (globalThis as { readonly location?: { readonly href: string } }).location?.href;

/**
 * Whether the runtime is a browser. It has an HTTP cache of its own, which makes conditional requests by itself. A
 * header field of ours would cost a preflight at a site of another origin.
 */
export const isBrowser = pageUrl !== undefined;

const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } };

/** Whether one question may wait for what another one reads. Cloudflare's runtime ends a request that waits for another. */
export const mayShareWork = navigator?.userAgent !== 'Cloudflare-Workers';

/** Resolves after some milliseconds. Rejects with the signal's reason as soon as it is aborted. */
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
 * The result of what may take so long. Aborts the signal that it hands on after that time, and when the caller's is aborted;
 * then it rejects, whether or not that ends the work.
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

/** The value of work that others may wait for too. Rejects with the signal's reason as soon as it is aborted. */
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
