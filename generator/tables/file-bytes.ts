import { closeSync, openSync, readSync } from 'node:fs';
import { BrokenFile } from './broken-file.ts';

/** A file on this machine, of `size` bytes. It may be larger than the memory: only the wanted bytes are read. */
export class FileBytes {
  readonly size: number;
  readonly #path: string;

  constructor(path: string, size: number) {
    this.#path = path;
    this.size = size;
  }

  /**
   * The bytes from `start` up to `end`; fewer where the file has fewer than `size`. Throws a {@link BrokenFile} for
   * bytes outside of the file.
   */
  slice(start: number, end: number): ArrayBuffer {
    const length = Math.min(end, this.size) - start;
    if (start < 0 || length < 0) throw new BrokenFile(`bytes ${start} to ${end} of a file of ${this.size}`);
    const bytes = new ArrayBuffer(length);
    const descriptor = openSync(this.#path, 'r');
    try {
      const got = readSync(descriptor, new Uint8Array(bytes), 0, length, start);
      return got === length ? bytes : bytes.slice(0, got);
    } finally {
      closeSync(descriptor);
    }
  }
}
