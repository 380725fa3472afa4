import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BrowseIndex } from '../../generator/contract/documents/search.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(12);
});
afterAll(() => example.remove());

const path = '/v1/products/browse.json';

/** Edits of the index, each with what is expected in place of it. */
const wrongFacts: [expected: string, edit: (index: BrowseIndex) => void][] = [
  ['name', ({ columns }) => columns.name.splice(3, 1, 'Water')],
  ['price_minor', ({ columns }) => columns.price_minor.splice(3, 1, 1)],
  ['brand', ({ brands }) => Object.assign(brands[0] ?? {}, { name: 'Nobody' })],
  ['status', ({ statuses }) => Object.assign(statuses[0] ?? {}, { label: 'Other' })],
  ['category', ({ categories }) => categories.splice(0, 1, 'cat_nothing')],
  ['container_count', ({ columns }) => columns.container_count.splice(3, 1, 99)],
  ['inventory_retrieved_on', ({ columns }) => columns.inventory_retrieved_on.splice(3, 1, '2001-01-01')],
  ['meets_retrieval_policy', ({ columns }) => columns.meets_retrieval_policy.fill(true)],
  ['reported_quantity', ({ columns }) => columns.reported_quantity.fill(1)],
  // Zeros of products that were never retrieved.
  ['reported_positive_store_count null', zeroUnknown],
  ['warnings', (index) => Object.assign(index, { warnings: [] })],
];
const wrongPositions: typeof wrongFacts = [
  ['\\d+ items in price_minor', ({ columns }) => columns.price_minor.pop()],
  ['positions in brand', ({ brands, columns }) => columns.brand.splice(0, 1, brands.length)],
  ['positions in status', ({ statuses, columns }) => columns.status.splice(0, 1, statuses.length)],
];
const wrongCount: typeof wrongFacts = [
  ['\\d+ items in sku', (index) => Object.assign(index, { count: index.count + 1 })],
];
const wrongOrder: typeof wrongFacts = [
  ['sku', ({ columns: { sku } }) => sku.splice(0, 2, ...sku.slice(0, 2).reverse())],
];

test.each([
  ['facts', wrongFacts],
  ['positions', wrongPositions],
  ['a count', wrongCount],
  ['an order', wrongOrder],
])('a browse index with %s that products do not have', async (_, edits) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, (index) => {
    for (const [, edit] of edits) edit(index);
  });
  const faults = await site.explainedFaults();
  for (const [expected] of edits) {
    expect(faults).toContainEqual(expect.stringMatching(`^index_mismatch ${path}: ${expected}\\b`));
  }
  expect(faults.filter((fault) => !fault.startsWith(`index_mismatch ${path}: `))).toEqual([]);
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
