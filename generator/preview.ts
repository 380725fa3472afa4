import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from './build/build.ts';
import { openForPublishing } from './database/database-file.ts';
import { readExplorer } from './explorer/explorer-files.ts';
import { packageFolder } from './package-files.ts';
import { publishSnapshot } from './publish/publish.ts';

const fixtures = fileURLToPath(new URL('fixtures/', packageFolder));

/** Snapshot folders of the bundled series, oldest first. */
export function fixtureFolders(): string[] {
  const folders = readdirSync(fixtures).map((name) => join(fixtures, name));
  return folders.filter((folder) => existsSync(join(folder, 'snapshot.json'))).sort();
}

/** Builds the site of the bundled snapshots into a folder. */
export async function buildFixtures(dist: string): Promise<void> {
  const workplace = mkdtempSync(join(tmpdir(), 'shelfpress-'));
  const clear = () => rmSync(workplace, { recursive: true, force: true });
  // A signal ends the process without running `finally`.
  process.once('exit', clear);
  try {
    const database = join(workplace, 'fixtures.sqlite');
    const connection = openForPublishing(database);
    try {
      for (const folder of fixtureFolders()) {
        await publishSnapshot(connection, folder, { quarantine: false });
      }
    } finally {
      connection.close();
    }
    const explorer = await readExplorer();
    const options = { database, out: dist, baseUrl: null, exports: 'retained', keepAll: false, full: false } as const;
    await buildSite({ ...options, explorer }, () => undefined);
  } finally {
    process.off('exit', clear);
    clear();
  }
}
