import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pointer } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { build, publishParts, temporaryFolder } from '../build/fixture-series.ts';
import { randomWorld } from '../support/random-world.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(12);
/** A site of few documents, whose last two publications correct the one before. */
const scratch = temporaryFolder();
const small = `${scratch.path}/site`;
beforeAll(async () => {
  const database = `${scratch.path}/publication.sqlite`;
  for (const [index, snapshot] of randomWorld({ seed: 8, products: 4, stores: 3, publications: 4 }).entries()) {
    const revisions = existsSync(small) ? [new EditedSite(small).pointer.revision] : [];
    const correction = index >= 2 ? { revisions, reason: `reason ${index}` } : null;
    const retention = { history_days: 365, publication_days: 365 };
    await publishParts(database, { ...snapshot, header: { ...snapshot.header, retention } }, { correction });
    await build(database, small);
  }
});
afterAll(scratch.remove);

const nobody = '00000000-0000-4000-8000-000000000000';

/** Sets fields of the pointer and of the entries of these publications. */
const both =
  (fields: Partial<Pointer>, ...at: readonly number[]) =>
  (pointer: Pointer) => {
    Object.assign(pointer, fields);
    for (const index of at) Object.assign(pointer.publications[index] ?? {}, fields);
  };
const entry = (index: number, fields: object) => (pointer: Pointer) =>
  Object.assign(pointer.publications[index] ?? {}, fields);
const added = { revision: nobody, sequence: 1, published_at: '2025-01-01T00:00:00Z', routes: null };

test.each<[string, (pointer: Pointer) => unknown]>([
  ['revision', both({ revision: nobody })],
  ['revision, in both places', both({ revision: nobody }, 0)],
  ['sequence', both({ sequence: 99 })],
  ['sequence, in both places', both({ sequence: 99 }, 0)],
  ['published_at', both({ published_at: '2025-06-05T22:00:01Z' })],
  ['size of the root', (pointer) => Object.assign(pointer.routes, { size: 1 })],
  ['root among the publications', (pointer) => Object.assign(pointer.publications[0]?.routes ?? {}, { size: 1 })],
  ['sequence of a retained publication', entry(2, { sequence: 99 })],
  ['sequence, which two publications have,', entry(2, { sequence: 3 })],
  [
    'time of a retained publication',
    ({ publications: [, , third] }) =>
      Object.assign(third ?? {}, { published_at: third?.published_at.replace(/\d\dZ$/, '59Z') }),
  ],
  ['revision of a retained publication', entry(2, { revision: nobody })],
  ['order', (pointer) => pointer.publications.reverse()],
  ['number of publications, one less', (pointer) => pointer.publications.pop()],
  ['number of publications, one more', (pointer) => pointer.publications.push(added)],
])('a pointer with another %s', async (_, edit) => {
  const site = new EditedSite(small);
  site.editPointer(edit);
  const faults = await site.faults();
  expect(faults[0]).toMatch(/^(pointer_unreadable|pointer_inconsistent|publication_mismatch|checkout_missing) /);
  expect(faults.some((fault) => fault.endsWith(' current.json'))).toBe(true);
});

test('a pointer to nothing', async () => {
  const site = new EditedSite(small);
  const root = '0'.repeat(64);
  site.editPointer((pointer) => {
    pointer.routes.sha256 = root;
    for (const { routes } of pointer.publications) if (routes) routes.sha256 = root;
  });
  expect(await site.faults()).toEqual([`object_missing ${objectPath(root)}`]);
});

test.each<[string, RegExp, string, fault: string]>([
  ['without its last brace', /\}\n$/, '\n', 'unreadable'],
  ['of another format', /shelfpress-site/, 'shelfpress-sate', 'unreadable'],
  ['with a key it does not have', /"sequence"/, '"sequenze"', 'unreadable'],
  ['with a blank in place of its last line feed', /\n$/, ' ', 'inconsistent'],
])('a pointer %s', async (_, part, other, fault) => {
  const site = new EditedSite(small);
  site.write('current.json', site.bytes('current.json').toString().replace(part, other));
  expect(new Set(await site.faults())).toEqual(new Set([`pointer_${fault} current.json`]));
});

test('documents of another publication', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1', ({ data }) => Object.assign(data, { published_at: '2025-06-05T22:00:01Z' }));
  site.editDocument('/v1/exports', ({ data }) => Object.assign(data, { publication_revision: nobody }));
  const search = '/v1/search/index.json';
  site.editDocument(search, (document) => Object.assign(document, { publication_revision: nobody }));
  site.editDocument('/v1/metadata/publications', ({ data }) => Object.assign(data[1], { current: true }));
  const paths = ['/v1', '/v1/exports', '/v1/metadata/publications', search];
  expect(new Set(await site.faults())).toEqual(new Set(paths.map((path) => `publication_mismatch ${path}`)));
});

test('publications in another order, and corrections that are not in the order of the feed', async () => {
  const site = new EditedSite(small);
  site.editDocument('/v1/metadata/publications', ({ data }) => data.reverse());
  site.editDocument('/v1/metadata', ({ data: { feed } }) => {
    const [first, second] = feed.corrections;
    first.number = 2;
    first.after_event = second.after_event + 1;
    second.corrected[0].last_event = second.after_event + 1;
    feed.last_event = 1;
  });
  const faults = await site.explainedFaults();
  const claims = ['correction 1', 'after_event ', 'events up to '].map(
    (claim) => `publication_mismatch /v1/metadata: ${claim}`,
  );
  for (const claim of [...claims, 'list_count /v1/metadata: feed.last_event ']) {
    expect(faults).toContainEqual(expect.stringContaining(claim));
  }
  expect(faults).toContainEqual(
    expect.stringContaining('publication_mismatch /v1/metadata/publications: newest first'),
  );
});

test('exports of a publication that is not retained', async () => {
  const site = new EditedSite(example.folder);
  const oldest = site.pointer.publications.at(-1)?.revision ?? '';
  site.editDocument('/v1/metadata/publications', ({ data }) => data.pop());
  site.editPointer((pointer) => pointer.publications.pop());
  const faults = await site.faults();
  expect(faults).toHaveLength(10);
  for (const fault of faults) expect(fault).toContain(`publication_mismatch /v1/exports/${oldest}/`);
});
