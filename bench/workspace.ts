import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRunning } from './measure.ts';

const memoryFolder = '/dev/shm';
/** Room for three copies of a site of full size, its databases and its snapshots. */
const neededBytes = 6 * 2 ** 30;
const memoryToRunIn = 3 * 2 ** 30;

/** A folder for all files of a benchmark. It is removed when the process ends, even by a signal that can be handled. */
export class Workspace {
  readonly folder: string;
  #number = 0;

  constructor(parent = roomiest(neededBytes)) {
    this.folder = mkdtempSync(join(parent, 'shelfpress-bench-'));
    process.on('exit', () => this.#clear());
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      process.on(signal, () => process.exit(code));
    }
  }

  /** A path that does not exist yet. */
  path(name: string): string {
    this.#number += 1;
    return join(this.folder, `${String(this.#number).padStart(3, '0')}-${name}`);
  }

  remove(...paths: readonly string[]): void {
    for (const path of paths) rmSync(path, { recursive: true, force: true });
  }

  #clear(): void {
    endRunning();
    // A program that was just killed can still finish the file it was writing, so this retries.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/**
 * The folder in memory, if it has this many bytes free and enough memory is left for programs to run; otherwise the
 * system's temporary folder. Disks are slower, and become even slower after mass deletions.
 */
export function roomiest(bytes: number): string {
  const isRoomy = existsSync(memoryFolder) && freeBytes(memoryFolder) >= bytes;
  return isRoomy && process.availableMemory() >= bytes + memoryToRunIn ? memoryFolder : tmpdir();
}

/** Free bytes on the file system of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
