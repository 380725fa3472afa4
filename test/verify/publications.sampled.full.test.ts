import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { Pointer } from '../../contract/schemas/site-files.ts';
import { randomWorld } from '../support/random-world.ts';
import { build, publishParts, temporaryFolder } from '../units/fixture-series.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(2, 3);
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
  expect(faults).toHaveLength(11);
  for (const fault of faults) expect(fault).toContain(`publication_mismatch /v1/exports/${oldest}/`);
});

type Kept = Pointer['publications'][number];
const keptIn = ({ publications }: Pointer) => publications[1] as Kept;

test('a flipped byte in an object that only a kept publication names, a file missing, and one too many', async () => {
  const site = new EditedSite(example.folder);
  const folder = `checkouts/${keptIn(site.pointer).revision}`;
  for (const name of ['metadata.json', 'search/index.json.br']) site.flipByte(`${folder}/v1/${name}`);
  site.remove(`${folder}/v1/brands.json`);
  site.write(`${folder}/v1/brand.json`, '{}');
  expect(await site.faults()).toEqual([
    `checkout_stray ${folder}/v1/brand.json`,
    `checkout_missing ${folder}/v1/brands.json`,
    `checkout_content ${folder}/v1/metadata.json`,
    `checkout_content ${folder}/v1/search/index.json.br`,
    expect.stringMatching(/^object_damaged objects\//),
    expect.stringMatching(/^object_damaged objects\//),
  ]);
});

test('the root of a kept publication missing, and another size of it in the pointer', async () => {
  const site = new EditedSite(example.folder);
  const root = objectPath(keptIn(site.pointer).routes?.sha256 ?? '');
  site.editPointer((pointer) => Object.assign(keptIn(pointer).routes ?? {}, { size: 1 }));
  expect(await site.faults()).toEqual([`table_inconsistent ${root}`]);
  site.remove(root);
  expect(await site.faults()).toEqual([`object_missing ${root}`]);
});

test.each<Partial<Kept>>([
  { sequence: 10 },
  { published_at: '2025-05-29T22:00:01Z' },
  { revision: '00000000-0000-4000-8000-000000000000' },
])('a kept publication with other fields in the pointer: %j', async (fields) => {
  const site = new EditedSite(example.folder);
  site.editPointer((pointer) => Object.assign(keptIn(pointer), fields));
  expect(await site.faults()).toContain('publication_mismatch current.json');
});

test('addresses of a kept publication that have no answer, other bytes, or an end before it', async () => {
  const site = new EditedSite(example.folder);
  const [gone = '', other = '', carried = ''] = site.paths(/^\/v1\/product-families\/[0-9a-f-]{36}$/);
  site.removeRoute(gone);
  // An address that is carried for readers of a kept publication, with other bytes than it had there.
  site.editDocument(other, ({ data }) => {
    data.slug = `${data.slug}-x`;
  });
  site.editRoute(other, (route) => Object.assign(route, { last_sequence: keptIn(site.pointer).sequence }));
  // One that is carried for readers of a publication that is not kept.
  site.editRoute(carried, (route) => Object.assign(route, { last_sequence: 1 }));
  expect(await site.faults()).toEqual(
    expect.arrayContaining([`route_missing ${gone}`, `document_misplaced ${other}`, `route_unknown ${carried}`]),
  );
});
