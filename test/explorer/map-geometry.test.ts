import { describe, expect, test } from 'vitest';
import { circleAround, earthRadius, middlePoint, projectionAround } from '../../explorer/map/projection.ts';
import { scaleBars } from '../../explorer/map/scale-bars.tsx';
import { distanceInMetres } from '../../shim/comparison/scope.ts';
import { seededRandom } from '../support/random.ts';

/* What the eye cannot see on a map: whether its distances, areas and scales are true. */

const centre = { latitude: 39.3, longitude: -111.7 };

describe('the equal-area projection', () => {
  test('the inverse restores every point, also on both sides of 180°', () => {
    const random = seededRandom(1);
    for (const around of [centre, { latitude: -17, longitude: 179.9 }, { latitude: 90, longitude: 0 }]) {
      const { toPlane, toEarth } = projectionAround(around);
      for (let round = 0; round < 200; round++) {
        const point = { latitude: random() * 170 - 85, longitude: random() * 360 - 180 };
        expect(distanceInMetres(toEarth(toPlane(point)), point)).toBeLessThanOrEqual(1);
      }
    }
  });

  test('areas are true for fields between meridians and parallels', () => {
    const { toPlane } = projectionAround(centre);
    const degree = Math.PI / 180;
    for (const [latitude, longitude] of [
      [37, -114],
      [-40, -60],
      [80, 10],
    ] as const) {
      const step = 0.05;
      const corner = toPlane({ latitude, longitude });
      const [north, east] = [
        toPlane({ latitude: latitude + step, longitude }),
        toPlane({ latitude, longitude: longitude + step }),
      ];
      const area = Math.abs((north.x - corner.x) * (east.y - corner.y) - (north.y - corner.y) * (east.x - corner.x));
      const band = Math.sin((latitude + step) * degree) - Math.sin(latitude * degree);
      expect(area / (earthRadius ** 2 * step * degree * band)).toBeCloseTo(1, 2);
    }
  });

  test('the middle of points on both sides of 180° is between them', () => {
    const { longitude } = middlePoint([179, -179].map((longitude) => ({ latitude: 10, longitude })));
    expect(Math.abs(longitude)).toBeCloseTo(180, 6);
  });

  test('a circle has its radius, to within 0.5 % of the distance on the ellipsoid', () => {
    for (const radius of [500, 50_000, 500_000]) {
      for (const point of circleAround(centre, radius)) {
        expect(Math.abs(distanceInMetres(centre, point) / radius - 1)).toBeLessThan(0.005);
      }
    }
  });
});

test('scale bars are round, fit, and have the length that they state', () => {
  const metres: Record<string, number> = { km: 1000, m: 1, mi: 1609.344, ft: 0.3048 };
  for (let metresPerPixel = 0.5; metresPerPixel < 5_000; metresPerPixel *= 1.37) {
    for (const bar of Object.values(scaleBars(metresPerPixel, 140))) {
      const [, count = '', unit = ''] = /^([125]0*) (km|m|mi|ft)$/.exec(bar.label) ?? [];
      expect(bar.pixels).toBeLessThanOrEqual(140);
      expect(bar.pixels).toBeGreaterThan(140 / 6);
      expect(bar.pixels * metresPerPixel).toBeCloseTo(Number(count) * (metres[unit] ?? 0), 6);
    }
  }
});
