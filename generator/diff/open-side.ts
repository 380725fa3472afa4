import { existsSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { kindOfHolder } from '../inspect/holder.ts';
import { openDatabaseSide } from './database-side.ts';
import type { Side } from './side.ts';
import { openFolderSide, openRemoteSide } from './site-side.ts';

/**
 * Opens what a user names: the URL of a site, the folder of a site, a database for its newest publication, or
 * `DATABASE@SEQUENCE` or `DATABASE@REVISION`. Throws a Failure when it is nothing of these.
 */
export async function openSide(text: string, redirectsTo: readonly string[] | undefined): Promise<Side> {
  if (/^https?:\/\//i.test(text)) return openRemoteSide(text, redirectsTo);
  const mark = text.lastIndexOf('@');
  // A file may have an @ in its name.
  if (mark > 0 && !existsSync(text)) return openDatabaseAt(text, text.slice(0, mark), text.slice(mark + 1));
  return kindOfHolder(text) === 'site' ? openFolderSide(text, text) : openDatabaseSide(text, text, null);
}

function openDatabaseAt(text: string, file: string, at: string): Side {
  if (kindOfHolder(file) === 'database') return openDatabaseSide(text, file, at);
  throw new Failure(`${text}: expected a publication database before the @, got the folder of a site`);
}
