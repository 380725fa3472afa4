import { describe, expect, test } from 'vitest';
import { UnreadableError } from '../../../contract/site/source.ts';
import type { StrategyName } from '../../../contract/vocabulary.ts';
import { type ComparisonQuery, compare } from '../../../shim/comparison/compare.ts';
import { PublicationView } from '../../../shim/site/publication-view.ts';
import { VerifiedObjects } from '../../../shim/site/verified-objects.ts';
import { MemoryReader } from '../memory-reader.ts';
import { type TinyDocument, tinySite } from '../tiny-site.ts';
import { availability, idFor, productDocument, queryFor, storeSummary, type WorldProduct } from './comparison-world.ts';
import { ask, describeSolution, example } from './example.ts';

/*
 * Examples of the contract's rules. The property test shows that every answer follows them.
 */

const products = ['gin', 'rum', 'rye'];
const town = example(products, { a: [100, 'zez'], b: [200, 'eaa'], c: [300, 'eze'], d: [900, 'eee'] });
const near = { radius_m: 899 };
const alike = example(products, { c: [10, 'e--'], b: [10, '-e-'], a: [11, '--e'] });
const apart = example(products, { a: [100, 'e--'], b: [200, '-e-'], c: [300, '--e'] });

test.each<[string, ReturnType<typeof example>, Partial<ComparisonQuery>, StrategyName, string]>([
  ['the store that covers most', town, near, 'best_single_store', 'partial: c(gin rye)'],
  ['the nearest store that covers something', town, {}, 'closest_store_with_any', 'partial: a(rum)'],
  ['the nearest store with everything', town, {}, 'closest_complete_store', 'complete: d(gin rum rye)'],
  ['one store far away rather than two', town, {}, 'fewest_stores_complete', 'complete: d(gin rum rye)'],
  ['two where one is too far', town, near, 'fewest_stores_complete', 'complete: a(rum) c(gin rye)'],
  ['as much as can be covered', town, { radius_m: 299 }, 'best_partial_plan', 'partial: a(rum) b(gin)'],
  ['equal single stores by distance, then id', alike, {}, 'best_single_store', 'partial: b(rum)'],
  [
    'the nearest farthest store before the smallest total',
    example(products, { a: [5, 'e--'], b: [90, '-ee'], c: [50, 'e--'], d: [60, '-ee'] }),
    {},
    'fewest_stores_complete',
    'complete: a(gin) d(rum rye)',
  ],
  [
    'then the smallest total',
    example(products, { a: [40, 'ez-'], b: [50, 'ez-'], c: [60, 'zee'] }),
    {},
    'fewest_stores_complete',
    'complete: a(gin) c(rum rye)',
  ],
  [
    'then ids, nearest store first: as text, so that a nearer first store is no advantage',
    example(['o', 'p', 'q', 'r', 's'], {
      b: [10, '-ee--'],
      y: [40, '---ee'],
      a: [20, '-e-e-'],
      x: [30, '--e-e'],
      z: [70, 'e----'],
    }),
    {},
    'fewest_stores_complete',
    'complete: a(p r) x(q s) z(o)',
  ],
  ['nothing in scope', apart, { radius_m: 99 }, 'best_partial_plan', 'no_solution: NO_REPORTED_MATCH'],
  ['three are too many', apart, { max_stops: 2 }, 'best_partial_plan', 'partial: a(gin) b(rum)'],
])('contract 9: %s', async (_, world, query, strategy, solution) => {
  expect(describeSolution(await ask(world, query), strategy)).toBe(solution);
});

test('contract 3: current and former SKUs lead to a product, in the order of the request', async () => {
  const [gin, ...others] = apart.products as [WorldProduct, ...WorldProduct[]];
  const world = { ...apart, products: [{ ...gin, formerSkus: ['000007'] }, ...others] };
  const { data } = await ask(world, { skus: ['000101', '000007'] });
  expect(data.requested_products.map(({ id }) => id)).toEqual([idFor('rum'), idFor('gin')]);
});

describe('documents that do not fit together give no answer', () => {
  const [gin] = apart.products as [WorldProduct];
  const summaries = (...names: string[]) => names.map((name) => storeSummary({ name, location: null }));
  const about = (...names: string[]) => availability(gin, names);
  const [row] = about('a').stores;

  test.each([
    ['fewer stores than there are', summaries('a', 'b'), about('a'), /expected 2 stores, got 1/],
    ['another store', summaries('b'), about('a'), /expected stores in scope, got/],
    ['two rows of one store', summaries('a', 'b'), about('a', 'a'), /expected 2 different stores, got 1/],
    [
      'an unknown state',
      summaries('a'),
      { ...about('a'), stores: [{ ...row, state: 'sold' }] },
      /data\.stores\[0\]\.state/,
    ],
    ['stores that are not in order', summaries('b', 'a'), about('a', 'b'), /stores.1.id: expected an id after/],
    ['a store without an id', [{}], about('a'), /stores\[0\]\.id/],
  ])('%s', async (_, stores, data, message) => {
    const json = (value: unknown): TinyDocument => ({ body: JSON.stringify(value) });
    const documents = {
      '/v1/availability/stores.json': json({ warnings: [], stores }),
      [`/v1/products/${idFor('gin')}`]: json({ data: productDocument(gin) }),
      [`/v1/products/${idFor('gin')}/availability`]: json({ data, meta: { warnings: [] } }),
    };
    const site = tinySite({ revision: '11111111-1111-4111-8111-111111111111', documents });
    const view = await PublicationView.load(new VerifiedObjects(new MemoryReader(site)), site.pointer);
    const error = await compare(view, queryFor(['gin'])).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UnreadableError);
    expect(String(error)).toMatch(message);
  });
});
