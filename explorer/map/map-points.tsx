import { countNoun } from '../parts/text.ts';
import { ClusterMark, lookMeanings, lookOrder, Mark, markWidth } from './looks.tsx';
import type { MapPlace } from './map-place.ts';
import type { Size } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

/** A mark: a store, or several whose marks would overlap. The last one is drawn on top. */
export type MapMark = { readonly places: readonly MapPlace[]; readonly at: PlanePoint };

const namesInWords = 3;

/** The label of a mark. */
export function markWords(places: readonly MapPlace[]): string {
  const [first] = places;
  if (places.length === 1 && first) return storeWords(first);
  const all = countNoun(places.length, 'store');
  if (places.some(({ look }) => look !== 'store')) {
    const counts = lookOrder.map((look) => [places.filter((place) => place.look === look).length, look] as const);
    const seen = counts.filter(([count]) => count > 0).reverse();
    return `${all}: ${seen.map(([count, look]) => `${count} ${lookMeanings[look]}`).join(', ')}`;
  }
  const names = places.slice(0, namesInWords).map(({ label }) => label);
  const others = places.length - names.length;
  return `${all}: ${names.join('; ')}${others > 0 ? `; and ${others} more` : ''}`;
}

function storeWords({ label, look, note, number }: MapPlace): string {
  const state = look === 'store' || look === 'here' ? [] : [lookMeanings[look]];
  const stop = number === undefined ? [] : [`stop ${number}`];
  return [label, ...stop, ...state, ...(note === undefined ? [] : [note])].join(', ');
}

/**
 * A mark on a map: a link if its store has one, or a button that opens a cluster. The Tab key stops at one mark, and
 * arrow keys move to the others.
 */
export function MapPoint({
  mark: { places, at },
  index,
  isTabStop,
  isPicked,
  onActive,
  onFocus,
  onOpen,
}: {
  readonly mark: MapMark;
  readonly index: number;
  readonly isTabStop: boolean;
  /** Whether pressing a store picks its location. */
  readonly isPicked: boolean;
  readonly onActive: (isActive: boolean) => void;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
}) {
  const place = places.at(-1);
  if (place === undefined) return null;
  const isCluster = places.length > 1;
  const shared = {
    class: isCluster ? 'point cluster' : 'point',
    'data-point': index,
    'data-stores': places.map(({ id }) => id).join(' '),
    tabindex: isTabStop ? 0 : -1,
    transform: `translate(${at.x} ${at.y})`,
    'aria-label': markWords(places),
    onPointerEnter: () => onActive(true),
    onPointerLeave: () => onActive(false),
    onFocus,
    onBlur: () => onActive(false),
  };
  if (isCluster) {
    // Pointer clicks are handled by the map, which knows whether they are drags.
    const click = ({ detail }: MouseEvent) => detail === 0 && onOpen();
    return (
      // biome-ignore lint/a11y/useSemanticElements: HTML has no place in a drawing
      <g role="button" {...shared} onClick={click}>
        <ClusterMark look={place.look} count={places.length} />
      </g>
    );
  }
  const drawing = (
    <>
      <circle class="hit" r="12" />
      {place.number === undefined ? <Mark look={place.look} /> : <NumberMark number={place.number} />}
    </>
  );
  if (place.href !== undefined) {
    return (
      <a href={place.href} {...shared}>
        {drawing}
      </a>
    );
  }
  return (
    <g role={isPicked ? 'button' : 'img'} {...shared}>
      {drawing}
    </g>
  );
}

/** A ring around the mark of a store that is highlighted elsewhere. */
export function Halo({ mark: { places, at } }: { readonly mark: MapMark }) {
  const width = markWidth(places.length) + 4;
  return (
    <rect
      class="halo"
      transform={`translate(${at.x} ${at.y})`}
      x={-width / 2}
      y="-14"
      width={width}
      height="28"
      rx="14"
    />
  );
}

function NumberMark({ number }: { readonly number: number }) {
  return (
    <g class="stop">
      <circle r="11" />
      <text dy="0.35em">{number}</text>
    </g>
  );
}

/** The label for stores that are pointed at or focused. For screen readers, the mark itself has the label. */
export function MapLabel({
  text,
  mark: { places, at },
  size,
}: {
  readonly text: string;
  readonly mark: MapMark;
  readonly size: Size;
}) {
  const beside = markWidth(places.length) / 2 + 3;
  const isRight = at.x > size.width / 2;
  const side = isRight ? { right: `${size.width - at.x + beside}px` } : { left: `${at.x + beside}px` };
  const edge = at.y > size.height / 2 ? { bottom: `${size.height - at.y + 4}px` } : { top: `${at.y + 4}px` };
  return (
    <div class="map-label" aria-hidden="true" style={{ ...side, ...edge }}>
      {text}
    </div>
  );
}
