import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowseIndex } from '../../generator/contract/documents/browse.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const path = '/v1/products/browse.json';

test.each<[string, (index: BrowseIndex) => void]>([
  ['a column that is too short', ({ columns }) => columns.price_minor.pop()],
  ['another count', (index) => Object.assign(index, { count: index.count + 1 })],
  ['a brand beyond its table', ({ brands, columns }) => columns.brand.splice(0, 1, brands.length)],
  ['a status beyond its table', ({ statuses, columns }) => columns.status.splice(0, 1, statuses.length)],
  ['two products exchanged', ({ columns: { sku } }) => sku.splice(0, 2, ...sku.slice(0, 2).reverse())],
  ['another name', ({ columns }) => columns.name.splice(3, 1, 'Water')],
  ['another price', ({ columns }) => columns.price_minor.splice(3, 1, 1)],
  ['another brand', ({ brands }) => Object.assign(brands[0] ?? {}, { name: 'Nobody' })],
  ['a status that means something else', ({ statuses }) => Object.assign(statuses[0] ?? {}, { label: 'Other' })],
  ['another category', ({ categories }) => categories.splice(0, 1, 'cat_nothing')],
  ['another container count', ({ columns }) => columns.container_count.splice(3, 1, 99)],
  ['another date', ({ columns }) => columns.inventory_retrieved_on.splice(3, 1, '2001-01-01')],
  ['another word on the policy', ({ columns }) => columns.meets_retrieval_policy.fill(true)],
  ['another quantity', ({ columns }) => columns.reported_quantity.fill(1)],
  ['zeros of products that were never retrieved', zeroUnknown],
  ['other warnings', (index) => Object.assign(index, { warnings: [] })],
])('a browse index with %s', async (_, edit) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, edit);
  expect(new Set(await site.faults())).toEqual(new Set([`index_mismatch ${path}`]));
});

function zeroUnknown({ columns }: BrowseIndex): void {
  columns.reported_positive_store_count = columns.reported_positive_store_count.map((count) => count ?? 0);
}

test('a browse index of another publication', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, (index) =>
    Object.assign(index, { publication_revision: '00000000-0000-4000-8000-000000000000' }),
  );
  expect(await site.faults()).toEqual([`publication_mismatch ${path}`]);
});

test('a column that is shifted is one fault', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, ({ columns }: BrowseIndex) => columns.name.unshift(columns.name.pop() ?? ''));
  // Once as the list of products has it, once as the products' own documents have it.
  expect(await site.faults()).toEqual([`index_mismatch ${path}`, `index_mismatch ${path}`]);
});

test('a site that was built before there was a browse index is whole', async () => {
  const site = new EditedSite(example.folder);
  site.editDocument('/v1', ({ data }) => delete data.links.browse);
  site.removeRoute(path);
  expect(await site.faults()).toEqual([]);
});
