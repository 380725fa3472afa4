import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { copyBuiltFixtures } from '../build/built-fixtures.ts';
import { temporaryFolder } from '../build/fixture-series.ts';

export type ExampleSite = { readonly folder: string; readonly remove: () => void };

/**
 * A site of the bundled snapshots, built after each of these numbers of snapshots. The publications before the last are
 * kept with their documents.
 */
export async function buildExampleSite(...builds: readonly number[]): Promise<ExampleSite> {
  const { path, remove } = temporaryFolder();
  const folder = join(path, 'site');
  await copyBuiltFixtures(folder, ...builds);
  return { folder, remove };
}

/** The same for all tests of a file. It is there from the first test to the last. */
export function useExampleSite(...builds: readonly number[]): { readonly folder: string } {
  const { path, remove } = temporaryFolder();
  const folder = join(path, 'site');
  beforeAll(() => copyBuiltFixtures(folder, ...builds));
  afterAll(remove);
  return { folder };
}
