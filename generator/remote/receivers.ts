import { createHash } from 'node:crypto';
import { closeSync, lstatSync, openSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { ObjectReference } from '../contract/formats/site.ts';
import { MemoryReceiver, type Receiver } from './body.ts';

/** Compares a body with the hash and the size of an object, and passes it on. */
export class HashedReceiver implements Receiver {
  readonly #reference: ObjectReference;
  readonly #target: Receiver;
  readonly #hash = createHash('sha256');
  #size = 0;

  constructor(reference: ObjectReference, target: Receiver) {
    this.#reference = reference;
    this.#target = target;
  }

  write(piece: Uint8Array): boolean | Promise<boolean> {
    this.#hash.update(piece);
    this.#size += piece.length;
    return this.#target.write(piece);
  }

  end(): string | null | Promise<string | null> {
    const { sha256, size } = this.#reference;
    if (this.#size !== size) return `expected ${size} bytes, got ${this.#size}`;
    const got = this.#hash.digest('hex');
    return got === sha256 ? this.#target.end() : `expected bytes with that SHA-256, got ${got}`;
  }

  abandon(): void {
    this.#target.abandon();
  }
}

/** Writes a body to a file. The file's name ends in `.tmp` until the body is whole. */
export class FileReceiver implements Receiver {
  readonly #file: string;
  readonly #temporary: string;
  #descriptor: number | null;

  constructor(file: string) {
    this.#file = file;
    this.#temporary = `${file}.tmp`;
    if (lstatSync(this.#temporary, { throwIfNoEntry: false })) unlinkSync(this.#temporary);
    this.#descriptor = openSync(this.#temporary, 'wx');
  }

  write(piece: Uint8Array): true {
    const descriptor = this.#descriptor;
    if (descriptor === null) throw new Error(`${this.#temporary} is closed`);
    writeFileSync(descriptor, piece);
    return true;
  }

  end(): null {
    this.#close();
    renameSync(this.#temporary, this.#file);
    return null;
  }

  abandon(): void {
    this.#close();
    rmSync(this.#temporary, { force: true });
  }

  #close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** Hashes a body, and keeps its bytes if `isKept`. Stops reading a body that is longer than `maxBytes`. */
export class DigestReceiver implements Receiver {
  readonly maxBytes: number;
  readonly #kept: MemoryReceiver | null;
  readonly #hash = createHash('sha256');
  #size = 0;
  #sha256: string | null = null;

  constructor(maxBytes: number, isKept: boolean) {
    this.maxBytes = maxBytes;
    this.#kept = isKept ? new MemoryReceiver() : null;
  }

  write(piece: Uint8Array): boolean {
    this.#size += piece.length;
    if (this.isTooLong) return false;
    this.#hash.update(piece);
    this.#kept?.write(piece);
    return true;
  }

  end(): null {
    return null;
  }

  abandon(): void {
    this.#kept?.abandon();
  }

  get isTooLong(): boolean {
    return this.#size > this.maxBytes;
  }

  get size(): number {
    return this.#size;
  }

  get sha256(): string {
    this.#sha256 ??= this.#hash.digest('hex');
    return this.#sha256;
  }

  get bytes(): Uint8Array {
    return this.#kept?.bytes ?? new Uint8Array();
  }
}

/** Unpacks a body with gzip. Invalid data ends the unpacked bytes at that place, without an error. */
export class UnpackingReceiver implements Receiver {
  readonly #gunzip = createGunzip();
  readonly #target: Receiver;
  readonly #unpacked: Promise<void>;

  constructor(target: Receiver) {
    this.#target = target;
    this.#unpacked = this.#passOn();
  }

  /** True even when the target has enough, because the packed body must be read to its end for its hash. */
  async write(piece: Uint8Array): Promise<true> {
    if (this.#gunzip.destroyed || this.#gunzip.write(piece)) return true;
    const drained = new Promise<void>((resolve) => this.#gunzip.once('drain', resolve));
    await Promise.race([drained, this.#unpacked]);
    return true;
  }

  async end(): Promise<string | null> {
    this.#gunzip.end();
    await this.#unpacked;
    return this.#target.end();
  }

  abandon(): void {
    this.#gunzip.destroy();
    this.#target.abandon();
  }

  async #passOn(): Promise<void> {
    try {
      for await (const piece of this.#gunzip) if (!(await this.#target.write(piece))) return;
    } catch (error) {
      if (!isOfZlib(error)) throw error;
    }
  }
}

/** Whether zlib refused the data, or the stream was given up before its end. */
function isOfZlib(error: unknown): boolean {
  const { code = '' } = error as { code?: string };
  return code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE';
}
