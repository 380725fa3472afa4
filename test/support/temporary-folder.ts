import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Sites of thousands of files are written, and flushed to the disk where they are on one, which takes the longest. */
const memory = '/dev/shm';

/** More than all tests at once take; a container has often no more than 64 MB there. */
const neededBytes = 2e9;

/** A new folder, in memory where the system has such a place with room, else where temporary files are. */
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
