import type { ReadDocuments } from '../../contract/schemas/read-documents.ts';

/** Turns the bytes of a document into what a computed answer needs of it. Throws if the bytes are something else. */
export type ReadDocument = <Name extends keyof ReadDocuments>(name: Name, bytes: Uint8Array) => ReadDocuments[Name];

/** Parses the bytes of a file to a value. `name` distinguishes readings of the same bytes: one name, one type. */
export type Reading<Value> = {
  readonly name: string;
  /** `read`: how the reader of this site reads documents. */
  of(bytes: Uint8Array, read: ReadDocument): Value | Promise<Value>;
  /** Bytes of memory that a value takes; by default twice the size of the object. */
  memorySize?(value: Value): number;
  /**
   * The most bytes of this reading's values that are kept, apart from the values of all other readings, so that a burst
   * of pages does not evict values that are expensive to make.
   */
  readonly keptApart?: number;
};

/** A reading of a document as it is. */
export function documentReading<Name extends keyof ReadDocuments>(
  name: string,
  document: Name,
): Reading<ReadDocuments[Name]> {
  return { name, of: (bytes, read) => read(document, bytes) };
}

/** The value of JSON in UTF-8. Throws an error that says what came. */
export function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Error(`expected JSON, got ${bytes.length} bytes of something else`, { cause });
  }
}
