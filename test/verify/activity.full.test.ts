import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activity } from '../../generator/contract/documents/activity.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const path = '/v1/metadata/activity.json';

test.each<[string, (activity: Activity) => void]>([
  [
    'another publication',
    (activity) => Object.assign(activity, { publication_revision: '00000000-0000-4000-8000-000000000000' }),
  ],
  ['other warnings', (activity) => Object.assign(activity, { warnings: [] })],
  ['a publication too few', ({ publications }) => publications.publication.pop()],
  ['a gap between publications', ({ publications }) => publications.publication.splice(3, 1, 9)],
  ['another time', ({ publications }) => publications.published_at.splice(-1, 1, '2001-01-01T00:00:00Z')],
  ['another count', ({ publications }) => publications.events.price_changed.splice(4, 1, 99)],
  ['another number of rises', ({ prices }) => Object.assign(prices ?? {}, { rise_count: 99 })],
])('an activity with %s', async (_, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, edit);
  expect(new Set(await site.faults())).toEqual(new Set([`activity_mismatch ${path}`]));
});

test('a site that was built before there was an activity is whole', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1', ({ data }) => delete data.links.activity);
  site.removeRoute(path);
  expect(await site.faults()).toEqual([]);
});
