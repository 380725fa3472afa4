import { markWidth } from './looks.tsx';
import type { MapMark } from './map-points.tsx';
import type { Size } from './map-window.ts';

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
