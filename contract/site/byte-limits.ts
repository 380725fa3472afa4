const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const gibibyte = 1024 * mebibyte;

/**
 * The most bytes that a host may send. They bound the memory and disk that a hostile host can use up. A claim of a
 * larger size is refused before the body is read, and a body that is larger than claimed is cut off. Each limit is many
 * times what a site of some ten thousand products needs.
 */
export const byteLimits = {
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
  /** One object, also in a bundle. */
  object: 4 * gibibyte,
  /** A document that a program asks for. JSON takes many times its size in memory. */
  document: 32 * mebibyte,
  /** An export that is read whole for its hash. */
  wholeFile: 512 * mebibyte,
  /** A record of an export. */
  line: 4 * mebibyte,
  /** Lists and their pages take some hundred kilobytes. */
  list: 16 * mebibyte,
  /** The cursors that a computing host may add to a list. */
  cursors: 64 * kibibyte,
  /** The body of an unsuccessful answer. The rest is not read. */
  problem: 64 * kibibyte,
  /** All objects of a mirror, without `--max-bytes`. */
  mirror: 256 * gibibyte,
} as const;
