import { describe, expect, test } from 'vitest';
import { comparison } from '../../../generator/contract/documents/comparison.ts';
import { nameOf } from './comparison-world.ts';
import { ask, example, longAgo, recently, solutionOf } from './example.ts';

const products = ['gin', 'rum', 'rye'];

describe('contract 9: what each strategy picks', () => {
  const town = example(products, {
    a: [100, 'zez'],
    b: [200, 'eaa'],
    c: [300, 'eze'],
    d: [900, 'eee'],
  });

  test('best_single_store: the store that covers most', async () => {
    expect(solutionOf(await ask(town), 'best_single_store')).toBe('complete: d(gin rum rye)');
    expect(solutionOf(await ask(town, { radius_m: 899 }), 'best_single_store')).toBe('partial: c(gin rye)');
  });

  test('closest_store_with_any: the nearest store that covers something', async () => {
    expect(solutionOf(await ask(town), 'closest_store_with_any')).toBe('partial: a(rum)');
  });

  test('closest_complete_store: the nearest store that covers everything', async () => {
    expect(solutionOf(await ask(town), 'closest_complete_store')).toBe('complete: d(gin rum rye)');
  });

  test('fewest_stores_complete: one store far away rather than two nearby', async () => {
    expect(solutionOf(await ask(town), 'fewest_stores_complete')).toBe('complete: d(gin rum rye)');
    expect(solutionOf(await ask(town, { radius_m: 899 }), 'fewest_stores_complete')).toBe(
      'complete: a(rum) c(gin rye)',
    );
  });

  test('best_partial_plan: the same where everything can be covered, else as much as can be', async () => {
    expect(solutionOf(await ask(town), 'best_partial_plan')).toBe('complete: d(gin rum rye)');
    expect(solutionOf(await ask(town, { radius_m: 299 }), 'best_partial_plan')).toBe('partial: a(rum) b(gin)');
    expect(solutionOf(await ask(town, { radius_m: 899, max_stops: 1 }), 'best_partial_plan')).toBe(
      'partial: c(gin rye)',
    );
  });

  test('strategies stand in the order requested', async () => {
    const { data } = await ask(town, { strategies: ['best_partial_plan', 'best_single_store'] });
    expect(data.strategies.map(({ strategy }) => strategy)).toEqual(['best_partial_plan', 'best_single_store']);
  });
});

describe('contract 9: which of several plans', () => {
  test.each([
    [
      'the nearest farthest store before the smallest total',
      products,
      { a: [5, 'e--'], b: [90, '-ee'], c: [50, 'e--'], d: [60, '-ee'] },
      'a(gin) d(rum rye)',
    ],
    ['then the smallest total', products, { a: [40, 'ez-'], b: [50, 'ez-'], c: [60, 'zee'] }, 'a(gin) c(rum rye)'],
    ['then the id that sorts first', products, { b: [40, 'e--'], a: [40, 'e--'], c: [60, '-ee'] }, 'a(gin) c(rum rye)'],
    [
      'then ids, nearest store first: as text, so that a nearer first store is no advantage',
      ['o', 'p', 'q', 'r', 's'],
      { b: [10, '-ee--'], y: [40, '---ee'], a: [20, '-e-e-'], x: [30, '--e-e'], z: [70, 'e----'] },
      'a(p r) x(q s) z(o)',
    ],
  ] as const)('%s', async (_, names, table, plan) => {
    expect(solutionOf(await ask(example(names, table)), 'fewest_stores_complete')).toBe(`complete: ${plan}`);
  });

  test('equal single stores: by distance, then id', async () => {
    const town = example(products, { c: [10, 'e--'], b: [10, '-e-'], a: [11, '--e'] });
    expect(solutionOf(await ask(town), 'best_single_store')).toBe('partial: b(rum)');
    expect(solutionOf(await ask(town), 'closest_store_with_any')).toBe('partial: b(rum)');
  });

  test('an id that begins with another one sorts after it', async () => {
    const town = example(['gin'], { ab: [10, 'e'], a: [10, 'e'], abc: [10, 'e'] });
    expect(solutionOf(await ask(town), 'closest_complete_store')).toBe('complete: a(gin)');
  });
});

