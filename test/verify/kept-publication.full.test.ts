import { expect, test } from 'vitest';
import type { Pointer } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(11, 12);

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

test('its root missing, and another size of it in the pointer', async () => {
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
])('other fields in the pointer: %j', async (fields) => {
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
  site.editRoute(carried, (route) => Object.assign(route, { last_sequence: 3 }));
  expect(await site.faults()).toEqual(
    expect.arrayContaining([`route_missing ${gone}`, `document_misplaced ${other}`, `route_unknown ${carried}`]),
  );
});
