import { join } from 'node:path';
import { build, publishFixtures, temporaryFolder } from '../build/fixture-series.ts';

export type ExampleSite = { readonly folder: string; readonly remove: () => void };

/** A site of the bundled snapshots, built at each of the last three: the two publications before are kept whole. */
export async function buildExampleSite(): Promise<ExampleSite> {
  const { path, remove } = temporaryFolder();
  const database = join(path, 'publication.sqlite');
  const folder = join(path, 'site');
  for (const [from, to] of [
    [0, 10],
    [10, 11],
    [11, 12],
  ] as const) {
    await publishFixtures(database, from, to);
    await build(database, folder);
  }
  return { folder, remove };
}
