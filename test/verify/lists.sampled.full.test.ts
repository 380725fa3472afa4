import { expect, test } from 'vitest';
import type { PageIndex } from '../../contract/schemas/pages.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(11, 12);

const page = (number: number) => `/v1/changes/pages/${number}.json`;

test('rows repeated', async () => {
  const site = new EditedSite(example.folder);
  const lists = ['/v1/products', '/v1/product-families', '/v1/brands', '/v1/stores'];
  for (const path of lists) site.editDocument(path, ({ data }) => data.splice(2, 0, data[2]));
  const faults = await site.faults();
  expect(new Set(faults)).toEqual(new Set(['list_count /v1/metadata', ...lists.map((path) => `list_order ${path}`)]));
  expect(faults.filter((fault) => fault === 'list_count /v1/metadata')).toHaveLength(lists.length);
});

test('rows left out, and an event on two pages', async () => {
  const site = new EditedSite(example.folder);
  for (const path of ['/v1/products', '/v1/changes']) site.editDocument(path, ({ data }) => data.splice(2, 1));
  const last = site.document(page(6)).data.at(-1);
  site.editDocument(page(5), ({ data }) => data.splice(0, 1, last));
  const faults = await site.explainedFaults();
  for (const count of ['listed_products', 'change_events', 'feed.last_event']) {
    expect(faults).toContainEqual(expect.stringContaining(`list_count /v1/metadata: ${count} `));
  }
  expect(faults).toContainEqual(expect.stringContaining('list_count /v1/changes: retained_event_count '));
  expect(faults).toContainEqual(expect.stringContaining(`list_order ${page(5)}: `));
});

const shorter = ['list_count /v1/changes', 'index_mismatch /v1/changes/pages.json', 'list_count /v1/metadata'];

test.each<[string, (site: EditedSite) => void, string[]]>([
  [
    'skips a page',
    (site) => site.editDocument(page(5), ({ links }) => Object.assign(links, { next: page(3) })),
    shorter,
  ],
  [
    'ends early',
    (site) =>
      site.editDocument(page(5), ({ meta, links }) => {
        links.next = null;
        meta.page.has_more = false;
      }),
    shorter,
  ],
  [
    'turns in a circle',
    (site) => site.editDocument(page(2), ({ links }) => Object.assign(links, { next: page(4) })),
    [`list_continuation ${page(2)}`],
  ],
  [
    'goes on with another list',
    (site) => {
      const [other = ''] = site.paths(/^\/v1\/products\/.*\/pages\/1\.json$/);
      site.editDocument(page(2), ({ links }) => Object.assign(links, { next: other }));
    },
    [`list_continuation ${page(2)}`],
  ],
])('a walk that %s', async (_, edit, expected) => {
  const site = new EditedSite(example.folder);
  edit(site);
  expect([...new Set(await site.faults())]).toEqual(expected);
});

test('two rows exchanged, pages and a history that contradict themselves, and foreign rows', async () => {
  const site = new EditedSite(example.folder);
  const expected = ['list_order /v1/stores'];
  site.editDocument('/v1/stores', ({ data }) => data.splice(0, 2, data[1], data[0]));
  // has_more against the link, and a cursor and an expiry in a file.
  const paging = [{ has_more: false }, { next_cursor: 'abc' }, { cursor_expires_at: '2025-06-05T22:15:00Z' }];
  for (const [i, fields] of paging.entries()) {
    site.editDocument(page(i + 4), ({ meta }) => Object.assign(meta.page, fields));
    expected.push(`list_continuation ${page(i + 4)}`);
  }
  site.editDocument(page(7), ({ links }) => Object.assign(links, { self: page(3) }));
  expected.push(`document_misplaced ${page(7)}`);
  const history = {
    retained_event_count: 7,
    earliest_available_at: '2025-03-01T00:00:00Z',
    latest_available_at: null,
  };
  site.editDocument('/v1/changes', ({ meta }) => Object.assign(meta.history, history));
  expected.push(...Object.keys(history).map(() => 'list_count /v1/changes'));
  expected.push(`list_foreign_row ${plantInProduct(site)}`, `list_foreign_row ${plantInFamily(site)}`);
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

/** Puts an event of another product into a product's list. Returns its address. */
function plantInProduct(site: EditedSite): string {
  const [path = '', other = ''] = site.paths(/^\/v1\/products\/[^/]+\/changes$/);
  site.editDocument(path, ({ data }) => Object.assign(data[0], { product: site.document(other).data[0].product }));
  return path;
}

/** Puts an event of a product outside the family into the family's list. Returns its address. */
function plantInFamily(site: EditedSite): string {
  const [path = ''] = site.paths(/^\/v1\/product-families\/[^/]+\/changes$/);
  const members = site.document(path.replace('/changes', '')).data.members.map(({ id }: { id: string }) => id);
  const stranger = site.document('/v1/products').data.find(({ id }: { id: string }) => !members.includes(id));
  site.editDocument(path, ({ data }) => Object.assign(data[0].product, { id: stranger.id }));
  return path;
}

test('counts of the metadata', async () => {
  const site = new EditedSite(example.folder);
  const names = Object.keys(site.document('/v1/metadata').data.counts);
  site.editDocument('/v1/metadata', ({ data }) => {
    for (const name of names) data.counts[name] += 1;
  });
  const faults = await site.faults();
  expect(new Set(faults)).toEqual(new Set(['list_count /v1/metadata', 'list_count /v1/search/index.json']));
  expect(faults.length).toBeGreaterThan(names.length);
});

const indexPath = '/v1/changes/pages.json';

/** Edits of the index, each with what `verify` expects instead. */
const wrongSummaries: [expected: string, edit: (index: PageIndex) => void][] = [
  ['page 2 with count', ({ pages }) => Object.assign(pages[1] ?? {}, { count: 99 })],
  ['page 3 with retrieved', ({ pages }) => Object.assign(pages[2] ?? {}, { retrieved: pages[3]?.retrieved })],
  ['page 4 with published', ({ pages }) => Object.assign(pages[3] ?? {}, { published: pages[9]?.published })],
  ['page 5 with types', ({ pages }) => pages[4]?.types.pop()],
  ['page 6 with stores', ({ pages }) => pages[5]?.stores.pop()],
  // One twice, and one that is not in a table.
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
  site.editDocument(indexPath, (index) => {
    for (const [, edit] of edits) edit(index);
  });
  const faults = await site.explainedFaults();
  for (const [expected] of edits) {
    expect(faults).toContainEqual(expect.stringContaining(`index_mismatch ${indexPath}: ${expected}`));
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
  site.editDocument(indexPath, ({ pages }) => Object.assign(pages.at(-1) ?? {}, { number: 2 ** 40 }));
  const faults = await site.faults();
  for (const index of [own, third, fourth, indexPath]) expect(faults).toContain(`index_mismatch ${index}`);
});
