import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import type { ByteRange } from '../http/conditional.ts';

/** An object, and the entity tag of its bytes with the quotes: their MD5, contract.md 5; null where only its hash is known. */
export type TaggedObject = ObjectReference & { readonly etag: string | null };

/** An object as storage has it, `size` and `etag` those of the whole, with the bytes that were asked for. */
export type StoredObject = { readonly size: number; readonly etag: string; readonly body: ReadableStream<Uint8Array> };

/**
 * All the shim asks of a host's storage. Null means that nothing stands there; a failure to read is a rejection.
 * Bytes are not trusted: whoever reads compares them with the hash that named them.
 */
export interface ObjectReader {
  /** The pointer's bytes. A host that knows they are the same as before returns the same array. */
  readPointer(): Promise<Uint8Array | null>;
  /** The signature file's bytes; null where the site is not signed. */
  readSignature(): Promise<Uint8Array | null>;
  /** Bytes of the object with that hash, in number; null when there is none. */
  sizeOf(sha256: string): Promise<number | null>;
  readObject(reference: ObjectReference): Promise<Uint8Array | null>;
  /**
   * An object, or a part of it, that is not read into memory first. For storage that knows the MD5 of what it holds:
   * nobody can compare bytes with a hash before the first of them is sent.
   */
  streamObject?(reference: ObjectReference, range: ByteRange | null): Promise<StoredObject | null>;
}
