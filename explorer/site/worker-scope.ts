/*
 * The parts of a service worker's scope that this one uses. TypeScript cannot load the types of documents and of
 * workers together.
 */

export interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

export interface RequestEvent extends WorkerEvent {
  readonly request: Request;
  /** The client that sent the request; empty for navigation. */
  readonly clientId: string;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerScope {
  /** What the site says about its explorer: the first line of `sw.js`. */
  readonly shelfpress: {
    readonly version: string;
    /** The files below `/explorer/`, and those that the explorer cannot start without. */
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
