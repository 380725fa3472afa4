export const redirects = 5;

/** Limits of a client's patience with a host; times are in milliseconds. */
export type Patience = Readonly<typeof usualPatience>;

/** At least 1,024 bytes a second: for 16 downloads at once, a line of 130 kbit/s. */
export const usualPatience = {
  attempts: 6,
  /** The wait before the second attempt. Each further wait is twice as long. */
  firstWaitMs: 500,
  /** The longest wait between two attempts. If a host asks for a longer wait, the request fails. */
  longestWaitMs: 60_000,
  /** All headers must arrive within this time. Later, a connection is dead after this time without a byte. */
  idleMs: 30_000,
  /** At least `leastBytesPerWindow` of a body must arrive in each full window of this length. */
  windowMs: 30_000,
  leastBytesPerWindow: 30 * 1024,
};

/** The wait doubles with each failed attempt, and has a random part, so that clients do not retry together. */
export function backoffMs(firstWaitMs: number, failedAttempts: number): number {
  return firstWaitMs * 2 ** (failedAttempts - 1) * (0.75 + Math.random() / 2);
}
