import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { readExplorer } from '../../generator/explorer/explorer-files.ts';
import { build, publishFixtures } from './fixture-series.ts';

/**
 * Copies a site of the bundled snapshots, without the page for people, to a new folder. The site was built after each
 * of these numbers of snapshots, by the first test that needs it. Tests of building itself make their own builds.
 */
export async function copyBuiltFixtures(folder: string, ...builds: readonly number[]): Promise<void> {
  await copyKept(folder, builds, false);
}

/** The same with the page for people: a site as the command builds it. */
export async function copyBuiltFixturesWithPage(folder: string, ...builds: readonly number[]): Promise<void> {
  await copyKept(folder, builds, true);
}

async function copyKept(folder: string, builds: readonly number[], withPage: boolean): Promise<void> {
  const kept = join(inject('publishedFixtures'), `site-${builds.join('-')}${withPage ? '-page' : ''}`);
  if (!existsSync(kept)) await buildOnce(kept, builds, withPage);
  // Unlike a copy made by Node, this one has the hard links and times of the original.
  execFileSync('cp', ['-a', kept, folder]);
}

/** Builds the site. If another process has finished it in the meantime, the test uses that one. */
async function buildOnce(kept: string, builds: readonly number[], withPage: boolean): Promise<void> {
  const workplace = mkdtempSync(`${kept}.`);
  const database = join(workplace, 'publication.sqlite');
  const explorer = withPage ? await readExplorer() : null;
  for (const [i, count] of builds.entries()) {
    await publishFixtures(database, builds[i - 1] ?? 0, count);
    await build(database, join(workplace, 'site'), { explorer });
  }
  if (!existsSync(kept)) renameSync(join(workplace, 'site'), kept);
}
