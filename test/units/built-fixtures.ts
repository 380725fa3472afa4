import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { ExplorerBundle } from '../../generator/page/explorer-files.ts';
import { madeOnce } from '../support/made-once.ts';
import { bundledExplorer } from '../support/programs.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
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
  copyTo(folder, await builtFixtures(page, ...builds));
}

/** The site itself. Tests may only read it. */
export function builtFixtures(page: PageSize, ...builds: readonly number[]): Promise<string> {
  return madeOnce(`site-${builds.join('-')}-${page}`, (site) => buildSeries(site, page, builds));
}

/**
 * Builds the site; a series continues a shorter one. The explorer isn't added to the site without it: pages that change
 * within one publication have routes that say so.
 */
async function buildSeries(site: string, page: PageSize, builds: readonly number[]): Promise<void> {
  const workplace = temporaryFolder();
  const database = join(workplace, 'publication.sqlite');
  const earlier = builds.slice(0, -1);
  if (earlier.length > 0) await copyWithPage(page, site, ...earlier);
  await publishFixtures(database, 0, builds.at(-1));
  await build(database, site, { explorer: page === 'none' ? null : explorerOf(page) });
  removeFolder(workplace);
}

function explorerOf(page: PageSize): ExplorerBundle {
  const whole = bundledExplorer();
  if (page === 'whole') return whole;
  const files = whole.files.filter(({ name }) => name === whole.script || name === whole.style);
  return { ...whole, views: {}, files };
}

/** Unlike a copy made by Node, this one keeps hard links and times. */
function copyTo(folder: string, original: string): void {
  execFileSync('cp', ['-a', original, folder]);
}
