import { describe, expect, test } from 'vitest';
import { type ComparisonQuery, compare } from '../../../shim/comparison/compare.ts';
import { ProblemError } from '../../../shim/problems.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { UnreadableError, VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinyDocument, tinySite } from '../tiny-site.ts';
import {
  availabilityRow,
  type ComparisonWorld,
  idOf,
  productDocument,
  queryFor,
  storeSummary,
  viewOf,
} from './comparison-world.ts';
import { ask, example, solutionOf } from './example.ts';

const town = example(['gin', 'rum'], { a: [100, 'ee'] });
const [gin, rum] = town.products as [ComparisonWorld['products'][number], ComparisonWorld['products'][number]];
/** Gin has SKU 000100 and had 000007. Rum has 000101. Both once had 000009. */
const world: ComparisonWorld = {
  ...town,
  products: [{ ...gin, formerSkus: ['000007'] }, rum],
  ambiguousSkus: ['000009'],
};

async function problemOf(query: Partial<ComparisonQuery>): Promise<{ code: string; invalidParameters: unknown }> {
  const error = await compare(await viewOf(world), queryFor([], query)).catch((reason: unknown) => reason);
  if (!(error instanceof ProblemError)) throw error;
  return { code: error.code, invalidParameters: error.invalidParameters };
}

describe('contract 3 and 6: what is asked for', () => {
  test('current and unambiguous former SKUs lead to the same product', async () => {
    for (const sku of ['000100', '000007']) {
      const answer = await ask(world, { skus: [sku] });
      expect(answer.data.requested_products.map(({ id }) => id)).toEqual([idOf('gin')]);
      expect(solutionOf(answer, 'closest_complete_store')).toBe('complete: a(gin)');
    }
  });

  test('products stand in the order of the request', async () => {
    const answer = await ask(world, { skus: ['000101', '000007'] });
    expect(answer.data.requested_products.map(({ id }) => id)).toEqual([idOf('rum'), idOf('gin')]);
    expect(answer.meta.coverage.covered_product_ids).toEqual([idOf('rum'), idOf('gin')]);
  });

  test('an id, a SKU, an ambiguous SKU that lead nowhere', async () => {
    const ids = [idOf('gin'), idOf('tea'), idOf('mate')];
    expect(await problemOf({ product_ids: ids })).toEqual({
      code: 'PRODUCT_NOT_FOUND',
      invalidParameters: [
        { name: 'product_ids', reason: `expected ids of published products, got ${idOf('tea')}, ${idOf('mate')}` },
      ],
    });
    const reason = (got: string) => `expected SKUs of one published product each, got ${got}`;
    expect(await problemOf({ skus: ['000100', '999999'] })).toEqual({
      code: 'SKU_NOT_FOUND',
      invalidParameters: [{ name: 'skus', reason: reason('999999') }],
    });
    expect(await problemOf({ skus: ['000009', '999999'] })).toEqual({
      code: 'SKU_AMBIGUOUS',
      invalidParameters: [{ name: 'skus', reason: reason('000009, which several products had; 999999') }],
    });
  });

  test('of several the first one is the problem', async () => {
    expect((await problemOf({ skus: ['999999', '000009'] })).code).toBe('SKU_NOT_FOUND');
    expect((await problemOf({ skus: ['000009', '999999'] })).code).toBe('SKU_AMBIGUOUS');
  });

  test('two SKUs of one product are a repeated value', async () => {
    expect(await problemOf({ skus: ['000101', '000100', '000007'] })).toEqual({
      code: 'INVALID_PARAMETER',
      invalidParameters: [
        { name: 'skus', reason: 'expected different products, got 000100 and 000007, which are SKUs of the same one' },
      ],
    });
  });
});

describe('documents that do not fit together are not answered from', () => {
  const summaries = (...names: string[]) => names.map((name) => storeSummary({ name, location: null }));

  const rowsOf = (...names: string[]) => names.map((name) => availabilityRow(gin, name));

  async function askDamaged(stores: readonly unknown[], rows: readonly unknown[]) {
    const json = (value: unknown): TinyDocument => ({ body: JSON.stringify(value) });
    const documents = {
      '/v1/availability/stores.json': json({ warnings: [], stores }),
      [`/v1/products/${idOf('gin')}`]: json({ data: productDocument(gin) }),
      [`/v1/products/${idOf('gin')}/availability`]: json({ data: { stores: rows }, meta: { warnings: [] } }),
    };
    const site = tinySite({ revision: '11111111-1111-4111-8111-111111111111', documents });
    const view = await PublicationView.load(new VerifiedObjects(new MemoryReader(site)), site.pointer);
    return compare(view, queryFor(['gin']));
  }

  test.each([
    ['fewer stores than there are', summaries('a', 'b'), rowsOf('a'), /expected 2 stores, got 1/],
    ['rows that are not in order', summaries('a', 'b'), rowsOf('b', 'a'), /data.stores.1: expected an id after/],
    ['two rows of one store', summaries('a', 'b'), rowsOf('a', 'a'), /data.stores.1: expected an id after/],
    ['an unknown state', summaries('a'), [{ ...rowsOf('a')[0], state: 'sold' }], /data.stores.0.state/],
    ['stores that are not in order', summaries('b', 'a'), rowsOf('a', 'b'), /stores.1.id: expected an id after/],
    ['a store twice', summaries('a', 'a'), rowsOf('a', 'b'), /stores.1.id: expected an id after the one before/],
    ['a store without an id', [{}], rowsOf('a'), /stores.0.id/],
  ])('%s', async (_, stores, rows, message) => {
    await expect(askDamaged(stores, rows)).rejects.toThrow(message);
    await expect(askDamaged(stores, rows)).rejects.toThrow(UnreadableError);
  });

  test('a product that no retrieval ever covered is unchecked everywhere', async () => {
    const answer = await askDamaged(summaries('x', 'y'), rowsOf('x', 'y'));
    expect(answer.meta.coverage).toMatchObject({ store_count: 0, retrieved_at_min: null });
  });
});
