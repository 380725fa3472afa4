import { type BigIntStats, close, open, read, readFile } from 'node:fs';
import { type FileHandle, open as openHandle, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { objectPath, pointerFile, signatureFile } from '../../contract/paths.ts';
import type { ObjectReference } from '../../contract/schemas/site-files.ts';
import { UnreadableError } from '../../contract/site/source.ts';
import type { ServedSource } from '../host.ts';

// Reading a small file through a FileHandle takes three times as long.
const readWhole = promisify(readFile);
const [openFile, readBytes, closeFile] = [promisify(open), promisify(read), promisify(close)];

/** One byte less than the most that Node reads at once. A pointer, which no hash covers, can claim a larger size. */
const mostBytes = 2 ** 31 - 2;

/** A built site on disk. */
export class SiteFolder implements ServedSource {
  readonly #folder: string;
  #pointer: { readonly identity: string; readonly bytes: Uint8Array } | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the pointer only if its file was replaced or changed since the last call. */
  async readPointer(): Promise<Uint8Array | null> {
    const path = join(this.#folder, pointerFile);
    const stats = await nullIfAbsent(stat(path, { bigint: true }));
    if (stats === null) return null;
    const identity = fileIdentity(stats);
    if (this.#pointer?.identity === identity) return this.#pointer.bytes;
    const bytes = await nullIfAbsent(readWhole(path));
    // If the file was replaced in between, the identity does not match, and the next call reads again.
    if (bytes !== null) this.#pointer = { identity, bytes };
    return bytes;
  }

  async readSignature(): Promise<Uint8Array | null> {
    return nullIfAbsent(readWhole(join(this.#folder, signatureFile)));
  }

  async objectSize(sha256: string): Promise<number | null> {
    return (await nullIfAbsent(stat(this.#objectFile(sha256))))?.size ?? null;
  }

  async readObject(reference: ObjectReference): Promise<Uint8Array | null> {
    const { sha256, size } = reference;
    if (size > mostBytes)
      throw new UnreadableError(`object ${sha256}: expected at most ${mostBytes} bytes, got ${size}`, reference);
    const file = await nullIfAbsent(openFile(this.#objectFile(sha256), 'r'));
    if (file === null) return null;
    try {
      // One extra byte detects a file that damage made longer. Reading it whole could exceed the memory.
      const bytes = Buffer.allocUnsafeSlow(size + 1);
      let [filled, bytesRead] = [0, 1];
      for (; filled < size && bytesRead > 0; filled += bytesRead) {
        ({ bytesRead } = await readBytes(file, bytes, filled, bytes.length - filled, filled));
      }
      if (filled > size) throw new UnreadableError(`object ${sha256}: expected ${size} bytes, got more`, reference);
      return bytes.subarray(0, filled);
    } finally {
      await closeFile(file);
    }
  }

  /** Opens an object for reading; the caller closes it. Null if it is missing. */
  async openObject(sha256: string): Promise<FileHandle | null> {
    return nullIfAbsent(openHandle(this.#objectFile(sha256)));
  }

  #objectFile(sha256: string): string {
    return join(this.#folder, objectPath(sha256));
  }
}

/**
 * Identifies a version of a file: it differs for another file at the same path, and after every write. It includes the
 * inode's change time, which no program can set back.
 */
export function fileIdentity({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
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
