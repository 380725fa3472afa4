import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pointer } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(11, 12);
});
afterAll(() => example.remove());

type Kept = Pointer['publications'][number];
const keptIn = ({ publications }: Pointer) => publications[1] as Kept;

test('a flipped byte in an object that only a kept publication names', async () => {
  const site = new EditedSite(example.folder);
  const file = `checkouts/${keptIn(site.pointer).revision}/v1/metadata.json`;
  site.flipByte(file);
  const [first, second, ...more] = await site.faults();
  expect(first).toBe(`checkout_content ${file}`);
  expect(second).toMatch(/^object_damaged objects\//);
  expect(more).toEqual([]);
});

test('its root missing', async () => {
  const site = new EditedSite(example.folder);
  const root = objectPath(keptIn(site.pointer).routes?.sha256 ?? '');
  site.remove(root);
  expect(await site.faults()).toEqual([`object_missing ${root}`]);
});

test('a file of its checkout missing, and one too many', async () => {
  const site = new EditedSite(example.folder);
  const folder = `checkouts/${keptIn(site.pointer).revision}`;
  site.remove(`${folder}/v1/brands.json`);
  site.write(`${folder}/v1/brand.json`, '{}');
  expect(await site.faults()).toEqual([
    `checkout_stray ${folder}/v1/brand.json`,
    `checkout_missing ${folder}/v1/brands.json`,
  ]);
});

test.each<[string, (kept: Kept) => void]>([
  ['sequence', (kept) => Object.assign(kept, { sequence: kept.sequence - 1 })],
  ['published_at', (kept) => Object.assign(kept, { published_at: '2025-05-29T22:00:01Z' })],
  ['revision', (kept) => Object.assign(kept, { revision: '00000000-0000-4000-8000-000000000000' })],
])('another %s in the pointer', async (_, edit) => {
  const site = new EditedSite(example.folder);
  site.editPointer((pointer) => edit(keptIn(pointer)));
  expect(await site.faults()).toContain('publication_mismatch current.json');
});

test('another size of its root in the pointer', async () => {
  const site = new EditedSite(example.folder);
  const root = objectPath(keptIn(site.pointer).routes?.sha256 ?? '');
  site.editPointer((pointer) => Object.assign(keptIn(pointer).routes ?? {}, { size: 1 }));
  expect(await site.faults()).toEqual([`table_inconsistent ${root}`]);
});

/** The address of a family document in the current publication, which the kept one has too. */
const family = (site: EditedSite) => site.paths(/^\/v1\/product-families\/[0-9a-f-]{36}$/)[0] ?? '';

test('an address of a kept publication that has no answer any more', async () => {
  const site = new EditedSite(example.folder);
  const path = family(site);
  site.removeRoute(path);
  expect(await site.faults()).toContain(`route_missing ${path}`);
});

test('an address that is carried for readers of a publication that is not kept', async () => {
  const site = new EditedSite(example.folder);
  const path = family(site);
  site.editRoute(path, (route) => Object.assign(route, { last_sequence: 3 }));
  expect(await site.faults()).toContain(`route_unknown ${path}`);
});

test('an address that is carried for readers of a kept publication, with other bytes than it had there', async () => {
  const site = new EditedSite(example.folder);
  const path = family(site);
  site.editDocument(path, ({ data }) => {
    data.slug = `${data.slug}-x`;
  });
  site.editRoute(path, (route) => Object.assign(route, { last_sequence: keptIn(site.pointer).sequence }));
  expect(await site.faults()).toContain(`document_misplaced ${path}`);
});
