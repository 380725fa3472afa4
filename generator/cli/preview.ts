import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSite } from '../assembly/build-site.ts';
import { chosenExplorer } from '../assembly/explorer.ts';
import { openForPublishing } from '../database/database-file.ts';
import { packageFolder } from '../files/package-files.ts';
import { filesBelow } from '../files/path-patterns.ts';
import { publishSnapshot } from '../publish/publish.ts';

const fixtures = fileURLToPath(new URL('fixtures/', packageFolder));

/** The bundled series, oldest first. */
export function fixtureFolders(): string[] {
  return filesBelow(fixtures, '*/snapshot.json').map((file) => join(fixtures, dirname(file)));
}

type Reporter = {
  readonly notice: (text: string) => void;
  readonly progress: (stage: string, done: number, total: number) => void;
};

/** Builds the site of the bundled snapshots and reports progress. */
export async function fillWithExample(folder: string, output: Reporter): Promise<void> {
  output.notice(`${folder} has no publication yet: building the bundled example`);
  await buildFixtures(folder, (stage, done, total) => output.progress(stage, done, total));
}

export async function buildFixtures(
  dist: string,
  onProgress: (stage: string, done: number, total: number) => void = () => undefined,
): Promise<void> {
  const workplace = mkdtempSync(join(tmpdir(), 'shelfpress-'));
  const clear = () => rmSync(workplace, { recursive: true, force: true });
  // A signal ends the process without running `finally`.
  process.once('exit', clear);
  try {
    const database = join(workplace, 'fixtures.sqlite');
    const connection = openForPublishing(database);
    try {
      const folders = fixtureFolders();
      for (const [index, folder] of folders.entries()) {
        onProgress('publishing snapshots', index, folders.length);
        await publishSnapshot(connection, folder, { quarantine: false });
      }
    } finally {
      connection.close();
    }
    const explorer = await chosenExplorer({ outline: 'none' });
    const options = { database, out: dist, baseUrl: null, exports: 'retained', keepAll: false, full: false } as const;
    await buildSite({ ...options, explorer }, onProgress);
  } finally {
    process.off('exit', clear);
    clear();
  }
}
