import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(10, 11, 12);
const small = useExampleSite(2);

test('a site as it was built has no faults, and all of it is checked', async () => {
  const site = new EditedSite(example.folder);
  const { counts, faults } = await verifySite(site.folder);
  expect(faults).toEqual([]);
  const events = site.document('/v1/metadata').data.counts.change_events;
  const exported = site
    .document('/v1/metadata/publications')
    .data.flatMap((publication: { exports: object }) => Object.values(publication.exports));
  expect(counts).toMatchObject({
    routes: site.table.root.route_count,
    lists: site.paths(/\/(changes|products|product-families|brands|stores)$/).length,
    export_records: exported.reduce((sum: number, file: { record_count: number }) => sum + file.record_count, 0),
    unnamed_objects: 0,
    unnamed_checkouts: 0,
    faults: 0,
  });
  expect(counts.rows).toBeGreaterThan(2 * events);
  expect(counts.objects).toBeGreaterThan(site.table.root.route_count);
});

test('absolute addresses below a base URL resolve, and a path among them is a fault', async () => {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  const database = join(path, 'publication.sqlite');
  await publishFixtures(database, 0, 1);
  await build(database, join(path, 'site'), { baseUrl: 'https://example.org/mirror/v1', exports: 'current' });
  const site = new EditedSite(join(path, 'site'));
  expect(await site.faults()).toEqual([]);
  site.editDocument('/v1/brands', ({ links }) => Object.assign(links, { self: '/v1/brands' }));
  expect(await site.faults()).toEqual(['address_unresolved /v1/brands']);
});

test('what a killed build leaves is counted and is not a fault', async () => {
  const site = new EditedSite(small.folder);
  const half = 'ab'.repeat(32);
  site.write(`objects/ab/${half}`, 'half a docu');
  site.write('checkouts/00000000-0000-4000-8000-000000000000/v1/brands.json', '{}');
  const { counts } = await verifySite(site.folder);
  expect(counts).toMatchObject({ faults: 0, unnamed_objects: 1, unnamed_checkouts: 1 });
});

test('a site can be moved, and copied without its hard links', async () => {
  const site = new EditedSite(small.folder);
  const file = site.checkoutOf('/v1/brands');
  site.write(file, site.bytes(file));
  renameSync(site.folder, `${site.folder}-moved`);
  expect((await verifySite(`${site.folder}-moved`)).faults).toEqual([]);
});
