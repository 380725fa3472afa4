/** Counts what costs more than a lookup, contract.md 6. Kept by the host, which knows how to share it. */
export interface RateLimiter {
  /** Counts one request of a client. Resolves with the seconds until it may ask again, or null when it may now. */
  take(client: string): Promise<number | null>;
  /** Counts so many more, as the request took more than a plain one. It was let through already. */
  charge(client: string, points: number): Promise<void>;
}
