import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { temporaryFolder } from './temporary-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder with the database after the first n bundled snapshots, as `n.sqlite`. */
    publishedFixtures: string;
  }
}

/** Publishes the bundled snapshots once for all tests that start from some of them. */
export async function setup(project: TestProject): Promise<void> {
  const folder = temporaryFolder();
  const working = join(folder, 'working.sqlite');
  for (const [index, snapshot] of fixtureFolders().entries()) {
    const connection = openForPublishing(working);
    await publishSnapshot(connection, snapshot, { quarantine: false });
    connection.close();
    copyFileSync(working, join(folder, `${index + 1}.sqlite`));
  }
  project.provide('publishedFixtures', folder);
}
