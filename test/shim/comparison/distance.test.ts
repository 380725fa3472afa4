import { expect, test } from 'vitest';
import { distanceInMetres } from '../../../shim/comparison/scope.ts';
import { placeAt } from './comparison-world.ts';

test.each([
  // Karney's own example, and a quarter of a meridian, by which the metre was once defined.
  [{ latitude: 40.6, longitude: -73.8 }, { latitude: 51.6, longitude: -0.5 }, 5_551_759],
  [{ latitude: 0, longitude: 0 }, { latitude: 90, longitude: 0 }, 10_001_966],
  [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_319],
  [{ latitude: 89.999, longitude: 20 }, { latitude: 89.999, longitude: -160 }, 223],
  [{ latitude: 0, longitude: 0 }, placeAt(99.4999, 0, { latitude: 0, longitude: 0 }), 99],
  [{ latitude: 0, longitude: 0 }, placeAt(99.5001, 0, { latitude: 0, longitude: 0 }), 100],
])('from %o to %o it is %i m', (from, to, metres) => {
  expect(distanceInMetres(from, to)).toBe(metres);
  expect(distanceInMetres(to, from)).toBe(metres);
});
