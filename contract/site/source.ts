import type { ObjectReference } from '../schemas/site-files.ts';

/**
 * A place to read a site from: a folder, a host over HTTP, a bucket, or the host that a browser reaches.
 *
 * Null means that there is no such file. When a file cannot be read, the promise rejects. It may also reject for a
 * missing file, if the source can say more. The bytes may be wrong: whoever uses an object compares it with its hash,
 * with {@link readSoundObject}. A source that can request an object again compares it too.
 */
export interface SiteSource {
  /** A source that knows the bytes are the same as before returns the same array. */
  readPointer(): Promise<Uint8Array | null>;
  /** Null if the site is not signed. */
  readSignature(): Promise<Uint8Array | null>;
  readObject(reference: ObjectReference): Promise<Uint8Array | null>;
}

/**
 * The SHA-256 of bytes, in hex. A host with a faster way than the Web's passes it in. A small input may be hashed at
 * once; a large one must not hold up other requests.
 */
export type Hash = (bytes: Uint8Array) => string | Promise<string>;

/** A file that a publication names is missing, does not match its hash, or does not match its schema. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
  /** The object that failed; null if it is the pointer, or no single object. */
  readonly reference: ObjectReference | null;

  constructor(message: string, reference: ObjectReference | null, options?: ErrorOptions) {
    super(message, options);
    this.reference = reference;
  }
}

/**
 * The bytes of an object, with the size and the hash that its reference has. `name` is for the message. Rejects with an
 * {@link UnreadableError} if the object is missing or has other bytes.
 */
export async function readSoundObject(
  source: Pick<SiteSource, 'readObject'>,
  name: string,
  reference: ObjectReference,
  hash: Hash,
): Promise<Uint8Array> {
  const { sha256, size } = reference;
  const refuse = (what: string) => new UnreadableError(`${name} ${sha256}: ${what}`, reference);
  const bytes = await source.readObject(reference);
  if (bytes === null) throw refuse('the object is missing');
  if (bytes.length !== size) throw refuse(`expected ${size} bytes, got ${bytes.length}`);
  const actual = await hash(bytes);
  if (actual !== sha256) throw refuse(`got bytes with SHA-256 ${actual}`);
  return bytes;
}

/** The hash for a runtime that has only the Web's cryptography. */
export const webHash: Hash = async (bytes) => {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
