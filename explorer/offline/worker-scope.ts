/*
 * What a service worker has, as far as this one uses it: the types of pages and of workers exclude each other.
 */

export interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  /** The page that asks; empty for a page itself. */
  readonly clientId: string;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerScope {
  /** What the site says of its page: the first line of `sw.js`. */
  readonly shelfpress: {
    readonly version: string;
    /** The files below `/explorer/`, and those without which the page does not start. */
    readonly files: readonly string[];
    readonly needed: readonly string[];
  };
  readonly location: Location;
  readonly navigator: { readonly connection?: { readonly saveData?: boolean } };
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    get(id: string): Promise<{ postMessage(message: unknown): void } | undefined>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
}

export const scope = globalThis as unknown as WorkerScope;
