import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { madeOnce } from './made-once.ts';

/** The file with the database after the first bundled snapshots. Tests may only read it. */
export async function publishedFixtures(count: number): Promise<string> {
  return join(await madeOnce('databases', publishAll), `${count}.sqlite`);
}

/** Writes the databases after each of the snapshots. */
async function publishAll(folder: string): Promise<void> {
  mkdirSync(folder);
  const working = join(folder, 'working.sqlite');
  for (const [index, snapshot] of fixtureFolders().entries()) {
    const connection = openForPublishing(working);
    await publishSnapshot(connection, snapshot, { quarantine: false });
    connection.close();
    copyFileSync(working, join(folder, `${index + 1}.sqlite`));
  }
}
