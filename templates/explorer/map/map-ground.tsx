import type { MapPlace } from './map-place.ts';
import { type MapWindow, type Size, toPixels, toPlane } from './map-window.ts';
import type { PlanePoint, Projection } from './projection.ts';

/* What a map has behind and beside its stores where the operator gives no outline, from the stores alone. */

/** The convex hull of points as the path of an SVG drawing (Andrew's monotone chain). The style sheet draws it wider. */
export function pathOfHull(points: readonly PlanePoint[]): string {
  const sorted = points.toSorted((a, b) => a.x - b.x || a.y - b.y);
  const half = (ordered: readonly PlanePoint[]) => {
    const chain: PlanePoint[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && !turnsLeft(chain.at(-2), chain.at(-1), point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half(sorted.toReversed())];
  return hull.length < 3 ? '' : `M${hull.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`).join('L')}Z`;
}

function turnsLeft(a: PlanePoint | undefined, b: PlanePoint | undefined, c: PlanePoint): boolean {
  return a !== undefined && b !== undefined && (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0;
}

const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
/** Lines across a map at most, and points of a line. */
const [mostLines, bends] = [6, 8];
/** Pixels of the corners in which degrees would lie on those of another line, or on the scale. */
const edge = 36;

/** Meridians and parallels of round degrees, with their degrees at the left and upper edge. */
export function Graticule({
  projection,
  window,
  size,
}: {
  readonly projection: Projection;
  readonly window: MapWindow;
  readonly size: Size;
}) {
  const { width, height } = size;
  const [low, high] = [
    { x: 0, y: height },
    { x: width, y: 0 },
  ].map((corner) => projection.toEarth(toPlane(window, size, corner)));
  if (!low || !high || high.longitude <= low.longitude || high.latitude <= low.latitude) return null;
  const span = Math.max(high.latitude - low.latitude, high.longitude - low.longitude);
  const step = steps.findLast((one) => span / one <= mostLines) ?? 10;
  const between = (from: number, to: number) =>
    Array.from(
      { length: Math.ceil(to / step) - Math.floor(from / step) + 1 },
      (_, at) => (Math.floor(from / step) + at) * step,
    );
  const at = (latitude: number, longitude: number) =>
    toPixels(window, size, projection.toPlane({ latitude, longitude }));
  const line = (of: (share: number) => PlanePoint) =>
    `M${Array.from({ length: bends + 1 }, (_, bend) => of(bend / bends))
      .map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
      .join('L')}`;
  const share = (from: number, to: number, part: number) => from + (to - from) * part;
  const margin = span / 4;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no focus
    <g class="graticule" aria-hidden="true">
      {between(low.longitude, high.longitude).map((longitude) => {
        const top = at(high.latitude, longitude);
        return (
          <g key={`x${longitude}`}>
            <path d={line((part) => at(share(low.latitude - margin, high.latitude + margin, part), longitude))} />
            {top.x > edge && (
              <text x={top.x + 3} y="12">
                {degreesText(longitude, 'E', 'W')}
              </text>
            )}
          </g>
        );
      })}
      {between(low.latitude, high.latitude).map((latitude) => {
        const left = at(latitude, low.longitude);
        return (
          <g key={`y${latitude}`}>
            <path d={line((part) => at(latitude, share(low.longitude - margin, high.longitude + margin, part)))} />
            {left.y > edge && left.y < height - edge && (
              <text x="3" y={left.y - 3}>
                {degreesText(latitude, 'N', 'S')}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

function degreesText(degrees: number, positive: string, negative: string): string {
  return `${Number(Math.abs(degrees).toFixed(2))}° ${degrees < 0 ? negative : positive}`;
}

/** Pixels of a letter and of a line, about. */
const [letter, lineHeight] = [6.6, 15];

/** The names of cities beside the middle of their stores: those with most stores first, as far as no two lie on each other. */
export function CityNames({
  places,
  pixels,
  size,
}: {
  readonly places: readonly MapPlace[];
  readonly pixels: readonly PlanePoint[];
  readonly size: Size;
}) {
  const cities = new Map<string, PlanePoint[]>();
  for (const [index, { city }] of places.entries()) {
    const point = pixels[index];
    if (city && point) cities.set(city, [...(cities.get(city) ?? []), point]);
  }
  const drawn: { readonly name: string; readonly x: number; readonly y: number; readonly width: number }[] = [];
  for (const [name, points] of [...cities].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))) {
    const width = name.length * letter;
    const x = points.reduce((sum, point) => sum + point.x, 0) / points.length + 9;
    const y = points.reduce((sum, point) => sum + point.y, 0) / points.length + 4;
    const isInside = x > 0 && x + width < size.width && y > lineHeight && y < size.height - lineHeight;
    const isFree = drawn.every(
      (other) => x + width < other.x || other.x + other.width < x || Math.abs(y - other.y) > lineHeight,
    );
    if (isInside && isFree) drawn.push({ name, x, y, width });
  }
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no focus
    <g class="cities" aria-hidden="true">
      {drawn.map(({ name, x, y }) => (
        <text key={name} x={x} y={y}>
          {name}
        </text>
      ))}
    </g>
  );
}
