/**
 * Limits requests that cost more than a lookup, contract.md 6. The host implements it, as only the host knows how to
 * share the counts.
 */
export interface RateLimiter {
  /** Counts one request of a client. Resolves with the seconds until it may ask again, or null when it may now. */
  take(client: string): Promise<number | null>;
  /** Counts further points for a request that was let through and took more work than a plain one. */
  charge(client: string, points: number): Promise<void>;
}
