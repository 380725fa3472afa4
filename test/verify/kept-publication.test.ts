import { afterAll, beforeAll, expect, test } from 'vitest';
import { objectPath } from '../../generator/contract/paths.ts';
import type { Pointer } from '../../generator/contract/site.ts';
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
