import { useMemo, useRef, useState } from 'preact/hooks';
import { afterFirstPicture, useLater } from '../components/later.ts';
import { countOf } from '../components/text.ts';
import { useGestures } from './gestures.ts';
import { Legend, type Look, lookMeanings, OriginMark } from './looks.tsx';
import { MapControls, moveByKey } from './map-controls.tsx';
import { CityNames, Graticule, pathOfHull } from './map-ground.tsx';
import type { MapPlace, MapProps } from './map-place.ts';
import { MapLabel, MapPoint } from './map-points.tsx';
import { toPixels, toPlane } from './map-window.ts';
import { type Direction, neighbourOf } from './neighbours.ts';
import { isRing, pathOfOutline, useOutline } from './outline.ts';
import {
  circleAround,
  distanceBetween,
  type GeoPoint,
  middleOf,
  type PlanePoint,
  projectionAround,
} from './projection.ts';
import { ScaleBars } from './scale-bars.tsx';
import { useSize, useWindow } from './use-window.ts';

/** What a map of one store shows around it, in metres. */
const aroundStore = 15_000;
/** So many stores are in sight around a chosen place: first those where everyone may buy. */
const nearestShown = 8;
/** How far the ground goes on around the outermost stores, in metres. */
const aroundHull = 12_000;
const lookOrder = Object.keys(lookMeanings) as Look[];

/**
 * Stores on a map, drawn from their locations alone: nothing is requested from another host. A view that shows it has a
 * table of the same stores.
 */
export function StoreMap(props: MapProps) {
  const { places, origin = null } = props;
  if (origin === null && locatedPlaces(places).length === 0)
    return <p class="note">No store has a published location, so there is no map.</p>;
  return <DrawnMap {...props} />;
}

