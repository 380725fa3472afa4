import type { PlanePoint } from './projection.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The place in a quarter of the map's directions that is nearest to a place, as its number; null where there is none. Of
 * places at one point, the one after it in the list is to the right and below.
 */
export function nearestNeighbour(points: readonly PlanePoint[], from: number, direction: Direction): number | null {
  const start = points[from];
  if (!start) return null;
  let best: { readonly index: number; readonly distance: number } | null = null;
  for (const [index, { x, y }] of points.entries()) {
    if (index === from) continue;
    const [east, south] = [x - start.x, y - start.y];
    if (!isTowards(east, south, direction, index > from)) continue;
    const distance = Math.hypot(east, south);
    const isCloser = best === null || distance < best.distance;
    if (isCloser) best = { index, distance };
  }
  return best?.index ?? null;
}

function isTowards(east: number, south: number, direction: Direction, isLater: boolean): boolean {
  if (east === 0 && south === 0) return isLater === (direction === 'right' || direction === 'down');
  const isAcross = Math.abs(east) >= Math.abs(south);
  if (direction === 'left') return isAcross && east < 0;
  if (direction === 'right') return isAcross && east > 0;
  return !isAcross && (direction === 'up' ? south < 0 : south > 0);
}
