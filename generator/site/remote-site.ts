import { setTimeout as wait } from 'node:timers/promises';
import { objectPath, pointerFile, signatureFile } from '../../contract/paths.ts';
import type { ObjectReference, Pointer } from '../../contract/schemas/site-files.ts';
import { byteLimits } from '../../contract/site/byte-limits.ts';
import type { SignatureFault, Signed } from '../../contract/site/signature.ts';
import type { SiteSource } from '../../contract/site/source.ts';
import { Failure } from '../files/failure.ts';
import type { Receive } from '../http/body.ts';
import type { HttpClient, Reply } from '../http/http-client.ts';
import { collectBytes, hashed } from '../http/receivers.ts';
import type { SigningKey } from '../trust/keys.ts';
import { readSignature } from '../trust/signature-file.ts';
import { soundPointer } from './checked-pointer.ts';

/**
 * Pointer and signature are two answers, which caches may keep for different times. If they do not match, they are
 * requested again, up to this many times in all.
 */
const looks = 4;
const lookAgainMs = 1500;

/** A pointer that is consistent in itself. */
export type RemotePointer = {
  readonly pointer: Pointer;
  readonly bytes: Buffer;
  readonly etag: string | null;
  readonly signature: Buffer | null;
  /** Null if the pointer is not signed. */
  readonly signed: Signed | null;
};

/** The host does not have an object: it no longer keeps the publication, or never had the object. */
export class GoneError extends Failure {
  override readonly name = 'GoneError';
}

/** Compares objects with their hash before the caller gets them, and requests a damaged one again. */
export class RemoteSite implements SiteSource {
  readonly root: string;
  readonly #client: HttpClient;
  readonly #key: SigningKey | null;

  constructor(root: string, client: HttpClient, key: SigningKey | null) {
    this.root = root;
    this.#client = client;
    this.#key = key;
  }

  async current(): Promise<RemotePointer> {
    const found = await this.pointer(null);
    if (found === null) throw new Error('an unconditional request for the pointer was answered as unchanged');
    return found;
  }

  /** `known`: a pointer that the caller has; the result is null if it is still current. */
  async pointer(known: { readonly etag: string | null; readonly bytes: Buffer } | null): Promise<RemotePointer | null> {
    for (let look = 1; ; look += 1) {
      const etag = known?.etag ?? null;
      const headers = etag === null ? {} : { 'If-None-Match': etag };
      const reply = await this.#get(pointerFile, headers, byteLimits.pointer);
      if (known && (reply.status === 304 || reply.body?.equals(known.bytes))) return null;
      const bytes = this.#expectOk(pointerFile, reply);
      const signature = await this.readSignature();
      const signed = readSignature(bytes, signature, this.#key);
      if (!isFault(signed)) {
        const pointer = soundPointer(bytes, `${this.root}/`);
        return { pointer, bytes, etag: reply.headers.get('etag'), signature, signed };
      }
      if (signed.reason !== 'other_pointer' || look === looks) throw this.#refusal(signed);
      await wait(lookAgainMs);
    }
  }

  /** The signature of a pointer that is still current. Throws a Failure if it and the signature file do not match. */
  async signatureFor(bytes: Uint8Array): Promise<Pick<RemotePointer, 'signature' | 'signed'>> {
    const signature = await this.readSignature();
    const signed = readSignature(bytes, signature, this.#key);
    if (isFault(signed)) throw this.#refusal(signed);
    return { signature, signed };
  }

  async readPointer(): Promise<Buffer | null> {
    const reply = await this.#get(pointerFile, {}, byteLimits.pointer);
    return isAbsence(reply) ? null : this.#expectOk(pointerFile, reply);
  }

  async readSignature(): Promise<Buffer | null> {
    const reply = await this.#get(signatureFile, {}, byteLimits.signature);
    return isAbsence(reply) ? null : this.#expectOk(signatureFile, reply);
  }

  /** Reads an object. Throws a {@link GoneError} if the host does not have it. */
  readObject(reference: ObjectReference): Promise<Buffer> {
    return this.receive(reference, collectBytes);
  }

  /**
   * Receives an object piece by piece. The pieces end without an error only if they match its hash. Throws a {@link
   * GoneError} if the host does not have it.
   */
  async receive<Made>(reference: ObjectReference, receive: Receive<Made>): Promise<Made> {
    this.requireClaim(reference);
    const path = objectPath(reference.sha256);
    const url = `${this.root}/${path}`;
    const { size } = reference;
    const reply = await this.#client.get(url, { maxBytes: size }, (pieces) => receive(hashed(pieces, reference)));
    if (isAbsence(reply))
      throw new GoneError(
        'host_answer',
        `${url}: expected ${size} bytes, got ${reply.status === 403 ? 'status 403' : 'none'}`,
      );
    return this.#expectOk(path, reply);
  }

  /** Throws a Failure if the claimed size exceeds the limit for any object. */
  requireClaim({ sha256, size }: ObjectReference): void {
    if (size <= byteLimits.object) return;
    throw new Failure(
      'host_answer',
      `${this.root}/${objectPath(sha256)}: expected at most ${byteLimits.object} bytes, got a claim of ${size}`,
    );
  }

  #refusal({ expected, got }: SignatureFault): Failure {
    return new Failure('signature', `${this.root}/${signatureFile}: expected ${expected}, got ${got}`);
  }

  #get(name: string, headers: Readonly<Record<string, string>>, maxBytes: number): Promise<Reply> {
    return this.#client.get(`${this.root}/${name}`, { headers, maxBytes });
  }

  #expectOk<Body>(name: string, { status, body }: Reply<Body>): Body {
    if (body !== null) return body;
    throw new Failure('host_answer', `${this.root}/${name}: expected a file of a site, got status ${status}`);
  }
}

function isFault(found: Signed | SignatureFault | null): found is SignatureFault {
  return found !== null && 'reason' in found;
}

/** Amazon S3 sends 403 for a missing key to readers without the right to list the bucket, which is usual. */
function isAbsence({ status }: Pick<Reply, 'status'>): boolean {
  return status === 404 || status === 410 || status === 403;
}
