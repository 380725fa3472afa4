import { describe, expect, test } from 'vitest';
import { centre, placeAt } from './comparison-world.ts';
import { ask, example, solutionOf } from './example.ts';

const town = example(['gin'], { a: [5_000, 'e'], b: [500_000, 'e'], c: [null, 'e'] });

describe('contract 9: which stores are in scope', () => {
  test.each([
    [4_999, 0],
    [5_000, 1],
    [499_999, 1],
    [500_000, 2],
  ])('within %i m there are %i: the radius is inclusive', async (radiusM, count) => {
    const { data, meta } = await ask(town, { radius_m: radiusM });
    expect(data.scope).toMatchObject({ radius_m: radiusM, store_count: count });
    expect(meta.coverage.store_count).toBe(count);
  });

  test.each([
    [99.4999, 99],
    [99.5001, 100],
    [100.4999, 100],
  ])('%f m are rounded to %i before they are compared', async (metres, rounded) => {
    const nearby = { ...town, stores: [{ name: 'a', location: placeAt(metres) }] };
    expect((await ask(nearby, { radius_m: rounded })).data.scope.store_count).toBe(1);
    expect((await ask(nearby, { radius_m: rounded - 1 })).data.scope.store_count).toBe(0);
    const { plan } = (await ask(nearby)).data.strategies[0] ?? {};
    expect(plan?.stores[0]?.store.distance_m).toBe(rounded);
  });

  test('a store without a published location is never in scope', async () => {
    const { meta } = await ask({ ...town, stores: [{ name: 'c', location: null }] }, { radius_m: 500_000 });
    expect(meta.coverage).toMatchObject({ store_count: 0, expected_pair_count: 0 });
  });

  test('the origin is shown as it was given', async () => {
    const { data } = await ask(town, { lat: 40.7600001, lng: -180 });
    expect(data.scope.origin).toEqual({ latitude: 40.7600001, longitude: -180 });
  });
});

describe('distances where coordinates jump', () => {
  const at = (latitude: number, longitude: number) => ({
    ...town,
    stores: [{ name: 'a', location: { latitude, longitude } }],
  });

  test.each([
    ['across the antimeridian', { lat: 10, lng: 179.999 }, at(10, -179.999), 219],
    ['180 degrees east and west', { lat: -45, lng: 180 }, at(-45, -180), 0],
    ['over the north pole', { lat: 89.999, lng: 20 }, at(89.999, -160), 223],
    ['at the north pole, whatever its longitude', { lat: 90, lng: 77 }, at(90, -13), 0],
    ['from the south pole', { lat: -90, lng: 0 }, at(-89.99, 123), 1_117],
  ])('%s', async (_, { lat, lng }, world, metres) => {
    const near = await ask(world, { lat, lng, radius_m: Math.max(metres, 1) });
    expect(near.data.strategies[0]?.plan?.farthest_store_distance_m).toBe(metres);
    if (metres > 1) {
      const outside = await ask(world, { lat, lng, radius_m: metres - 1 });
      expect(solutionOf(outside, 'best_single_store')).toBe('no_solution: NO_REPORTED_MATCH');
    }
  });

  test('an origin on the other side of the earth finds nothing', async () => {
    const antipode = { lat: -centre.latitude, lng: centre.longitude + 180 };
    expect((await ask(town, { ...antipode, radius_m: 500_000 })).data.scope.store_count).toBe(0);
  });
});
