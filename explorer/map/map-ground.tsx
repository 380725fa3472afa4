import { useEffect, useState } from 'preact/hooks';
import { markWidth } from './looks.tsx';
import type { MapMark } from './map-points.tsx';
import { type MapWindow, type Size, toPixels, toPlane } from './map-window.ts';
import { earthRadius, type PlanePoint, type Projection } from './projection.ts';

/* What a map shows behind and beside its stores, based on the stores alone. */

const steps = [10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01];
/** The most lines across a map, and the number of segments of a line. */
const [mostLines, bends] = [6, 8];
/** The size of the corners in pixels, where a label would overlap another line's label or the scale. */
const edge = 36;

/** Meridians and parallels at round degrees, labelled at the left and top edges. */
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

/**
 * In pixels: the width of a letter, the height of a line, the space between a mark and its name, and the height of a
 * mark.
 */
const [letter, lineHeight, room, markHeight] = [6.6, 15, 2, 22];

/** The sizes of the corners with the controls and the scale. */
const [controls, scale] = [
  { width: 48, height: 156 },
  { width: 156, height: 46 },
];

type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };

/** `isLeft`: the name ends to the left of its mark. */
type NameBox = Box & { readonly isLeft: boolean };

/**
 * City names next to the marks with most of their stores: the largest cities first, as long as no name overlaps another
 * name or a mark. A mark names one city.
 */
export function CityNames({ marks, size }: { readonly marks: readonly MapMark[]; readonly size: Size }) {
  const named = marks
    .flatMap((mark) => {
      const city = mostIn(mark);
      return city === null ? [] : [{ mark, ...city }];
    })
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  const boxes = new Map(marks.map((mark) => [mark, markBox(mark)]));
  const { width, height } = size;
  const corners: readonly Box[] = [
    { left: width - controls.width, right: width, top: 0, bottom: controls.height },
    { left: 0, right: scale.width, top: height - scale.height, bottom: height },
  ];
  const drawn: (NameBox & { readonly name: string })[] = [];
  for (const { mark, name } of named) {
    if (drawn.some((other) => other.name === name)) continue;
    const taken = [...corners, ...drawn, ...[...boxes].flatMap(([other, box]) => (other === mark ? [] : [box]))];
    const free = placesBeside(mark, name.length * letter).find(
      (box) => fitsIn(box, size) && taken.every((other) => !overlaps(box, other)),
    );
    if (free) drawn.push({ ...free, name });
  }
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: it has no focus
    <g class="cities" aria-hidden="true">
      {drawn.map(({ name, left, right, bottom, isLeft }) => (
        <text key={name} x={isLeft ? right : left} y={bottom - 4} text-anchor={isLeft ? 'end' : 'start'}>
          {name}
        </text>
      ))}
    </g>
  );
}

/** The city with the most stores of a mark. */
function mostIn({ places }: MapMark): { readonly name: string; readonly count: number } | null {
  const counts = new Map<string, number>();
  for (const { city } of places) if (city) counts.set(city, (counts.get(city) ?? 0) + 1);
  const [most] = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return most ? { name: most[0], count: most[1] } : null;
}

function markBox({ places, at }: MapMark): Box {
  const half = markWidth(places.length) / 2;
  return { left: at.x - half, right: at.x + half, top: at.y - markHeight / 2, bottom: at.y + markHeight / 2 };
}

/** Where the name of a mark can go: to its right or to its left. */
function placesBeside(mark: MapMark, width: number): readonly NameBox[] {
  const { left, right } = markBox(mark);
  const [top, bottom] = [mark.at.y - lineHeight / 2, mark.at.y + lineHeight / 2];
  // A single mark is smaller than its touch target.
  const inset = mark.places.length === 1 ? 3 : 0;
  return [
    { left: right - inset + room, right: right - inset + room + width, top, bottom, isLeft: false },
    { left: left + inset - room - width, right: left + inset - room, top, bottom, isLeft: true },
  ];
}

function fitsIn({ left, right, top, bottom }: Box, { width, height }: Size): boolean {
  return left > 0 && right < width && top > 0 && bottom < height;
}

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
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
export function isRing(line: Outline['lines'][number]): boolean {
  const [first, last] = [line[0], line.at(-1)];
  return line.length > 3 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
}

/** An outline as an SVG path in metres, without the far side of the earth. */
export function outlinePath({ lines }: Outline, { toPlane }: Projection): string {
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
