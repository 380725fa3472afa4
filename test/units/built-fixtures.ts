import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type ExplorerBundle, readExplorer } from '../../generator/page/explorer-files.ts';
import { build, publishFixtures } from './fixture-series.ts';

/** How much of the explorer a site has: nothing, only its first script and style sheet, or all its files. */
export type PageSize = 'none' | 'first' | 'whole';

/**
 * Copies a site of the bundled snapshots, without the explorer, to a new folder. It was built once after each of these
 * numbers of snapshots, for the first test that needs it. Tests of building itself make their own builds.
 */
export async function copyBuiltFixtures(folder: string, ...builds: readonly number[]): Promise<void> {
  await copyWithPage('none', folder, ...builds);
}

/** The same with the explorer. With all of it, the site is the one that the command builds. */
export async function copyWithPage(page: PageSize, folder: string, ...builds: readonly number[]): Promise<void> {
  const kept = join(inject('publishedFixtures'), `site-${builds.join('-')}-${page}`);
  if (!existsSync(kept)) await buildOnce(kept, builds, page);
  // Unlike a copy made by Node, this one keeps hard links and times.
  execFileSync('cp', ['-a', kept, folder]);
}

/**
 * Builds the site; a series continues a shorter one. The explorer isn't added to the site without it: pages that change
 * within one publication have routes that say so. If another process finishes the same site first, the test uses that.
 */
async function buildOnce(kept: string, builds: readonly number[], page: PageSize): Promise<void> {
  const workplace = mkdtempSync(`${kept}.`);
  const [database, site] = [join(workplace, 'publication.sqlite'), join(workplace, 'site')];
  const earlier = builds.slice(0, -1);
  if (earlier.length > 0) await copyWithPage(page, site, ...earlier);
  await publishFixtures(database, 0, builds.at(-1));
  await build(database, site, { explorer: page === 'none' ? null : await readExplorerFiles(page) });
  if (!existsSync(kept)) renameSync(site, kept);
}

async function readExplorerFiles(page: PageSize): Promise<ExplorerBundle> {
  const whole = await readExplorer();
  if (page === 'whole') return whole;
  const files = whole.files.filter(({ name }) => name === whole.script || name === whole.style);
  return { ...whole, views: {}, files };
}
