import { statSync } from 'node:fs';
import { explainFile, Failure } from '../../files/failure.ts';
import { firstBytes } from '../../files/regular-file.ts';

const sqliteHeader = Buffer.from('SQLite format 3\0');

/** Whether a path is a database or the folder of a site. Throws a Failure when it is neither. */
export function holderKind(path: string): 'database' | 'site' {
  const expected = 'a publication database or the folder of a site';
  const stats = explainFile(path, expected, () => statSync(path, { throwIfNoEntry: false }));
  if (stats?.isDirectory()) return 'site';
  const beginning = stats?.isFile() ? explainFile(path, expected, () => firstBytes(path, sqliteHeader.length)) : null;
  if (beginning?.equals(sqliteHeader)) return 'database';
  throw new Failure(
    'site_missing',
    `${path}: expected ${expected}, got ${stats === undefined ? 'nothing of that name' : 'a file of another kind'}`,
  );
}
