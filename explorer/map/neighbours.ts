import type { PlanePoint } from './projection.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The index of the nearest point in a direction; null if there is none. Of points at the same position, later ones
 * count as right and down.
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
