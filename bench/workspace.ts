import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRunning } from './measure.ts';

const memoryFolder = '/dev/shm';
/** Room for three copies of a site of full size, its databases and its snapshots. */
const neededBytes = 6 * 2 ** 30;

/** A folder for all files of a benchmark. It is removed when the process ends, also by a signal that can be handled. */
export class Workspace {
  readonly folder: string;
  #number = 0;

  constructor(parent = defaultParent()) {
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
    // A program that was just killed may still finish the file it was writing, so this retries.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** A folder in memory where there is enough of it. Disks are slower, and become slower still after mass deletions. */
function defaultParent(): string {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    if (bavail * bsize >= neededBytes) return memoryFolder;
  } catch {
    // Not every system has this folder.
  }
  return tmpdir();
}
