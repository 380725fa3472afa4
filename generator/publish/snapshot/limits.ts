const mebibyte = 1024 * 1024;

/**
 * How much a snapshot may hold: many times what any agency has, and so little that no snapshot takes all memory or
 * hours. docs/snapshot-format.md says the same to those who write snapshots.
 */
export const limits = {
  /** Bytes of a file, decompressed. */
  headerBytes: mebibyte,
  documentBytes: 64 * mebibyte,
  linesBytes: 1024 * mebibyte,
  /** Lines of a file, blank ones included. As many as there are codes of six digits; stores have four. */
  lines: 1_000_000,
  storeLines: 20_000,
  lineBytes: 16 * mebibyte,
  /** Arrays and objects in each other, and values in all: of a line, and of a document. */
  depth: 100,
  lineValues: 1_000_000,
  documentValues: 10_000_000,
  /** Characters, as UTF-16 counts them. */
  name: 1_000,
  text: 10_000,
  identifier: 200,
  instant: 64,
  /** Entries of an array in a line, in the header, or of a brand's aliases. */
  inventoryRows: 10_000,
  shortList: 100,
  /** Entries of a document. */
  storeCodes: 10_000,
  categories: 10_000,
  brands: 100_000,
  families: 100_000,
  products: 1_000_000,
  formerSkus: 1_000_000,
  /** Faulty rows of a file after which it is not read any further: 1 % of the most lines that it may have. */
  faultyRows: 10_000,
  /** Problems of a snapshot after which it is not read any further, and of one row that are counted. */
  problems: 100_000,
  problemsOfRow: 100,
  /** What is kept of a row that is set aside, and of all of them together. */
  setAsideText: 64 * 1024,
  setAsideTotal: 64 * mebibyte,
  /** Lines of a snapshot that are held in memory once they are checked; of what is larger, parts are read again. */
  heldCharacters: 32 * mebibyte,
} as const;

/** How large a file may be, decompressed, by its name without `.gz`. */
export function mostBytes(file: string): number {
  if (file.endsWith('.ndjson')) return limits.linesBytes;
  return file === 'snapshot.json' ? limits.headerBytes : limits.documentBytes;
}

/** A number of bytes as people say it: `64 MiB`. */
export function bytesText(bytes: number): string {
  return bytes % (1024 * mebibyte) === 0 ? `${bytes / 1024 / mebibyte} GiB` : `${bytes / mebibyte} MiB`;
}

/** A count as people read it: `1,000,000`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}
