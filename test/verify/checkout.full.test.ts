import { symlinkSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkoutFolder } from '../../generator/contract/paths.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

test('a missing file, files with other content, a link in place of one, and stray files', async () => {
  const site = new EditedSite(example.folder);
  const [missing, brands, stores, link] = ['/v1/openapi.json', '/v1/brands', '/v1/stores', '/v1/categories'].map(
    (path) => site.checkoutOf(path),
  ) as [string, string, string, string];
  const folder = checkoutFolder(site.pointer.revision);
  const strays = [`${folder}/about.html`, `${folder}/v1/brands/old.json`];
  site.remove(missing);
  // Content of the same size, and none.
  const bytes = site.bytes(brands);
  bytes[bytes.length - 1] = 0x20;
  site.write(brands, bytes);
  site.write(stores, '');
  site.remove(link);
  symlinkSync(site.locate(site.objectOf('/v1/categories')), site.locate(link));
  for (const stray of strays) site.write(stray, '{}');
  const expected = [
    `checkout_missing ${missing}`,
    ...[brands, stores, link].map((file) => `checkout_content ${file}`),
    ...strays.map((file) => `checkout_stray ${file}`),
  ];
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

test('no checkout at all', async () => {
  const site = new EditedSite(example.folder);
  const folder = checkoutFolder(site.pointer.revision);
  site.remove(folder);
  expect(await site.faults()).toEqual([`checkout_missing ${folder}`]);
});

test.each([
  ['to another revision', checkoutFolder('00000000-0000-4000-8000-000000000000')],
  ['to an absolute path', `/srv/${checkoutFolder('00000000-0000-4000-8000-000000000000')}`],
  ['missing', null],
])('the site link %s', async (_, target) => {
  const site = new EditedSite(example.folder);
  site.remove('site');
  if (target !== null) symlinkSync(target, site.locate('site'));
  expect(await site.faults()).toEqual(['site_link site']);
});

test('a folder in place of the site link', async () => {
  const site = new EditedSite(example.folder);
  site.remove('site');
  site.write('site/v1/index.json', '{}');
  expect(await site.faults()).toEqual(['site_link site']);
});