describe('contract 9: why there is no solution', () => {
  test('NO_REPORTED_MATCH: nothing is covered anywhere in scope, or nothing is in scope', async () => {
    for (const town of [example(products, { a: [100, 'zr-'] }), example(products, { a: [60_000, 'eee'] })]) {
      const answer = await ask(town);
      for (const { strategy, plan } of answer.data.strategies) {
        expect(solutionOf(answer, strategy)).toBe('no_solution: NO_REPORTED_MATCH');
        expect(plan).toBeNull();
      }
    }
  });

  test('NO_SINGLE_STORE_COVERS_ALL_PRODUCTS', async () => {
    const answer = await ask(example(products, { a: [100, 'ee-'], b: [100, '-ee'] }));
    expect(solutionOf(answer, 'closest_complete_store')).toBe('no_solution: NO_SINGLE_STORE_COVERS_ALL_PRODUCTS');
    expect(solutionOf(answer, 'fewest_stores_complete')).toBe('complete: a(gin rum) b(rye)');
  });

  test('NO_COMPLETE_PLAN_IN_SCOPE: even all stores together leave a product uncovered', async () => {
    const answer = await ask(example(products, { a: [100, 'ez-'], b: [100, '-za'], c: [200, 'aze'] }));
    expect(solutionOf(answer, 'fewest_stores_complete')).toBe('no_solution: NO_COMPLETE_PLAN_IN_SCOPE');
    expect(solutionOf(answer, 'best_partial_plan')).toBe('partial: a(gin) c(rye)');
  });

  test('COMPLETE_PLAN_EXCEEDS_MAX_STOPS: all stores together would do', async () => {
    const town = example(products, { a: [100, 'e--'], b: [200, '-e-'], c: [300, '--e'] });
    const two = await ask(town, { max_stops: 2 });
    expect(solutionOf(two, 'fewest_stores_complete')).toBe('no_solution: COMPLETE_PLAN_EXCEEDS_MAX_STOPS');
    expect(solutionOf(two, 'best_partial_plan')).toBe('partial: a(gin) b(rum)');
    expect(solutionOf(await ask(town), 'fewest_stores_complete')).toBe('complete: a(gin) b(rum) c(rye)');
  });
});

test('a plan as it is shown: totals, what each store has, and each product assigned to the nearest store', async () => {
  const town = example(products, { a: [100, 'een'], b: [250, 'rez'], c: [300, 'zee'] });
  const { data } = await ask(town, { strategies: ['fewest_stores_complete'] });
  expect(data.strategies[0]).toMatchObject({
    result_state: 'complete',
    completeness_required: true,
    no_solution_reason: null,
    plan: {
      stop_count: 2,
      farthest_store_distance_m: 300,
      total_origin_distance_m: 400,
      distance_metric: 'straight_line_from_supplied_coordinates',
      covered_product_count: 3,
      requested_product_count: 3,
      uncovered_product_ids: [],
    },
  });
  const stops = data.strategies[0]?.plan?.stores.map((stop) => ({
    store: `${stop.store.name} at ${stop.store.distance_m} m`,
    assigned: stop.assigned_product_ids.map(nameOf),
    covered: stop.covered_product_ids.map(nameOf),
    reported: stop.reported_product_ids.map(nameOf),
    eligible: stop.eligible_product_ids.map(nameOf),
    count: stop.covered_product_count,
  }));
  expect(stops).toEqual([
    {
      store: 'a at 100 m',
      assigned: ['gin', 'rum'],
      covered: ['gin', 'rum'],
      reported: ['gin', 'rum', 'rye'],
      eligible: ['gin', 'rum'],
      count: 2,
    },
    {
      store: 'c at 300 m',
      assigned: ['rye'],
      covered: ['rum', 'rye'],
      reported: ['rum', 'rye'],
      eligible: ['rum', 'rye'],
      count: 2,
    },
  ]);
});

