import { expect, test } from 'vitest';
import type { PageIndex } from '../../generator/contract/formats/page-index.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(12);

const path = '/v1/changes/pages.json';

/** Edits of the index, each with what is expected in place of it. */
const wrongSummaries: [expected: string, edit: (index: PageIndex) => void][] = [
  ['page 2 with count', ({ pages }) => Object.assign(pages[1] ?? {}, { count: 99 })],
  ['page 3 with retrieved', ({ pages }) => Object.assign(pages[2] ?? {}, { retrieved: pages[3]?.retrieved })],
  ['page 4 with published', ({ pages }) => Object.assign(pages[3] ?? {}, { published: pages[9]?.published })],
  ['page 5 with types', ({ pages }) => pages[4]?.types.pop()],
  ['page 6 with stores', ({ pages }) => pages[5]?.stores.pop()],
  // One twice, and one of no table.
  ['page 7 with products', ({ pages }) => pages[6]?.products.push(pages[6].products[0] ?? 0)],
  ['page 8 with products', ({ pages }) => pages[7]?.products.splice(0, 1, 9999)],
];
const wrongPages: typeof wrongSummaries = [
  ['pages numbered one after the other', ({ pages }) => Object.assign(pages[0] ?? {}, { number: 7 })],
  ['page_path of its own list', (index) => Object.assign(index, { page_path: '/v1/changes/page/{number}.json' })],
  ['the pages that the list leads to', ({ pages }) => pages.pop()],
  ['page 2 with products', ({ products }) => products.reverse()],
];

test.each([
  ['summaries', wrongSummaries],
  ['pages', wrongPages],
])('%s that the pages do not have', async (_, edits) => {
  const site = new EditedSite(example.folder);
  site.editDocument(path, (index) => {
    for (const [, edit] of edits) edit(index);
  });
  const faults = await site.explainedFaults();
  for (const [expected] of edits) {
    expect(faults).toContainEqual(expect.stringContaining(`index_mismatch ${path}: ${expected}`));
  }
});

test('page numbers far off, and the index of a list that has moved on', async () => {
  const site = new EditedSite(example.folder);
  const [own = '', other = '', third = ''] = site
    .paths(/^\/v1\/product-families\/.*\/changes\/pages\.json$/)
    .filter((candidate) => site.document(candidate).pages.length > 0);
  site.editDocument(own, (index) => Object.assign(index, { page_path: site.document(other).page_path }));
  site.editDocument(third, (index) => Object.assign(index, { first_page: 2 ** 40 }));
  const [fourth = ''] = site.paths(/^\/v1\/products\/.*\/changes\/pages\.json$/);
  site.editDocument(fourth, (index) => Object.assign(index, { first_page: 2 }));
  site.editDocument(path, ({ pages }) => Object.assign(pages.at(-1) ?? {}, { number: 2 ** 40 }));
  const faults = await site.faults();
  for (const index of [own, third, fourth, path]) expect(faults).toContain(`index_mismatch ${index}`);
});
