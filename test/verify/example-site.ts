import { join } from 'node:path';
import { build, publishFixtures, temporaryFolder } from '../build/fixture-series.ts';

export type ExampleSite = { readonly folder: string; readonly remove: () => void };

/** A site of the bundled snapshots, built after each of these numbers of them: those before the last are kept whole. */
export async function buildExampleSite(...builds: readonly number[]): Promise<ExampleSite> {
  const { path, remove } = temporaryFolder();
  const database = join(path, 'publication.sqlite');
  const folder = join(path, 'site');
  for (const [i, count] of builds.entries()) {
    await publishFixtures(database, builds[i - 1] ?? 0, count);
    await build(database, folder);
  }
  return { folder, remove };
}