test('purchase_eligibility any: every positive pair covers, and eligibility is still told', async () => {
  const answer = await ask(example(products, { a: [100, 'enr'] }), { purchase_eligibility: 'any' });
  expect(comparison.parse(answer)).toEqual(answer);
  expect(solutionOf(answer, 'closest_complete_store')).toBe('complete: a(gin rum rye)');
  const stop = answer.data.strategies[0]?.plan?.stores[0];
  expect(stop?.selected_coverage_mode).toBe('reported_positive');
  expect(stop?.eligible_product_ids.map(nameOf)).toEqual(['gin']);
  expect(answer.meta.coverage.selected_coverage_mode).toBe('reported_positive');
});

describe('contract 9: meta.coverage', () => {
  // The store beyond the radius has other states for every product, and must not affect the answer.
  const town = example(['gin', 'rum', 'rye', 'ale', 'tea', 'mead'], {
    a: [100, 'ez-rrN'],
    b: [200, '-zar-z'],
    c: [300, 'aze-ez'],
    far: [9_000, 'nenene'],
  });
  const query = { radius_m: 5_000 };
  const named = (ids: readonly string[]) => ids.map(nameOf);

  test('every array, in the order of the request', async () => {
    const { coverage } = (await ask(town, query)).meta;
    expect(named(coverage.covered_product_ids)).toEqual(['gin', 'rye', 'tea']);
    expect(named(coverage.uncovered_product_ids)).toEqual(['rum', 'ale', 'mead']);
    // Every pair of rum was checked. The observation of mead in a is too old.
    expect(named(coverage.uncertain_product_ids)).toEqual(['ale', 'mead']);
    // Tea is restricted in a and eligible in c.
    expect(named(coverage.restricted_product_ids)).toEqual(['ale']);
    expect(named(coverage.reported_positive_product_ids)).toEqual(['gin', 'rye', 'ale', 'tea']);
    expect(named(coverage.purchase_eligible_product_ids)).toEqual(['gin', 'rye', 'tea']);
  });

  test('counts, times and the warning speak of the pairs in scope', async () => {
    const { coverage, warnings } = (await ask(town, query)).meta;
    expect(coverage).toMatchObject({
      requested_product_count: 6,
      store_count: 3,
      expected_pair_count: 18,
      observed_pair_count: 13,
      unchecked_pair_count: 5,
      retrieved_at_min: recently,
      retrieved_at_max: recently,
      upstream_age_known: false,
    });
    expect(warnings).toEqual([{ code: 'INVENTORY_COVERAGE_PARTIAL' }]);
  });

  test('with any_age old observations count as they are', async () => {
    const { coverage } = (await ask(town, { ...query, inventory_age: 'any_age' })).meta;
    expect(named(coverage.reported_positive_product_ids)).toEqual(['gin', 'rye', 'ale', 'tea', 'mead']);
    expect(named(coverage.uncertain_product_ids)).toEqual(['ale']);
    expect(coverage).toMatchObject({ observed_pair_count: 14, retrieved_at_min: longAgo, retrieved_at_max: recently });
  });

  test('without a pair there is no time, and nothing is unchecked', async () => {
    const { coverage, warnings } = (await ask(town, { radius_m: 1 })).meta;
    expect(coverage).toMatchObject({ store_count: 0, expected_pair_count: 0, unchecked_pair_count: 0 });
    expect(coverage).toMatchObject({ retrieved_at_min: null, retrieved_at_max: null, uncertain_product_ids: [] });
    expect(warnings).toEqual([]);
  });
});

test('warnings: of the stores and of the requested products, each once, in the order of the enum', async () => {
  const town = example(products, { a: [100, 'eee'] });
  const [gin, rum, rye] = town.products;
  if (!gin || !rum || !rye) throw new Error('expected three products');
  const warned = {
    ...town,
    warnings: ['CATALOG_BATCH_OLD', 'FIXTURE_DATA'] as const,
    products: [
      { ...gin, warnings: ['SOURCE_REFRESH_DELAYED', 'FIXTURE_DATA'] as const },
      // A product may be partially covered somewhere else. That says nothing of the pairs in the answer.
      { ...rum, warnings: ['INVENTORY_COVERAGE_PARTIAL'] as const },
    ],
  };
  const codes = async (world: typeof town) => (await ask(world)).meta.warnings.map(({ code }) => code);
  expect(await codes(warned)).toEqual(['FIXTURE_DATA', 'SOURCE_REFRESH_DELAYED', 'CATALOG_BATCH_OLD']);
});
