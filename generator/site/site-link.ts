import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { checkoutFolder, uuidPattern } from '../../contract/paths.ts';

/** The paths that the link `site` may lead to. */
export const checkoutTarget = new RegExp(`^${checkoutFolder(uuidPattern)}(\\.next)?$`);

/** Longer than any of those paths. */
const mostBytes = 200;

/**
 * Where the link `site` leads. On a disk without symbolic links it is a small file with the path, as Git has there.
 * Throws the error of the system where there is neither.
 */
export function linkTarget(path: string): string {
  const stats = lstatSync(path);
  if (stats.isFile() && stats.size <= mostBytes) {
    const target = readFileSync(path, 'utf8');
    if (checkoutTarget.test(target)) return target;
  }
  return readlinkSync(path);
}

/** Whether the link `site` is there, in one form or the other. */
export function isLink(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) return true;
  return stats.isFile() && stats.size <= mostBytes && checkoutTarget.test(readFileSync(path, 'utf8'));
}
