import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { checkoutFolder, uuidPattern } from '../../contract/paths.ts';

/** The possible targets of the link `site`. */
export const checkoutTarget = new RegExp(`^${checkoutFolder(uuidPattern)}(\\.next)?$`);

/** Longer than any target. */
const mostBytes = 200;

/**
 * The target of the link `site`. On a disk without symbolic links, a small file has the path, as Git does it. Throws
 * the system's error if there is neither.
 */
export function linkTarget(path: string): string {
  const stats = lstatSync(path);
  if (stats.isFile() && stats.size <= mostBytes) {
    const target = readFileSync(path, 'utf8');
    if (checkoutTarget.test(target)) return target;
  }
  return readlinkSync(path);
}

/** In either form. */
export function isLink(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) return true;
  return stats.isFile() && stats.size <= mostBytes && checkoutTarget.test(readFileSync(path, 'utf8'));
}
