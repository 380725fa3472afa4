import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { build, publishFixtures } from './fixture-series.ts';

/**
 * Copies a site of the bundled snapshots to a new folder. The site was built after each of these numbers of snapshots,
 * by the first test that needs it. Tests of building itself make their own builds.
 */
export async function copyBuiltFixtures(folder: string, ...builds: readonly number[]): Promise<void> {
  const kept = join(inject('publishedFixtures'), `site-${builds.join('-')}`);
  if (!existsSync(kept)) await buildOnce(kept, builds);
  // Unlike a copy made by Node, this one has the hard links and times of the original.
  execFileSync('cp', ['-a', kept, folder]);
}

/** Builds the site. If another process has finished it in the meantime, the test uses that one. */
async function buildOnce(kept: string, builds: readonly number[]): Promise<void> {
  const workplace = mkdtempSync(`${kept}.`);
  const database = join(workplace, 'publication.sqlite');
  for (const [i, count] of builds.entries()) {
    await publishFixtures(database, builds[i - 1] ?? 0, count);
    await build(database, join(workplace, 'site'));
  }
  if (!existsSync(kept)) renameSync(join(workplace, 'site'), kept);
}
