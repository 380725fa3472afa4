import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageIndex } from '../../generator/contract/formats/page-index.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const path = '/v1/changes/pages.json';

test.each<[string, (index: PageIndex) => void]>([
  ['count', ({ pages }) => Object.assign(pages[2] ?? {}, { count: 99 })],
  ['range of retrieval', ({ pages }) => Object.assign(pages[2] ?? {}, { retrieved: pages[3]?.retrieved })],
  ['range of publication', ({ pages }) => Object.assign(pages[2] ?? {}, { published: pages[9]?.published })],
  ['types', ({ pages }) => pages[2]?.types.pop()],
  ['stores', ({ pages }) => pages[2]?.stores.pop()],
  ['products, one twice', ({ pages }) => pages[2]?.products.push(pages[2].products[0] ?? 0)],
  ['products, one of no table', ({ pages }) => pages[2]?.products.splice(0, 1, 9999)],
  ['numbers', ({ pages }) => Object.assign(pages[0] ?? {}, { number: 7 })],
  ['address of pages', (index) => Object.assign(index, { page_path: '/v1/changes/page/{number}.json' })],
  ['first page', (index) => Object.assign(index, { first_page: 2 })],
  ['first page, far off', (index) => Object.assign(index, { first_page: 2 ** 40 })],
  ['number, far off', ({ pages }) => Object.assign(pages.at(-1) ?? {}, { number: 2 ** 40 })],
  ['last page', ({ pages }) => pages.pop()],
  ['table of products', ({ products }) => products.reverse()],
])('%s that the pages do not have', async (_, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, edit);
  expect(await site.faults()).toContain(`index_mismatch ${path}`);
});

test('the index of a list that has moved on', async () => {
  const site = new EditedSite(example.folder);
  const [own = '', other = ''] = site
    .paths(/^\/v1\/product-families\/.*\/changes\/pages\.json$/)
    .filter((candidate) => site.document(candidate).pages.length > 0);
  site.editDocument(own, (index) => Object.assign(index, { page_path: site.document(other).page_path }));
  expect(await site.faults()).toContain(`index_mismatch ${own}`);
});
