import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests write sites with thousands of files and flush them. On a disk, flushing takes the most time. */
const memory = '/dev/shm';

/** More than all tests take at the same time. Containers often have no more than 64 MB there. */
const neededBytes = 2e9;

/** Set for a run: the folder that contains all others. */
const runFolder = 'SHELFPRESS_TEST_FOLDER';

/** A new folder, in memory if the system has such a place with enough room, otherwise among the temporary files. */
export function temporaryFolder(): string {
  const place = process.env[runFolder] ?? (hasRoom() ? memory : tmpdir());
  return mkdtempSync(join(place, 'shelfpress-test-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what is left at the end of a run. If all tests in a file are skipped, nothing else removes its folder. */
export function setup(): () => void {
  const folder = temporaryFolder();
  process.env[runFolder] = folder;
  return () => {
    delete process.env[runFolder];
    removeFolder(folder);
  };
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > neededBytes;
}
