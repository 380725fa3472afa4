import { type BigIntStats, close, open as openCallback, read as readCallback } from 'node:fs';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ObjectReference } from '../../generator/contract/formats/site.ts';
import { objectPath, pointerFile, signatureFile } from '../../generator/contract/paths.ts';
import type { ObjectReader } from '../host.ts';

// With a FileHandle, a small file takes three times as long.
const openFile = promisify(openCallback);
const readPart = promisify(readCallback);
const closeFile = promisify(close);

/** A built site on disk. */
export class SiteFolder implements ObjectReader {
  readonly #folder: string;
  #pointer: { readonly identity: string; readonly bytes: Uint8Array } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the pointer only when its file was replaced or changed since the last call. */
  async readPointer(): Promise<Uint8Array | null> {
    const path = join(this.#folder, pointerFile);
    const stats = await nullIfAbsent(stat(path, { bigint: true }));
    if (stats === null) return null;
    const identity = identityOf(stats);
    if (this.#pointer?.identity === identity) return this.#pointer.bytes;
    const bytes = await nullIfAbsent(readFile(path));
    // If the file was replaced between the two calls, the identity does not match these bytes, so the next call reads
    // again.
    if (bytes !== null) this.#pointer = { identity, bytes };
    return bytes;
  }

  async readSignature(): Promise<Uint8Array | null> {
    return nullIfAbsent(readFile(join(this.#folder, signatureFile)));
  }

  async sizeOf(sha256: string): Promise<number | null> {
    const found = await nullIfAbsent(stat(this.#pathOf(sha256)));
    return found?.size ?? null;
  }

  async readObject({ sha256, size }: ObjectReference): Promise<Uint8Array | null> {
    const path = this.#pathOf(sha256);
    const file = await nullIfAbsent(openFile(path, 'r'));
    if (file === null) return null;
    try {
      // One more byte than there should be shows that a file is longer.
      const bytes = Buffer.allocUnsafeSlow(size + 1);
      let filled = 0;
      for (let got = 1; filled < size && got > 0; filled += got) {
        got = (await readPart(file, bytes, filled, size + 1 - filled, filled)).bytesRead;
      }
      return bytes.subarray(0, filled);
    } finally {
      await closeFile(file);
    }
  }

  /** Opens an object for reading; the caller closes it. Null when it is missing. */
  async openObject(sha256: string): Promise<FileHandle | null> {
    return nullIfAbsent(open(this.#pathOf(sha256)));
  }

  #pathOf(sha256: string): string {
    return join(this.#folder, objectPath(sha256));
  }
}

/**
 * Distinguishes a file from another one at the same path, and from itself before somebody wrote to it. It includes the
 * time of change, which no program can set back.
 */
export function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

async function nullIfAbsent<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
