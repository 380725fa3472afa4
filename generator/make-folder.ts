import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { explainFile, Failure, systemReason } from './failure.ts';

const expected = 'a folder that can be written';

/**
 * Makes a folder, and those above it that are missing. Throws a Failure when the system refuses. Node's recursive way is not
 * used: it never ends in /proc, where no folder can be made, and on a read-only disk it says ENOENT.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let parent = folder;
  for (; !existsSync(parent); parent = dirname(parent)) missing.unshift(parent);
  if (!explainFile(parent, expected, () => statSync(parent)).isDirectory()) {
    throw new Failure('file', `${folder}: expected ${expected}, got ${systemReason('ENOTDIR')}`);
  }
  if (missing.length === 0) return;
  explainFile(parent, expected, () => accessSync(parent, constants.W_OK));
  for (const one of missing) explainFile(one, expected, () => makeOne(one));
}

/** Makes a folder, unless another process has just made it. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
