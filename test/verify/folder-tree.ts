import { linkSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Restores a folder to the original. Its files are hard links to the original's, so that their inodes tell whether a
 * test replaced them. Nothing here writes into a file.
 */
export function restoreTree(original: string, copy: string): void {
  mkdirSync(copy, { recursive: true });
  const entries = readdirSync(original, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  for (const name of readdirSync(copy)) if (!names.has(name)) rmSync(join(copy, name), { recursive: true });
  for (const entry of entries) {
    const [from, to] = [join(original, entry.name), join(copy, entry.name)];
    const found = lstatSync(to, { throwIfNoEntry: false });
    const isSameFile = entry.isFile() && found?.ino === lstatSync(from).ino;
    const isFolder = entry.isDirectory() && found?.isDirectory();
    if (found && !isSameFile && !isFolder) rmSync(to, { recursive: true });
    if (entry.isDirectory()) restoreTree(from, to);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
    else if (!isSameFile) linkSync(from, to);
  }
}

/** Every file below a folder, by its full path. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}
