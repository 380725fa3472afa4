import { lookMeanings, Mark } from './looks.tsx';
import type { MapPlace } from './map-place.ts';
import type { Size } from './map-window.ts';
import type { PlanePoint } from './projection.ts';

/** What is said of a store on a map. */
function wordsOf({ label, look, note, number }: MapPlace): string {
  const state = look === 'store' || look === 'here' ? [] : [lookMeanings[look]];
  const stop = number === undefined ? [] : [`stop ${number}`];
  return [label, ...stop, ...state, ...(note === undefined ? [] : [note])].join(', ');
}

/** A store on a map: a link where it has an address. One point is a stop of the Tab key; arrow keys go to others. */
export function MapPoint({
  place,
  index,
  at,
  isTabStop,
  isPicked,
  onActive,
  onFocus,
}: {
  readonly place: MapPlace;
  readonly index: number;
  readonly at: PlanePoint;
  readonly isTabStop: boolean;
  /** Whether a press on the point picks its place. */
  readonly isPicked: boolean;
  readonly onActive: (isActive: boolean) => void;
  readonly onFocus: () => void;
}) {
  const shared = {
    class: 'point',
    'data-point': index,
    tabindex: isTabStop ? 0 : -1,
    transform: `translate(${at.x} ${at.y})`,
    'aria-label': wordsOf(place),
    onPointerEnter: () => onActive(true),
    onPointerLeave: () => onActive(false),
    onFocus,
    onBlur: () => onActive(false),
  };
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

function NumberMark({ number }: { readonly number: number }) {
  return (
    <g class="stop">
      <circle r="11" />
      <text dy="0.35em">{number}</text>
    </g>
  );
}

/** What is said of the store that the reader points at or that has the focus. The point itself says it to screen readers. */
export function MapLabel({
  place,
  at = { x: 0, y: 0 },
  size,
}: {
  readonly place: MapPlace;
  readonly at: PlanePoint | undefined;
  readonly size: Size;
}) {
  const isRight = at.x > size.width / 2;
  const side = isRight ? { right: `${size.width - at.x + 14}px` } : { left: `${at.x + 14}px` };
  const edge = at.y > size.height / 2 ? { bottom: `${size.height - at.y + 4}px` } : { top: `${at.y + 4}px` };
  return (
    <div class="map-label" aria-hidden="true" style={{ ...side, ...edge }}>
      {wordsOf(place)}
    </div>
  );
}
