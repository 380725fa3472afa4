const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/**
 * What a host may send, in bytes. What says that it is longer is refused before a byte of it is read, and what turns out to
 * be longer than it said is cut off there. Each is many times what a site of some ten thousand products takes.
 */
export const limits = {
  /** 13,000 retained publications. */
  pointer: 4 * mebibyte,
  /** 180 signatures. */
  signature: 64 * kibibyte,
  /** 160,000 shards. */
  tableRoot: 16 * mebibyte,
  /** 128 times what 256 routes take. */
  shard: 16 * mebibyte,
  /** All route tables that a pointer names: a million routes, which are held in memory. */
  tables: 512 * mebibyte,
  /** One object; a bundle takes none that is larger. */
  object: 4 * gibibyte,
  /** Lists and their pages take some hundred kilobytes. */
  list: 16 * mebibyte,
  /** What a host that computes may put into a list of its own: cursors. */
  cursors: 64 * kibibyte,
  /** An answer that is no success is not read beyond this. */
  problem: 64 * kibibyte,
  /** All objects of a mirror, without `--max-bytes`. */
  mirror: 256 * gibibyte,
} as const;

/** So many times its size may something packed with gzip be unpacked. Exports come to 30. */
export const unpackedTimes = 200;

/** Redirects for one question. */
export const redirects = 5;

/** How long a client puts up with a host. Milliseconds. */
export type Patience = {
  /** So often something is asked for in all. */
  readonly attempts: number;
  /** Before the second attempt; twice as long before each further one. */
  readonly firstWaitMs: number;
  /** The longest wait between two attempts; a host that asks for more ends the run. */
  readonly longestWaitMs: number;
  /** Within so long all headers have to come; then without a byte of a body for so long a connection counts as dead. */
  readonly idleMs: number;
  /** A body has to bring so many bytes in each window of time that it takes whole. */
  readonly windowMs: number;
  readonly leastBytesPerWindow: number;
};

/** 1,024 bytes a second: of 16 downloads at once that is a line of 130 kbit/s. */
export const usualPatience: Patience = {
  attempts: 6,
  firstWaitMs: 500,
  longestWaitMs: 60_000,
  idleMs: 30_000,
  windowMs: 30_000,
  leastBytesPerWindow: 30 * 1024,
};

/** How long to wait after so many failed attempts, in milliseconds: twice as long each time, and not all clients at once. */
export function backoffMs(firstWaitMs: number, failedAttempts: number): number {
  return firstWaitMs * 2 ** (failedAttempts - 1) * (0.75 + Math.random() / 2);
}
