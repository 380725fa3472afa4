import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type ExplorerBundle, readExplorer } from '../../explorer/bundler/explorer-files.ts';
import { build, publishFixtures } from './fixture-series.ts';

/** How much of the page for people a site has: none, its first script and style sheet alone, or all its files. */
export type PageSize = 'none' | 'first' | 'whole';

/**
 * Copies a site of the bundled snapshots, without the page for people, to a new folder. The site was built after each
 * of these numbers of snapshots, by the first test that needs it. Tests of building itself make their own builds.
 */
export async function copyBuiltFixtures(folder: string, ...builds: readonly number[]): Promise<void> {
  await copyWithPage('none', folder, ...builds);
}

/** The same with the page. With the whole one the site is as the command builds it. */
export async function copyWithPage(page: PageSize, folder: string, ...builds: readonly number[]): Promise<void> {
  const kept = join(inject('publishedFixtures'), `site-${builds.join('-')}-${page}`);
  if (!existsSync(kept)) await buildOnce(kept, builds, page);
  // Unlike a copy made by Node, this one has the hard links and times of the original.
  execFileSync('cp', ['-a', kept, folder]);
}

/**
 * Builds the site: a series goes on where a shorter one ended, and the page is added to the site without it. If another process
 * has finished it in the meantime, the test uses that one.
 */
async function buildOnce(kept: string, builds: readonly number[], page: PageSize): Promise<void> {
  const workplace = mkdtempSync(`${kept}.`);
  const [database, site] = [join(workplace, 'publication.sqlite'), join(workplace, 'site')];
  const earlier = page === 'none' ? builds.slice(0, -1) : builds;
  if (earlier.length > 0) await copyWithPage('none', site, ...earlier);
  await publishFixtures(database, 0, builds.at(-1));
  await build(database, site, { explorer: page === 'none' ? null : await pageOf(page) });
  if (!existsSync(kept)) renameSync(site, kept);
}

async function pageOf(page: PageSize): Promise<ExplorerBundle> {
  const whole = await readExplorer();
  if (page === 'whole') return whole;
  const files = whole.files.filter(({ name }) => name === whole.script || name === whole.style);
  return { ...whole, views: {}, files };
}
