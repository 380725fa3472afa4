import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Activity } from '../../generator/contract/documents/metadata.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const path = '/v1/metadata/activity.json';

/** Edits of the activity, each with what is expected in place of it. */
const wrongStatements: [expected: string, edit: (activity: Activity) => void][] = [
  [
    'publication_revision',
    (activity) => Object.assign(activity, { publication_revision: '00000000-0000-4000-8000-000000000000' }),
  ],
  ['warnings', (activity) => Object.assign(activity, { warnings: [] })],
  // A gap.
  ['publications without gaps', ({ publications }) => publications.publication.splice(3, 1, 9)],
  ['the newest published at', ({ publications }) => publications.published_at.splice(-1, 1, '2001-01-01T00:00:00Z')],
  ['price_changed', ({ publications }) => publications.events.price_changed.splice(4, 1, 99)],
  ['rises and falls of prices', ({ prices }) => Object.assign(prices ?? {}, { rise_count: 99 })],
];
const wrongLength: typeof wrongStatements = [
  ['as many times as publications', ({ publications }) => publications.publication.pop()],
];

test.each([
  ['other statements', wrongStatements],
  ['a publication too few', wrongLength],
])('an activity with %s', async (_, edits) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, (activity) => {
    for (const [, edit] of edits) edit(activity);
  });
  const faults = await site.explainedFaults();
  for (const [expected] of edits) {
    expect(faults).toContainEqual(expect.stringContaining(`activity_mismatch ${path}: ${expected}`));
  }
  expect(faults.filter((fault) => !fault.startsWith(`activity_mismatch ${path}: `))).toEqual([]);
});

test('a site that was built before there was an activity is whole', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1', ({ data }) => delete data.links.activity);
  site.removeRoute(path);
  expect(await site.faults()).toEqual([]);
});
