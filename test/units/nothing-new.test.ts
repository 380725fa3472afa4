import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { formatPath } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import type { BuildOptions } from '../../generator/units/build.ts';
import { copySite } from '../mirror/published-sites.ts';
import { SmallSites } from '../support/small-sites.ts';
import { EditedSite } from '../verify/edited-site.ts';
import { build, temporaryFolder } from './fixture-series.ts';
import { documentAt, readSite } from './site-tree.ts';

/* What a build does when nothing is new, and when only the code is. */

const sites = SmallSites.use(3);
const folder = temporaryFolder();
let site: EditedSite;
const database = join(folder.path, 'publication.sqlite');
beforeEach(() => {
  copySite(sites.at('dist-2'), join(folder.path, 'site'));
  site = new EditedSite(join(folder.path, 'site'));
  copyFileSync(sites.at('2.sqlite'), database);
});
afterAll(folder.remove);

/** Builds, and returns the stages that the build went through. */
async function stagesOf(options: Partial<BuildOptions> = {}): Promise<string[]> {
  const stages: string[] = [];
  await build(database, site.folder, options, null, (stage) => stages.push(stage));
  return [...new Set(stages)];
}

/** Turns the ledger into that of other code, and of the route table that the site has now. */
function ledgerOfOtherCode(): void {
  const { units } = site.json('build-ledger.json');
  const { sha256: table } = site.pointer.routes;
  site.write('build-ledger.json', JSON.stringify({ key: '0'.repeat(64), table, units }));
}

const first = 'reading the database';

test('a build that would change nothing ends after it has read the publications', async () => {
  const { resources } = await build(database, site.folder);
  expect(resources).toBe(readSite(site.folder).routes.size);
  expect(await stagesOf()).toEqual([first]);
});

test.each<[string, Partial<BuildOptions>, () => void]>([
  ['another license', { dataLicense: { name: 'CC0-1.0' } }, () => undefined],
  ['another choice of exports', { exports: 'current' }, () => undefined],
  ['another base URL', { baseUrl: 'https://stock.example' }, () => undefined],
  ['Iceberg tables', { choices: { iceberg: 's3://bucket' } }, () => undefined],
  ['links to an explorer elsewhere', { hasExplorer: true }, () => undefined],
  ['the wish for a full build', { full: true }, () => undefined],
  ['a new publication', {}, () => copyFileSync(sites.at('3.sqlite'), database)],
  ['the mark of a killed build', {}, () => site.write('build.unfinished', '')],
  ['a lost ledger', {}, () => rmSync(site.locate('build-ledger.json'))],
  ['other code', {}, ledgerOfOtherCode],
  ['a lost link to the checkout', {}, () => rmSync(site.locate('site'))],
  ['a lost checkout', {}, () => site.remove(`checkouts/${site.pointer.revision}`)],
])('%s makes it a whole build', async (_, options, change) => {
  change();
  expect(await stagesOf(options)).toContain('writing the route table');
  expect((await verifySite(site.folder)).faults).toEqual([]);
  expect(await stagesOf({ ...options, full: false })).toEqual([first]);
});

test('other code keeps immutable answers, and makes the others again', async () => {
  const [exported = ''] = site.paths(/^\/v1\/exports\/.*\.json$/);
  const metadata = formatPath('metadata');
  const own = site.document(metadata);
  const mark = { title: 'as other code wrote it' };
  for (const path of [exported, metadata]) site.editDocument(path, (document) => Object.assign(document, mark));
  ledgerOfOtherCode();
  await build(database, site.folder);
  expect(documentAt(site.folder, exported)).toMatchObject(mark);
  expect(documentAt(site.folder, metadata)).toEqual(own);
});
