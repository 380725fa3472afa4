import type { Line, Position } from './geojson-lines.ts';

/** The finest tolerance in degrees of latitude: about 50 metres, half a pixel on a map of a county. */
const finest = 0.0005;

/**
 * Simplifies lines to at most `mostPoints` points (Douglas–Peucker): drops points closer than a tolerance to the line
 * without them. The tolerance starts at about 50 metres, or at `first` in degrees, and grows by half until few enough
 * points remain. Rings smaller than the tolerance vanish.
 */
export function simplified(lines: readonly Line[], mostPoints: number, first = finest): Line[] {
  for (let tolerance = Math.max(first, finest); ; tolerance *= 1.5) {
    const kept = lines.map((line) => simplifiedLine(line, tolerance)).filter((line) => line.length > 0);
    if (kept.reduce((sum, line) => sum + line.length, 0) <= mostPoints) return kept;
  }
}

/** The points of a line that remain; none if nothing of the line would be visible. */
function simplifiedLine(line: Line, tolerance: number): Line {
  const [first, last] = [line[0] as Position, line.at(-1) as Position];
  const isRing = line.length > 2 && first[0] === last[0] && first[1] === last[1];
  const keep = new Set([0, line.length - 1]);
  const spans: [number, number][] = [[0, line.length - 1]];
  if (isRing) {
    // A ring starts and ends at the same point, so it is split at the point farthest from there.
    const middle = farthest(line, 0, line.length - 1).index;
    keep.add(middle);
    spans.splice(0, 1, [0, middle], [middle, line.length - 1]);
  }
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [start, end] = span;
    const { index, distance } = farthest(line, start, end);
    if (distance <= tolerance) continue;
    keep.add(index);
    spans.push([start, index], [index, end]);
  }
  const left = line.filter((_, index) => keep.has(index));
  return left.length >= (isRing ? 4 : 2) && extent(left) > tolerance ? left : [];
}

/** The point between `start` and `end` that is farthest from the straight line between them. */
function farthest(line: Line, start: number, end: number): { readonly index: number; readonly distance: number } {
  const from = line[start] as Position;
  const to = line[end] as Position;
  // Away from the equator, a degree of longitude is shorter than a degree of latitude.
  const width = Math.cos((from[1] * Math.PI) / 180);
  let best = { index: start, distance: -1 };
  for (let index = start + 1; index < end; index++) {
    const distance = distanceToSpan(line[index] as Position, from, to, width);
    if (distance > best.distance) best = { index, distance };
  }
  return best;
}

function distanceToSpan(point: Position, from: Position, to: Position, width: number): number {
  const [alongX, alongY] = [(to[0] - from[0]) * width, to[1] - from[1]];
  const [x, y] = [(point[0] - from[0]) * width, point[1] - from[1]];
  const length = alongX ** 2 + alongY ** 2;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, (x * alongX + y * alongY) / length));
  return Math.hypot(x - share * alongX, y - share * alongY);
}

/** The extent of a line, in degrees. */
export function extent(line: Line): number {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const [longitude, latitude] of line) {
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
  }
  return Math.max(east - west, north - south);
}
