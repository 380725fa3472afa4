import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { useTemporaryFolder } from '../temporary-folder.ts';
import { type Connection, explainDatabase } from './connection.ts';
import { openForPublishing, openForReading } from './database-file.ts';

/** Pages that are copied between two looks at other work. */
const pagesAtOnce = 10_000;

/**
 * Copies a publication database into a temporary folder, opens the copy for publishing, and returns what `use` returns.
 * Without a file, the copy is an empty database. The file itself is only read.
 */
export function useCopyOfDatabase<Result>(file: string, use: (copy: Connection) => Promise<Result>): Promise<Result> {
  return useTemporaryFolder(async (folder) => {
    const path = join(folder, 'copy.sqlite');
    if (existsSync(file)) await copy(file, path);
    const connection = openedAs(file, path);
    // Nobody needs the copy after a crash.
    connection.pragma('synchronous = OFF');
    connection.pragma('journal_mode = MEMORY');
    try {
      return await use(connection);
    } finally {
      connection.close();
    }
  });
}

/** Opens the copy. A failure names the file that was copied, because the copy is gone when it is read. */
function openedAs(file: string, path: string): Connection {
  try {
    return openForPublishing(path);
  } catch (error) {
    throw error instanceof Failure ? new Failure(error.message.replaceAll(path, file)) : error;
  }
}

async function copy(file: string, path: string): Promise<void> {
  const source = openForReading(file);
  try {
    await explainDatabase(file, () => source.backup(path, { progress: () => pagesAtOnce }));
  } finally {
    source.close();
  }
}
