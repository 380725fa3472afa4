import { expect, test } from 'vitest';
import { clusterPoints } from '../../explorer/map/clusters.ts';
import { markWidth } from '../../explorer/map/looks.tsx';
import { seededRandom } from '../support/random.ts';

const random = seededRandom(7);
/** A hundred stores, most of them in one valley, in metres. */
const points = Array.from({ length: 100 }, (_, index) => {
  const reach = index < 70 ? 20_000 : 250_000;
  return { x: (random() - 0.5) * reach, y: (random() - 0.5) * reach };
});

test.each([1_000, 200, 20])('at %i metres a pixel no two marks touch, and every store has one', (metresPerPixel) => {
  const clusters = clusterPoints(points, metresPerPixel, () => false);
  expect(clusters.flatMap(({ members }) => members).sort((a, b) => a - b)).toEqual(points.map((_, index) => index));
  for (const [index, a] of clusters.entries()) {
    for (const b of clusters.slice(index + 1)) {
      const width = (markWidth(a.members.length) + markWidth(b.members.length)) / 2;
      const across = Math.abs(a.x - b.x) / metresPerPixel / width;
      const down = Math.abs(a.y - b.y) / metresPerPixel / 24;
      expect(Math.max(across, down)).toBeGreaterThanOrEqual(1);
    }
  }
});

test('a cluster is in the middle of its stores and lists them in order', () => {
  const clusters = clusterPoints(points, 1_000, () => false);
  expect(clusters.some(({ members }) => members.length > 60)).toBe(true);
  for (const { x, y, members } of clusters) {
    const middle = (of: 'x' | 'y') =>
      members.reduce((sum, index) => sum + (points[index]?.[of] ?? 0), 0) / members.length;
    expect([x, y]).toEqual([expect.closeTo(middle('x'), 3), expect.closeTo(middle('y'), 3)]);
    expect(members).toEqual(members.toSorted((a, b) => a - b));
  }
});

test('the closer the zoom, the more marks there are, and stores that must stay alone do', () => {
  const counts = [1_000, 200, 20, 0.001].map((metres) => clusterPoints(points, metres, () => false).length);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  expect(counts.at(-1)).toBe(points.length);
  const isStop = (index: number) => index < 3;
  const alone = clusterPoints(points, 1_000, isStop).filter(({ members }) => members.some(isStop));
  expect(alone.map(({ x, y, members }) => [x, y, ...members])).toEqual(
    [0, 1, 2].map((index) => [points[index]?.x, points[index]?.y, index]),
  );
});
