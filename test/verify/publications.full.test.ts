import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pointer } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { build, publishParts, temporaryFolder } from '../build/fixture-series.ts';
import { randomWorld } from '../support/random-world.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
/** A site of few documents, whose last two publications correct the one before. */
const scratch = temporaryFolder();
const small = `${scratch.path}/site`;
beforeAll(async () => {
  example = await buildExampleSite(12);
  const database = `${scratch.path}/publication.sqlite`;
  for (const [index, snapshot] of randomWorld({ seed: 8, products: 4, stores: 3, publications: 4 }).entries()) {
    const revisions = existsSync(small) ? [new EditedSite(small).pointer.revision] : [];
    const correction = index >= 2 ? { revisions, reason: `reason ${index}` } : null;
    const retention = { history_days: 365, publication_days: 365 };
    await publishParts(database, { ...snapshot, header: { ...snapshot.header, retention } }, { correction });
    await build(database, small);
  }
});
afterAll(() => {
  example.remove();
  scratch.remove();
});

const nobody = '00000000-0000-4000-8000-000000000000';

test.each<[string, (pointer: Pointer) => unknown]>([
  ['revision', (pointer) => Object.assign(pointer, { revision: nobody })],
  [
    'revision, in both places',
    (pointer) => [pointer, pointer.publications[0] ?? {}].map((one) => Object.assign(one, { revision: nobody })),
  ],
  ['sequence', (pointer) => Object.assign(pointer, { sequence: 99 })],
  [
    'sequence, in both places',
    (pointer) => [pointer, pointer.publications[0] ?? {}].map((one) => Object.assign(one, { sequence: 99 })),
  ],
  ['published_at', (pointer) => Object.assign(pointer, { published_at: '2025-06-05T22:00:01Z' })],
  ['size of the root', (pointer) => Object.assign(pointer.routes, { size: 1 })],
  ['root among the publications', (pointer) => Object.assign(pointer.publications[0]?.routes ?? {}, { size: 1 })],
  ['sequence of a retained publication', (pointer) => Object.assign(pointer.publications[2] ?? {}, { sequence: 99 })],
  [
    'time of a retained publication',
    ({ publications: [, , third] }) =>
      Object.assign(third ?? {}, { published_at: third?.published_at.replace(/\d\dZ$/, '59Z') }),
  ],
  [
    'revision of a retained publication',
    (pointer) => Object.assign(pointer.publications[2] ?? {}, { revision: nobody }),
  ],
  ['order', (pointer) => pointer.publications.reverse()],
  [
    'sequence, which two publications have,',
    ({ publications: [, newer, older] }) => Object.assign(older ?? {}, { sequence: newer?.sequence }),
  ],
  ['number of publications, one less', (pointer) => pointer.publications.pop()],
  [
    'number of publications, one more',
    (pointer) =>
      pointer.publications.push({ revision: nobody, sequence: 1, published_at: '2025-01-01T00:00:00Z', routes: null }),
  ],
])('a pointer with another %s', async (what, edit) => {
  const site = new EditedSite(small);
  site.editPointer(edit);
  const faults = await site.faults();
  expect(faults[0] ?? what).toMatch(
    /^(pointer_unreadable|pointer_inconsistent|publication_mismatch|checkout_missing) /,
  );
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

test.each<[string, (text: string) => string]>([
  ['without its last brace', (text) => text.replace(/\}\n$/, '\n')],
  ['of another format', (text) => text.replace('shelfpress-site', 'shelfpress-sate')],
  ['with a key it does not have', (text) => text.replace('"sequence"', '"sequenze"')],
])('a pointer %s', async (_, edit) => {
  const site = new EditedSite(small);
  site.write('current.json', edit(site.bytes('current.json').toString()));
  expect(new Set(await site.faults())).toEqual(new Set(['pointer_unreadable current.json']));
});

test('a pointer with a blank in place of its last line feed', async () => {
  const site = new EditedSite(small);
  const bytes = site.bytes('current.json');
  site.flipByte('current.json', bytes.length - 1, 0x0a ^ 0x20);
  expect(await site.faults()).toEqual(['pointer_inconsistent current.json']);
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

test('metadata of another publication contradict all the rest', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1/metadata', ({ data }) => Object.assign(data.publication, { revision: nobody }));
  expect(await site.faults()).toEqual([
    'publication_mismatch /v1',
    'publication_mismatch /v1/exports',
    'publication_mismatch /v1/products/browse.json',
    'publication_mismatch /v1/search/index.json',
    'publication_mismatch current.json',
  ]);
});

test('exports of a publication that is not retained', async () => {
  const site = new EditedSite(example.folder);
  const oldest = site.pointer.publications.at(-1)?.revision ?? '';
  site.editDocument('/v1/metadata/publications', ({ data }) => data.pop());
  site.editPointer((pointer) => pointer.publications.pop());
  const files = [
    'CITATION.cff',
    'SHA256SUMS',
    'daily.parquet',
    'datapackage.json',
    'inventory.ndjson.gz',
    'inventory.parquet',
    'products.ndjson.gz',
    'products.parquet',
    'stores.ndjson.gz',
    'stores.parquet',
  ];
  expect(await site.faults()).toEqual(files.map((name) => `publication_mismatch /v1/exports/${oldest}/${name}`));
});
