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

/** Levels of nested arrays and objects in JSON. Documents have a dozen. */
export const jsonLevels = 64;

/** Redirects for one question. */
export const redirects = 5;
