import type { ObjectReference } from '../../generator/contract/site.ts';

/**
 * All the shim asks of a host's storage. Null means that nothing stands there; a failure to read is a rejection.
 * Bytes are not trusted: whoever reads compares them with the hash that named them.
 */
export interface ObjectReader {
  /** The pointer's bytes. A host that knows they are the same as before returns the same array. */
  readPointer(): Promise<Uint8Array | null>;
  readObject(reference: ObjectReference): Promise<Uint8Array | null>;
}
