import { useEffect, useMemo, useState } from 'preact/hooks';
import { type MapWindow, type Size, toPixels, toPlane } from './map-window.ts';
import { circleAround, earthRadius, type GeoPoint, type PlanePoint, type Projection } from './projection.ts';

/* What a map shows behind its stores. */

/**
 * The outline that the document names, or else a graticule, and a circle of `radius_m` metres around the chosen place.
 * `outline` null: not read yet.
 */
export function Ground({
  outline,
  isPlain,
  projection,
  window,
  size,
  origin,
  radius_m,
}: {
  readonly outline: Outline | null;
  /** Whether there is no outline, so that a graticule takes its place. */
  readonly isPlain: boolean;
  readonly projection: Projection;
  readonly window: MapWindow;
  readonly size: Size;
  readonly origin: GeoPoint | null;
  readonly radius_m: number | null;
}) {
  const [areas, borders] = useMemo(() => {
    const lines = outline?.lines ?? [];
    return [lines.filter(isRing), lines.filter((line) => !isRing(line))].map((some) => linesPath(some, projection));
  }, [outline, projection]);
  const zero = toPixels(window, size, { x: 0, y: 0 });
  const inMetres = `translate(${zero.x} ${zero.y}) scale(${1 / window.metresPerPixel})`;
  return (
    <>
      {isPlain && <Graticule projection={projection} window={window} size={size} />}
      {areas && <path class="outline" d={areas} transform={inMetres} />}
      {borders && <path class="outline open" d={borders} transform={inMetres} />}
      {origin && radius_m !== null && (
        <path
          class="radius"
          d={linesPath([circleAround(origin, radius_m).map(lngLat)], projection)}
          transform={inMetres}
        />
      )}
    </>
  );
}

function lngLat({ latitude, longitude }: GeoPoint): readonly [number, number] {
  return [longitude, latitude];
}

const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
/** The most lines across a map, and the number of segments of a line. */
const [mostLines, bends] = [6, 8];
/** The size of the corners in pixels, where a label would overlap another line's label or the scale. */
const edge = 36;

/** Meridians and parallels at round degrees, labelled at the left and top edges. */
function Graticule({
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

/** Lines behind a map, as longitudes and latitudes. */
type Outline = { readonly lines: readonly (readonly (readonly [number, number])[])[] };

let read: Promise<Outline | null> | null = null;

const nameInPage = () => document.querySelector<HTMLMetaElement>('meta[name="shelfpress-outline"]')?.content;

/** The outline that the document names, read once; null while it is read, or if there is none. */
export function useOutline() {
  const [state, setState] = useState<Outline | Error | null>(null);
  useEffect(() => {
    read ??= readOutline();
    read.then(setState, setState);
  }, []);
  const isNamed = nameInPage() !== undefined;
  return state instanceof Error ? { isNamed, outline: null, error: state } : { isNamed, outline: state, error: null };
}

async function readOutline(): Promise<Outline | null> {
  const name = nameInPage();
  if (name === undefined) return null;
  const response = await fetch(new URL(name, document.baseURI));
  if (!response.ok) throw new Error(`${name}: expected the outline of the map, got ${response.status}`);
  return (await response.json()) as Outline;
}

/** Whether a line ends where it begins. */
function isRing(line: Outline['lines'][number]): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return line.length > 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

/** Lines as an SVG path in metres, without the far side of the earth. */
function linesPath(lines: Outline['lines'], { toPlane }: Projection): string {
  const path: string[] = [];
  for (const line of lines) {
    let isDown = false;
    for (const [longitude, latitude] of line) {
      const { x, y } = toPlane({ latitude, longitude });
      const isNear = Math.hypot(x, y) < earthRadius;
      if (isNear) path.push(`${isDown ? 'L' : 'M'}${Math.round(x)} ${Math.round(y)}`);
      isDown = isNear;
    }
  }
  return path.join('');
}
