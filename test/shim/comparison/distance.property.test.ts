import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distanceInMetres, isFartherThan, spacePoint } from '../../../shim/comparison/scope.ts';
import { placeAt } from './comparison-world.ts';

const latitude = fc.oneof(
  fc.double({ min: -90, max: 90, noNaN: true }),
  fc.constantFrom(-90, -89.9999, 0, 89.9999, 90),
);
const longitude = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -179.9999, 0, 180));
const place = fc.record({ latitude, longitude });

test('a store that is passed over without a geodesic is outside the radius, anywhere on earth', () => {
  const radius = fc.noBias(fc.integer({ min: 1, max: 500_000 }));
  // The straight line is up to 130 m shorter than the path on the surface, so the outcome changes within these metres
  // of the radius.
  const nearRadius = fc.noBias(fc.integer({ min: -30, max: 2_000 }).map((tenths) => tenths / 10));
  const direction = fc.double({ min: 0, max: 360, noNaN: true });
  let passedOver = 0;
  const property = fc.property(place, direction, radius, nearRadius, (origin, azimuth, metres, difference) => {
    const store = placeAt(metres + difference, azimuth, origin);
    const isOutside = isFartherThan(metres, spacePoint(origin), spacePoint(store));
    if (isOutside) expect(distanceInMetres(origin, store)).toBeGreaterThan(metres);
    passedOver += isOutside ? 1 : 0;
  });
  fc.assert(property, { seed: 20250401, numRuns: 5000 });
  expect(passedOver).toBeGreaterThan(1000);
});

test('far places are passed over: only a rim is left to be measured in vain', () => {
  const property = fc.property(place, place, fc.integer({ min: 1, max: 500_000 }), (origin, store, metres) => {
    const distance = distanceInMetres(origin, store);
    // At 500 km the straight line is 130 m shorter than the path on the surface; at smaller distances the difference is
    // less.
    if (distance < 1_000_000 && distance > metres + 300 + distance / 500) {
      expect(isFartherThan(metres, spacePoint(origin), spacePoint(store))).toBe(true);
    }
  });
  fc.assert(property, { seed: 20250401, numRuns: 5000 });
});

test.each([
  // Karney's own example, and a quarter of a meridian, by which the metre was once defined.
  [{ latitude: 40.6, longitude: -73.8 }, { latitude: 51.6, longitude: -0.5 }, 5_551_759],
  [{ latitude: 0, longitude: 0 }, { latitude: 90, longitude: 0 }, 10_001_966],
  [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_319],
])('from %o to %o it is %i m', (from, to, metres) => {
  expect(distanceInMetres(from, to)).toBe(metres);
  expect(distanceInMetres(to, from)).toBe(metres);
});