function DrawnMap({ places, label, origin = null, radius_m = null, onPick }: MapProps) {
  const svg = useRef<SVGSVGElement | null>(null);
  const size = useSize(svg);
  const isWhole = useLater(afterFirstPicture);
  const { isNamed, outline, error } = useOutline();
  const [active, setActive] = useState<string | null>(null);
  const located = useMemo(() => locatedPlaces(places), [places]);
  const middle = middleOf(located.length > 0 || origin === null ? located : [origin]);
  const key = `${middle.latitude.toFixed(6)} ${middle.longitude.toFixed(6)} ${located.length}`;
  const projection = useMemo(() => projectionAround(middle), [key]);
  const points = useMemo(() => located.map(projection.toPlane), [located, projection]);
  const start = origin && projection.toPlane(origin);
  const fitted = useMemo(() => (start ? [...points, start] : points), [points, start?.x, start?.y]);
  // A place that is picked on the map leaves its window as it is.
  const picked = useRef('');
  const originKey = origin === null ? '' : `${origin.latitude} ${origin.longitude}`;
  const isPicked = originKey !== '' && originKey === picked.current;
  const focus = useRef<{ readonly key: string; readonly points: readonly PlanePoint[] | null }>({
    key: '',
    points: null,
  });
  const stops = located
    .filter(({ number }) => number !== undefined)
    .sort((a, b) => (a.number ?? 0) - (b.number ?? 0))
    .map(({ id }) => id);
  const focusKey = `${key} ${originKey} ${stops.join()}`;
  if (focus.current.key !== focusKey && !isPicked)
    focus.current = { key: focusKey, points: pointsInFocus(located, origin)?.map(projection.toPlane) ?? null };
  const { window, move, zoom, showAll } = useWindow(fitted, focus.current.points, focus.current.key, size);
  const [areas, borders] = useMemo(() => {
    const lines = outline?.lines ?? [];
    return [lines.filter(isRing), lines.filter((line) => !isRing(line))].map((lines) =>
      pathOfOutline({ lines }, projection),
    );
  }, [outline, projection]);
  const hull = useMemo(() => (isNamed ? '' : pathOfHull(points)), [isNamed, points]);
  const pixels = points.map((point) => toPixels(window, size, point));
  const activeIndex = located.findIndex(({ id }) => id === active);
  const originAt = start && toPixels(window, size, start);

  const pick = (at: { x: number; y: number }) => {
    const { latitude, longitude } = projection.toEarth(toPlane(window, size, at));
    const point = { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
    picked.current = `${point.latitude} ${point.longitude}`;
    onPick?.(point);
  };
  useGestures(svg, { move, zoom, click: (at) => onPick && pick(at) });
  const focusPoint = (index: number | null) => {
    if (index !== null) svg.current?.querySelector<SVGElement>(`[data-point="${index}"]`)?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = Number((event.target as Element).closest('[data-point]')?.getAttribute('data-point') ?? -1);
    if (index < 0) {
      if (event.key === 'Enter' && onPick) pick({ x: size.width / 2, y: size.height / 2 });
      else if (!moveByKey(event.key, { move, zoom, showAll }, size)) return;
    } else if (event.key in arrows) focusPoint(neighbourOf(points, index, arrows[event.key] as Direction));
    else if (event.key === 'PageDown' || event.key === 'PageUp')
      focusPoint(index + (event.key === 'PageDown' ? 1 : -1));
    else if (event.key === 'Escape') svg.current?.focus();
    else if (event.key === 'Enter' && onPick && located[index]) pick(pixels[index] ?? { x: 0, y: 0 });
    else if (!moveByKey(event.key, { move, zoom, showAll }, size)) return;
    event.preventDefault();
  };
  const show = (index: number) => {
    const at = pixels[index];
    if (!at) return;
    setActive(located[index]?.id ?? null);
    const isOutside = at.x < 0 || at.y < 0 || at.x > size.width || at.y > size.height;
    if (isOutside) move({ x: size.width / 2 - at.x, y: size.height / 2 - at.y });
  };
  const unplaced = places.length - located.length;
  const looks = lookOrder.filter((look) => located.some((place) => place.look === look)).reverse();
  const zero = toPixels(window, size, { x: 0, y: 0 });
  const inMetres = `translate(${zero.x} ${zero.y}) scale(${1 / window.metresPerPixel})`;
  return (
    <div class="map">
      <div class="map-frame">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in */}
        <svg
          ref={svg}
          role="group"
          // An attribute of SVG is written as it is spelled.
          tabindex={0}
          aria-label={`Map: ${label}. Arrow keys move it, plus and minus zoom, Tab goes to a store.${onPick ? ' Enter picks its middle.' : ''}`}
          class={onPick ? 'picks' : undefined}
          viewBox={`0 0 ${size.width} ${size.height}`}
          onKeyDown={press}
        >
          {hull && (
            <>
              <path
                class="hull edge"
                d={hull}
                transform={inMetres}
                stroke-width={2 * (aroundHull + window.metresPerPixel)}
              />
              <path class="hull" d={hull} transform={inMetres} stroke-width={2 * aroundHull} />
            </>
          )}
          {!isNamed && isWhole && <Graticule projection={projection} window={window} size={size} />}
          {areas && <path class="outline" d={areas} transform={inMetres} />}
          {borders && <path class="outline open" d={borders} transform={inMetres} />}
          {origin && radius_m !== null && (
            <path
              class="radius"
              d={pathOfOutline({ lines: [circleAround(origin, radius_m).map(lngLat)] }, projection)}
              transform={inMetres}
            />
          )}
          {originAt && stops.length > 0 && (
            <path
              class="way"
              d={`M${[originAt, ...stops.flatMap((id) => pixels[located.findIndex((place) => place.id === id)] ?? [])]
                .map(({ x, y }) => `${x} ${y}`)
                .join('L')}Z`}
            />
          )}
          {originAt && (
            <g class="origin" transform={`translate(${originAt.x} ${originAt.y})`}>
              <title>The chosen place</title>
              <OriginMark />
            </g>
          )}
          {isWhole &&
            located.map((place, index) => (
              <MapPoint
                key={place.id}
                place={place}
                index={index}
                at={pixels[index] ?? { x: 0, y: 0 }}
                isTabStop={activeIndex === index || (activeIndex < 0 && index === located.length - 1)}
                isPicked={onPick !== undefined}
                onActive={(isActive) =>
                  isActive ? setActive(place.id) : setActive((id) => (id === place.id ? null : id))
                }
                onFocus={() => show(index)}
              />
            ))}
          {isWhole && <CityNames places={located} pixels={pixels} size={size} />}
          {onPick && <path class="crosshair" d={`M${size.width / 2 - 12} ${size.height / 2}h24m-12-12v24`} />}
          <ScaleBars metresPerPixel={window.metresPerPixel} size={size} />
        </svg>
        {located[activeIndex] && <MapLabel place={located[activeIndex]} at={pixels[activeIndex]} size={size} />}
        <MapControls move={move} zoom={zoom} showAll={showAll} size={size} />
      </div>
      <Legend looks={looks} hasOrigin={origin !== null} />
      {unplaced > 0 && (
        <p class="muted">
          {countOf(unplaced, 'store')} {unplaced === 1 ? 'has' : 'have'} no published location and{' '}
          {unplaced === 1 ? 'is' : 'are'} not on the map.
        </p>
      )}
      {error && <p class="note">The outline of the map cannot be read. {error.message}</p>}
    </div>
  );
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

type Located = MapPlace & GeoPoint;

/** What a map shows at first: the surroundings of its one store, or a place with the stores near it. Null: everything. */
function pointsInFocus(located: readonly Located[], origin: GeoPoint | null): readonly GeoPoint[] | null {
  const here = located.find(({ look }) => look === 'here');
  if (here) return circleAround(here, aroundStore);
  if (origin === null) return null;
  const rank = ({ look }: Located) => Number(look !== 'reported');
  const nearest = located
    .map((place) => ({ place, distance: distanceBetween(origin, place) }))
    .sort((a, b) => rank(a.place) - rank(b.place) || a.distance - b.distance)
    .slice(0, nearestShown)
    .map(({ place }) => place);
  return [origin, ...nearest, ...located.filter(({ number }) => number !== undefined)];
}

/** The places that have a location, in the order in which they are drawn: those that say most on top. */
function locatedPlaces(places: readonly MapPlace[]): Located[] {
  const rank = ({ look, number }: MapPlace) => lookOrder.indexOf(look) + (number === undefined ? 0 : lookOrder.length);
  return places
    .filter((place): place is Located => place.latitude !== null && place.longitude !== null)
    .sort((a, b) => rank(a) - rank(b) || a.longitude - b.longitude);
}

function lngLat({ latitude, longitude }: GeoPoint): readonly [number, number] {
  return [longitude, latitude];
}

/** Degrees to about a metre: a click is no more exact. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
