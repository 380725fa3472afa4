/** Redirects for one question. */
export const redirects = 5;

/** The limits of a client's patience with a host, in milliseconds. */
export type Patience = Readonly<typeof usualPatience>;

/** At least 1,024 bytes a second: for 16 downloads at once, a line of 130 kbit/s. */
export const usualPatience = {
  /** Attempts in all for each request. */
  attempts: 6,
  /** Wait before the second attempt. Each further wait is twice as long. */
  firstWaitMs: 500,
  /** The longest wait between two attempts. When a host asks for a longer one, the request fails. */
  longestWaitMs: 60_000,
  /**
   * All headers must arrive within this time. Later, a connection without a byte of a body for this time counts as
   * dead.
   */
  idleMs: 30_000,
  /** At least `leastBytesPerWindow` of a body must arrive in each full window of this length. */
  windowMs: 30_000,
  leastBytesPerWindow: 30 * 1024,
};

/**
 * Milliseconds to wait after a number of failed attempts. They double each time, and differ between clients by chance.
 */
export function backoffMs(firstWaitMs: number, failedAttempts: number): number {
  return firstWaitMs * 2 ** (failedAttempts - 1) * (0.75 + Math.random() / 2);
}
