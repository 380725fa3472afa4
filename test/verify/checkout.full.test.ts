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

test('a missing file', async () => {
  const site = new EditedSite(example.folder);
  const file = site.checkoutOf('/v1/openapi.json');
  site.remove(file);
  expect(await site.faults()).toEqual([`checkout_missing ${file}`]);
});

test('a file with other content, of the same size and of none', async () => {
  const site = new EditedSite(example.folder);
  const [brands, stores] = [site.checkoutOf('/v1/brands'), site.checkoutOf('/v1/stores')];
  const bytes = site.bytes(brands);
  bytes[bytes.length - 1] = 0x20;
  site.write(brands, bytes);
  site.write(stores, '');
  expect(await site.faults()).toEqual([`checkout_content ${brands}`, `checkout_content ${stores}`]);
});

test('a link in place of a file', async () => {
  const site = new EditedSite(example.folder);
  const file = site.checkoutOf('/v1/brands');
  site.remove(file);
  symlinkSync(site.locate(site.objectOf('/v1/brands')), site.locate(file));
  expect(await site.faults()).toEqual([`checkout_content ${file}`]);
});

test('stray files', async () => {
  const site = new EditedSite(example.folder);
  const folder = checkoutFolder(site.pointer.revision);
  site.write(`${folder}/about.html`, '<p>');
  site.write(`${folder}/v1/brands/old.json`, '{}');
  expect(await site.faults()).toEqual([
    `checkout_stray ${folder}/about.html`,
    `checkout_stray ${folder}/v1/brands/old.json`,
  ]);
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
