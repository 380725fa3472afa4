import { describe, expect, test } from 'vitest';
import { distanceInMetres } from '../../shim/comparison/scope.ts';
import { moved, toPixels, toPlane, windowAround, zoomed } from '../../templates/explorer/map/map-window.ts';
import { neighbourOf } from '../../templates/explorer/map/neighbours.ts';
import { circleAround, earthRadius, middleOf, projectionAround } from '../../templates/explorer/map/projection.ts';
import { scaleBars } from '../../templates/explorer/map/scale-bar.ts';
import { seededRandom } from '../support/random.ts';

const centre = { latitude: 39.3, longitude: -111.7 };
const size = { width: 640, height: 400 };

describe('the equal-area projection', () => {
  test('the way back is the inverse, on both sides of 180° too', () => {
    const random = seededRandom(1);
    for (const around of [centre, { latitude: -17, longitude: 179.9 }, { latitude: 90, longitude: 0 }]) {
      const { toPlane, toEarth } = projectionAround(around);
      for (let round = 0; round < 200; round++) {
        const point = { latitude: random() * 170 - 85, longitude: random() * 360 - 180 };
        const back = toEarth(toPlane(point));
        expect(distanceInMetres(back, point)).toBeLessThanOrEqual(1);
      }
    }
  });

  test('areas are true: those of fields between meridians and parallels', () => {
    const { toPlane } = projectionAround(centre);
    const degree = Math.PI / 180;
    for (const [south, west] of [
      [37, -114],
      [41.9, -109.1],
      [0, -90],
      [-40, -60],
      [80, 10],
    ] as const) {
      const step = 0.05;
      const corners = [
        [0, 0],
        [0, 1],
        [1, 1],
        [1, 0],
      ].map(([north = 0, east = 0]) => toPlane({ latitude: south + north * step, longitude: west + east * step }));
      const twice = corners.reduce((sum, { x, y }, index) => {
        const next = corners[(index + 1) % 4] as { x: number; y: number };
        return sum + x * next.y - next.x * y;
      }, 0);
      const band = Math.sin((south + step) * degree) - Math.sin(south * degree);
      expect(Math.abs(twice) / 2 / (earthRadius ** 2 * step * degree * band)).toBeCloseTo(1, 5);
    }
  });

  test('the middle of places on both sides of 180° is between them', () => {
    const middle = middleOf([
      { latitude: 10, longitude: 179 },
      { latitude: 10, longitude: -179 },
    ]);
    expect(Math.abs(middle.longitude)).toBeCloseTo(180, 6);
    expect(middle.latitude).toBeCloseTo(10, 1);
  });

  test('a circle is at its radius, to one part in two hundred of the distance on the ellipsoid', () => {
    for (const radius of [500, 50_000, 500_000]) {
      for (const point of circleAround(centre, radius)) {
        expect(Math.abs(distanceInMetres(centre, point) / radius - 1)).toBeLessThan(0.005);
      }
    }
  });
});

describe('the window of a map', () => {
  const points = [
    { x: -200_000, y: -100_000 },
    { x: 180_000, y: 250_000 },
  ];
  const whole = windowAround(points, size);

  test('shows all points', () => {
    for (const point of points) {
      const { x, y } = toPixels(whole, size, point);
      expect(x >= 28 && x <= size.width - 28 && y >= 28 && y <= size.height - 52).toBe(true);
    }
  });

  test('zooms around the point below the pointer and stops at both ends', () => {
    const at = { x: 100, y: 300 };
    const closer = zoomed(whole, 3, at, whole, size);
    expect(toPlane(closer, size, at).x).toBeCloseTo(toPlane(whole, size, at).x, 6);
    expect(toPlane(closer, size, at).y).toBeCloseTo(toPlane(whole, size, at).y, 6);
    expect(zoomed(whole, 1e9, at, whole, size).metresPerPixel).toBe(1.5);
    expect(zoomed(whole, 1e-9, at, whole, size).metresPerPixel).toBe(whole.metresPerPixel * 2);
  });

  test('does not move out of sight of the stores', () => {
    const far = moved(whole, { x: 1e9, y: -1e9 }, whole, size);
    const { x, y } = toPixels(whole, size, far.middle);
    expect([x, y]).toEqual([expect.closeTo(0, 6), expect.closeTo(size.height, 6)]);
  });

  test('one store alone, and none, have a window', () => {
    expect(windowAround([{ x: 5, y: 5 }], size)).toEqual({ middle: { x: 5, y: 80 }, metresPerPixel: 6.25 });
    expect(windowAround([], size).metresPerPixel).toBe(6.25);
  });
});

test('scale bars are round, at most as long as allowed, and as long as they say', () => {
  for (let metresPerPixel = 0.5; metresPerPixel < 5_000; metresPerPixel *= 1.37) {
    const { metric, us } = scaleBars(metresPerPixel, 140);
    for (const [bar, units] of [
      [metric, { km: 1000, m: 1 }],
      [us, { mi: 1609.344, ft: 0.3048 }],
    ] as const) {
      const [, count = '', unit = ''] = /^([125]0*) (km|m|mi|ft)$/.exec(bar.label) ?? [];
      expect(bar.pixels).toBeLessThanOrEqual(140);
      expect(bar.pixels).toBeGreaterThan(140 / 6);
      expect(bar.pixels * metresPerPixel).toBeCloseTo(
        Number(count) * ((units as Record<string, number>)[unit] ?? 0),
        6,
      );
    }
  }
});

test('arrow keys lead to the nearest store in a direction, and to stores at one point in their order', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 1 },
    { x: 20, y: -5 },
    { x: 1, y: -8 },
    { x: 0, y: 0 },
  ];
  expect(neighbourOf(points, 0, 'right')).toBe(4);
  expect(neighbourOf(points, 4, 'left')).toBe(0);
  expect(neighbourOf(points, 4, 'right')).toBe(1);
  expect(neighbourOf(points, 1, 'right')).toBe(2);
  expect(neighbourOf(points, 0, 'up')).toBe(3);
  expect(neighbourOf(points, 2, 'right')).toBeNull();
  expect(neighbourOf(points, 9, 'up')).toBeNull();
});
