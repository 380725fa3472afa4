import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { noProof, writeProof } from '../../generator/verify/proof.ts';
import { publishLongHistory } from '../support/long-history.ts';
import { build, temporaryFolder } from '../units/fixture-series.ts';
import { EditedSite, proofBeside } from './edited-site.ts';

const scratch = temporaryFolder();
const folder = join(scratch.path, 'site');
afterAll(scratch.remove);

/** A history of 40 days, so that the oldest pages are past retention. */
beforeAll(async () => {
  const database = join(scratch.path, 'publication.sqlite');
  await publishLongHistory(database, 1, 3, { asked: 8 });
  await build(database, folder);
  const { proof } = await verifySite(folder, { proof: noProof });
  if (proof === null) throw new Error('a site without a fault has no proof');
  writeProof(proofBeside(folder), proof);
  await publishLongHistory(database, 4, 4, { asked: 8 });
  await build(database, folder);
});

/** The oldest retained page of the list of all changes, and the page before it. */
function findEdge(site: EditedSite): { retained: string; expired: string } {
  const { first_page } = site.document('/v1/changes/pages.json');
  expect(first_page).toBeGreaterThan(2);
  return { retained: `/v1/changes/pages/${first_page}.json`, expired: `/v1/changes/pages/${first_page - 1}.json` };
}

test('a walk ends cleanly where retention does', async () => {
  const site = new EditedSite(folder);
  const { retained, expired } = findEdge(site);
  expect(site.document(retained).links.next).toBe(expired);
  expect(site.document(expired).data).toEqual([]);
  expect(await site.faults()).toEqual([]);
});

test('a page past retention that is cached for ever', async () => {
  const site = new EditedSite(folder);
  const { expired } = findEdge(site);
  site.editRoute(expired, (route) => Object.assign(route, { cache: 'immutable' }));
  expect(await site.faults()).toEqual(['index_mismatch /v1/changes/pages.json', `route_delivery ${expired}`]);
});

test('a page past retention without an answer', async () => {
  const site = new EditedSite(folder);
  const { retained, expired } = findEdge(site);
  site.removeRoute(expired);
  site.removeRoute('/v1/changes/pages/1.json');
  expect(await site.faults()).toEqual([
    'address_unresolved /v1/changes/pages.json',
    'address_unresolved /v1/changes/pages.json',
    'route_missing /v1/changes/pages/1.json',
    `route_missing ${expired}`,
    `address_unresolved ${retained}`,
  ]);
});

test('a retained page that answers as if it were past retention', async () => {
  const site = new EditedSite(folder);
  const { retained, expired } = findEdge(site);
  const { sha256, size, etag, cache } = site.route(expired);
  site.editRoute(retained, (route) => Object.assign(route, { sha256, size, etag, cache }));
  const faults = await site.faults();
  expect(faults).toContain('list_count /v1/changes');
  expect(faults).toContain('index_mismatch /v1/changes/pages.json');
});
