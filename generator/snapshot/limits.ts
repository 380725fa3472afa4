const mebibyte = 1024 * 1024;

/** Many times what any agency needs, yet they bound time and memory. docs/snapshot-format.md lists them. */
export const limits = {
  /** The most bytes of a file, decompressed. */
  headerBytes: mebibyte,
  documentBytes: 64 * mebibyte,
  /** A part that is read line by line, in several files or one. Its size costs time, not memory. */
  linesBytes: 64 * 1024 * mebibyte,
  /** The most lines of a part, blank ones included. That is as many as there are SKUs of six digits. */
  lines: 1_000_000,
  storeLines: 200_000,
  lineBytes: 16 * mebibyte,
  /** Levels of nested arrays and objects, and values in a line and in a document. */
  depth: 100,
  lineValues: 1_000_000,
  documentValues: 10_000_000,
  /** UTF-16 units of a text. */
  name: 1_000,
  text: 10_000,
  url: 2_000,
  identifier: 200,
  instant: 64,
  /** Entries of an array in a line or in the header, or of a brand's aliases. */
  inventoryRows: 100_000,
  shortList: 100,
  storeCodes: 100_000,
  categories: 10_000,
  brands: 100_000,
  families: 100_000,
  products: 1_000_000,
  formerSkus: 1_000_000,
  /** A file with more faulty rows is not read further. This is 1 % of the lines that a file may have. */
  faultyRows: 10_000,
  /** A file with more faults is not read further. At most 100 faults of a row are counted. */
  faults: 100_000,
  /** Characters kept of a row that is set aside, and of all such rows together. */
  setAsideText: 64 * 1024,
  setAsideTotal: 64 * mebibyte,
} as const;

/** The decompressed size that a file may have, by its name without `.gz`. */
export function mostBytes(file: string): number {
  if (file.endsWith('.ndjson')) return limits.linesBytes;
  return file === 'snapshot.json' ? limits.headerBytes : limits.documentBytes;
}

export function bytesText(bytes: number): string {
  return bytes % (1024 * mebibyte) === 0 ? `${bytes / 1024 / mebibyte} GiB` : `${bytes / mebibyte} MiB`;
}
