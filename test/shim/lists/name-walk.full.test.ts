import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Asking, asking } from '../asking.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinyDocument, type TinySite, tinySite } from '../tiny-site.ts';
import { revisionNumber } from './synthetic-feed.ts';

const meta = { page: {}, warnings: [{ code: 'FIXTURE_DATA' }] };

function idFor(n: number): string {
  return `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
}

/** The documents of a list by name, in pages of 100 whose addresses differ between publications. */
function listDocuments(path: string, ids: readonly string[], sequence: number): Record<string, TinyDocument> {
  const pages = Math.max(1, Math.ceil(ids.length / 100));
  const address = (page: number) =>
    page === 0 ? path : `${path}/pages/${String(sequence * 1000 + page).padStart(16, '0')}.json`;
  return Object.fromEntries(
    Array.from({ length: pages }, (_, page) => {
      const data = ids.slice(page * 100, (page + 1) * 100).map((id) => ({ id }));
      const links = { self: address(page), next: page + 1 < pages ? address(page + 1) : null };
      return [address(page), { body: JSON.stringify({ data, meta, links }) }];
    }),
  );
}

async function walk({ ask }: Asking, target: string, between: (step: number) => void = () => {}) {
  const ids: string[] = [];
  const sizes: number[] = [];
  let next: string | null = target;
  for (let step = 0; next !== null; step += 1) {
    if (step > 0) between(step);
    const answer = await ask(next);
    expect(answer.status).toBe(200);
    // A list of one page is its precomputed file.
    if (answer.kind === 'file') return { ids, sizes, isFile: true };
    const { data, meta, links } = answer.page<{ readonly id: string }>();
    ids.push(...data.map(({ id }) => id));
    sizes.push(data.length);
    expect(meta.page.has_more).toBe(links.next !== null);
    next = links.next;
  }
  return { ids, sizes, isFile: false };
}

describe('contract 4: reading a list by name page by page', () => {
  test('gives each row once, in order, in pages of the requested size', async () => {
    const world = fc.record({
      count: fc.integer({ min: 0, max: 420 }),
      limit: fc.option(fc.constantFrom(1, 13, 99, 100)),
    });
    await fc.assert(
      fc.asyncProperty(world, async ({ count, limit }) => {
        const ids = Array.from({ length: count }, (_, n) => idFor(n));
        const site = tinySite({ revision: revisionNumber(1), documents: listDocuments('/v1/products', ids, 1) });
        const walked = await walk(asking(new MemoryReader(site)), `/v1/products${limit ? `?limit=${limit}` : ''}`);
        if (walked.isFile) {
          expect([limit, count <= 100]).toEqual([null, true]);
          return;
        }
        expect(walked.ids).toEqual(ids);
        for (const size of walked.sizes.slice(0, -1)) expect(size).toBe(limit ?? 100);
      }),
      { numRuns: 20 },
    );
  });

  test('stays in its publication while its documents are kept, and expires then', async () => {
    const before = Array.from({ length: 250 }, (_, n) => idFor(n));
    const after = before.filter((_, n) => n % 3 !== 0);
    const makeSite = (sequence: number, ids: readonly string[]): TinySite =>
      tinySite({ revision: revisionNumber(sequence), sequence, documents: listDocuments('/v1/stores', ids, sequence) });
    const reader = new MemoryReader(makeSite(1, before));
    const asked = asking(reader);
    const kept = await walk(asked, '/v1/stores?limit=40', (step) => {
      if (step === 2) reader.publishBeside(makeSite(2, after));
    });
    expect(kept.ids).toEqual(before);
    const first = await asked.ask('/v1/stores');
    expect(first.headers['X-Publication-Revision']).toBe(revisionNumber(2));
    reader.publishAfter(makeSite(3, before));
    expect((await asked.ask(first.next)).code).toBe('CURSOR_EXPIRED');
  });

  test('expires if its publication is built again, with pages at other addresses', async () => {
    const ids = Array.from({ length: 250 }, (_, n) => idFor(n));
    const makeSite = (pages: number) =>
      tinySite({ revision: revisionNumber(1), sequence: 1, documents: listDocuments('/v1/stores', ids, pages) });
    const reader = new MemoryReader(makeSite(1));
    const asked = asking(reader);
    const { next } = await asked.ask('/v1/stores');
    const later = await asked.ask(next);
    reader.publishAfter(makeSite(2));
    expect((await asked.ask(later.next)).code).toBe('CURSOR_EXPIRED');
  });
});

const names = ['Alma', 'Corvane', 'Nine Lanterns', 'Velloire', 'Wrenmoor', 'wren'];
const categoryIds = ['cat_a', 'cat_a_b', 'cat_a_b_c', 'cat_d', 'cat_e'];

/** The categories cat_a > cat_a_b > cat_a_b_c, and cat_d > cat_e. Those in `inactive` are not active. */
function categoryRows(inactive: readonly string[]) {
  const parents: Readonly<Record<string, string>> = { cat_a_b: 'cat_a', cat_a_b_c: 'cat_a_b', cat_e: 'cat_d' };
  return categoryIds.map((id) => ({
    id,
    parent_id: parents[id] ?? null,
    name: id,
    active: !inactive.includes(id),
    product_count: 0,
    total_product_count: 0,
  }));
}

function brandSite(brands: readonly { id: string; name: string; categories: readonly string[] }[], inactive: string[]) {
  const rows = brands.map(({ id, name, categories }) => ({
    id,
    slug: name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    name,
    product_count: 1,
    family_count: 0,
    category_ids: categories,
    inventory_retrieved_at: null,
  }));
  return tinySite({
    revision: revisionNumber(1),
    documents: {
      ...listDocuments(
        '/v1/brands',
        brands.map(({ id }) => id),
        1,
      ),
      '/v1/brands/index.json': {
        body: JSON.stringify({
          warnings: [],
          brands: rows.map((brand) => ({ brand, names: [brand.name.toLowerCase(), brand.slug] })),
        }),
      },
      '/v1/categories': { body: JSON.stringify({ data: categoryRows(inactive), meta: { warnings: [] } }) },
    },
  });
}

test('contract 3: a category includes those below it that are reached through active ones, and itself, active or not', async () => {
  const brands = names.map((name, n) => ({ id: idFor(n), name, categories: [categoryIds[n % 5] as string] }));
  const found = async (query: string, inactive: string[] = []) => {
    const { ids } = await walk(asking(new MemoryReader(brandSite(brands, inactive))), `/v1/brands?${query}`);
    return ids.map((id) => names[Number(id.slice(-12))]);
  };
  const at = (...ids: string[]) => names.filter((_, n) => ids.includes(categoryIds[n % 5] as string));
  expect(await found('category_ids=cat_a')).toEqual(at('cat_a', 'cat_a_b', 'cat_a_b_c'));
  expect(await found('category_ids=cat_a', ['cat_a'])).toEqual(at('cat_a', 'cat_a_b', 'cat_a_b_c'));
  expect(await found('category_ids=cat_a', ['cat_a_b'])).toEqual(at('cat_a'));
  expect(await found('category_ids=cat_a', ['cat_a_b_c'])).toEqual(at('cat_a', 'cat_a_b'));
  expect(await found('category_ids=cat_a_b_c,cat_d', ['cat_a_b_c'])).toEqual(at('cat_a_b_c', 'cat_d', 'cat_e'));
});
