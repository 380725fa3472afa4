import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { explainFile, Failure } from '../failure.ts';

const sqliteHeader = Buffer.from('SQLite format 3\0');

/** Whether a path is that of a database or of a site's folder. Throws a Failure when it is neither. Opens nothing else. */
export function kindOfHolder(path: string): 'database' | 'site' {
  const expected = 'a publication database or the folder of a site';
  const stats = explainFile(path, expected, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isDirectory()) return 'site';
  if (stats?.isFile() && explainFile(path, expected, () => isDatabase(path))) return 'database';
  throw new Failure(`${path}: expected ${expected}, got ${other(stats)}`);
}

function isDatabase(path: string): boolean {
  const header = Buffer.alloc(sqliteHeader.length);
  const descriptor = openSync(path, 'r');
  try {
    readSync(descriptor, header, 0, header.length, 0);
  } finally {
    closeSync(descriptor);
  }
  return header.equals(sqliteHeader);
}

function other(stats: Stats | undefined): string {
  return stats === undefined ? 'nothing of that name' : 'a file of another kind';
}
