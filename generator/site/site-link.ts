import { lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { checkoutFolder, uuidPattern } from '../../contract/paths.ts';

export const checkoutTarget = new RegExp(`^${checkoutFolder(uuidPattern)}(\\.next)?$`);

/** More bytes than any target has. */
const mostBytes = 200;

/**
 * The target of a link. On a disk without symbolic links, a small file has it, as in Git. Throws if there is neither.
 */
export function linkTarget(path: string): string {
  const stats = lstatSync(path);
  if (stats.isFile() && stats.size <= mostBytes) {
    const target = readFileSync(path, 'utf8');
    if (checkoutTarget.test(target)) return target;
  }
  return readlinkSync(path);
}

/** Whether there is a link, in either form. */
export function isLink(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isSymbolicLink()) return true;
  return stats.isFile() && stats.size <= mostBytes && checkoutTarget.test(readFileSync(path, 'utf8'));
}
