import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../failure.ts';
import { type Connection, explainDatabase } from './connection.ts';
import { openForPublishing, openForReading } from './database-file.ts';

/** Pages that are copied between two looks at other work. */
const pagesAtOnce = 10_000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Copies a publication database into a temporary folder, opens the copy for publishing, and returns what `use` returns.
 * Without a file, the copy is an empty database. The file itself is only read. The copy is removed at the end, also
 * when a signal ends the process.
 */
export async function useCopyOfDatabase<Result>(
  file: string,
  use: (copy: Connection) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'shelfpress-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const removeAndEnd = (signal: NodeJS.Signals) => {
    remove();
    process.off(signal, removeAndEnd);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.once(signal, removeAndEnd);
  try {
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
  } finally {
    for (const signal of signals) process.off(signal, removeAndEnd);
    remove();
  }
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
