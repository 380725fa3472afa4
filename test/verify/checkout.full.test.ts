import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkoutFolder } from '../../generator/contract/paths.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(2);

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

const other = checkoutFolder('00000000-0000-4000-8000-000000000000');

test.each<[string, (site: EditedSite) => void, (folder: string) => string[]]>([
  ['to another revision', (site) => symlinkSync(other, site.locate('site')), () => []],
  ['that is a folder', (site) => site.write('site/v1/index.json', '{}'), () => []],
  [
    'missing, and no checkout at all',
    (site) => site.remove(checkoutFolder(site.pointer.revision)),
    (folder) => [`checkout_missing ${folder}`],
  ],
])('the site link %s', async (_, edit, more) => {
  const site = new EditedSite(example.folder);
  const folder = checkoutFolder(site.pointer.revision);
  site.remove('site');
  edit(site);
  expect(await site.faults()).toEqual([...more(folder), 'site_link site']);
});
