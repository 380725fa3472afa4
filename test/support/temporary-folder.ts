import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests write sites of thousands of files and flush them. On a disk the flushing takes the longest. */
const memory = '/dev/shm';

/** More than all tests take at the same time. Containers often have no more than 64 MB there. */
const neededBytes = 2e9;

/** A new folder: in memory if the system has such a place with room, otherwise with the temporary files. */
export function temporaryFolder(): string {
  return mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'shelfpress-test-'));
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > neededBytes;
}
