const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/**
 * The most that a host may send, in bytes. A claim of a larger size is refused before the body is read, and a body that
 * is larger than claimed is cut off. Each limit is many times what a site of some ten thousand products needs.
 */
export const limits = {
  /** 13,000 retained publications. */
  pointer: 4 * mebibyte,
  /** 180 signatures. */
  signature: 64 * kibibyte,
  /** 131,072 shards, as many as a table may have. */
  tableRoot: 16 * mebibyte,
  /** 128 times what 256 routes take. */
  shard: 16 * mebibyte,
  /** All route tables that a pointer names: a million routes, which are kept in memory. */
  tables: 512 * mebibyte,
  /** One object. A bundle takes no larger one either. */
  object: 4 * gibibyte,
  /** Lists and their pages take some hundred kilobytes. */
  list: 16 * mebibyte,
  /** The cursors that a computing host may add to a list. */
  cursors: 64 * kibibyte,
  /** The body of an answer without success. The rest is not read. */
  problem: 64 * kibibyte,
  /** All objects of a mirror, without `--max-bytes`. */
  mirror: 256 * gibibyte,
} as const;

/** Data packed with gzip may unpack to this many times its size. Exports reach 30 times. */
export const unpackedTimes = 200;

/** Redirects for one question. */
export const redirects = 5;

/** The limits of a client's patience with a host, in milliseconds. */
export type Patience = Readonly<typeof usualPatience>;

/** At least 1,024 bytes a second: for 16 downloads at once, a line of 130 kbit/s. */
export const usualPatience = {
  /** Attempts for each request in all. */
  attempts: 6,
  /** Wait before the second attempt. Each further wait is twice as long. */
  firstWaitMs: 500,
  /** The longest wait between two attempts. When a host asks for a longer one, the request fails. */
  longestWaitMs: 60_000,
  /** All headers must arrive within this time. Later, a connection without a byte of a body for this time counts as dead. */
  idleMs: 30_000,
  /** A body must bring `leastBytesPerWindow` in each full window of this length. */
  windowMs: 30_000,
  leastBytesPerWindow: 30 * 1024,
};

/** How long to wait after so many failed attempts, in milliseconds: twice as long each time, and not all clients at once. */
export function backoffMs(firstWaitMs: number, failedAttempts: number): number {
  return firstWaitMs * 2 ** (failedAttempts - 1) * (0.75 + Math.random() / 2);
}
