import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Tests write sites with thousands of files and flush them. On a disk, flushing takes the most time. */
const memory = '/dev/shm';

/** More than all tests take at the same time. Containers often have no more than 64 MB there. */
const neededBytes = 2e9;

/** The variable with the folder of a run. */
const variable = 'SHELFPRESS_TEST_FOLDER';

/** The folder that contains all others of a run. */
export function runFolder(): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error('no tests are running');
  return folder;
}

/** A new folder, in memory if the system has such a place with enough room, otherwise among the temporary files. */
export function temporaryFolder(): string {
  const place = process.env[variable] ?? (hasRoom() ? memory : tmpdir());
  return mkdtempSync(join(place, 'shelfpress-test-'));
}

/** The same for all tests in a file, removed after the last of them. */
export function folderForFile(): string {
  const folder = temporaryFolder();
  afterAll(() => removeFolder(folder));
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what is left at the end of a run. If all tests in a file are skipped, nothing else removes its folder. */
export function setup(): () => void {
  const folder = temporaryFolder();
  process.env[variable] = folder;
  return () => {
    delete process.env[variable];
    removeFolder(folder);
  };
}

function hasRoom(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > neededBytes;
}
