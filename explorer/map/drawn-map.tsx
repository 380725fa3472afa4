import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLit } from '../parts/highlight.ts';
import { afterFirstPicture, useLater } from '../parts/later.tsx';
import { type Cluster, clusterPoints } from './clusters.ts';
import { useGestures } from './gestures.ts';
import { OriginMark } from './looks.tsx';
import { MapControls, moveByKey } from './map-controls.tsx';
import { CityNames, Graticule, isRing, outlinePath, useOutline } from './map-ground.tsx';
import { isAlone, type Located, locatedPlaces, type MapProps } from './map-place.ts';
import { Halo, MapLabel, type MapMark, MapPoint, markWords } from './map-points.tsx';
import { closest, toPixels, toPlane, useSize, useWindow } from './map-window.ts';
import { type Direction, nearestNeighbour } from './neighbours.ts';
import {
  circleAround,
  distanceBetween,
  type GeoPoint,
  middlePoint,
  type PlanePoint,
  projectionAround,
} from './projection.ts';
import { ScaleBars } from './scale-bars.tsx';

/** How far around a single store the map shows, in metres. */
const aroundStore = 15_000;
/** How many stores to show around a chosen place: first those where everyone may buy. */
const nearestShown = 8;

/** A drawn map with its controls. */
export function DrawnMap({ places, label, origin = null, radius_m = null, onPick, highlight }: MapProps) {
  const svg = useRef<SVGSVGElement | null>(null);
  const size = useSize(svg);
  const isWhole = useLater(afterFirstPicture);
  const { isNamed, outline, error } = useOutline();
  const [active, setActive] = useState<string | null>(null);
  const located = useMemo(() => locatedPlaces(places), [places]);
  const middle = middlePoint(located.length > 0 || origin === null ? located : [origin]);
  const key = `${middle.latitude.toFixed(6)} ${middle.longitude.toFixed(6)} ${located.length}`;
  const projection = useMemo(() => projectionAround(middle), [key]);
  const points = useMemo(() => located.map(projection.toPlane), [located, projection]);
  const start = origin && projection.toPlane(origin);
  const fitted = useMemo(() => (start ? [...points, start] : points), [points, start?.x, start?.y]);
  // Picking a place on the map does not move the map.
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
  const { window, move, zoom, showAll, showOnly } = useWindow(fitted, focus.current.points, focus.current.key, size);
  const [areas, borders] = useMemo(() => {
    const lines = outline?.lines ?? [];
    return [lines.filter(isRing), lines.filter((line) => !isRing(line))].map((lines) =>
      outlinePath({ lines }, projection),
    );
  }, [outline, projection]);
  const pixels = points.map((point) => toPixels(window, size, point));
  // At the closest zoom, clusters could not be opened any further.
  const isClosest = window.metresPerPixel <= closest;
  const clusters = useMemo(
    () => clusterPoints(points, window.metresPerPixel, (index) => isClosest || isAlone(located[index])),
    [points, located, window.metresPerPixel],
  );
  const marks = clusters.map(
    (cluster): MapMark => ({
      places: cluster.members.flatMap((index) => located[index] ?? []),
      at: toPixels(window, size, cluster),
    }),
  );
  const markIndex = (id: string | null) => marks.findIndex(({ places }) => places.some((place) => place.id === id));
  const lit = useLit(highlight);
  const litInTable = lit?.from === 'table' ? lit.keys : [];
  const litMarks = marks.filter(({ places }) => places.some(({ id }) => litInTable.includes(id)));
  const activeIndex = markIndex(active);
  const labelled = litMarks[0] ?? marks[activeIndex];
  const originAt = start && toPixels(window, size, start);

  const pick = (at: { x: number; y: number }) => {
    const { latitude, longitude } = projection.toEarth(toPlane(window, size, at));
    const point = { latitude: roundDegrees(latitude), longitude: roundDegrees(longitude) };
    picked.current = `${point.latitude} ${point.longitude}`;
    onPick?.(point);
  };
  const open = ({ members }: Cluster) => showOnly(members.flatMap((index) => points[index] ?? []));
  useGestures(svg, {
    move,
    zoom,
    click: (at, target) => {
      const cluster = clusters[pointAt(target)];
      if (cluster && cluster.members.length > 1) {
        open(cluster);
        // A pointer opened the cluster, so none of its stores gets the focus.
        svg.current?.focus();
      } else if (onPick) pick(at);
    },
  });
  const focusPoint = (index: number | null) => {
    if (index !== null) svg.current?.querySelector<SVGElement>(`[data-point="${index}"]`)?.focus();
  };
  // The focused mark may have joined a cluster, or have been opened.
  const focused = storeAt(svg.current, document.activeElement);
  useLayoutEffect(() => {
    if (focused !== null && storeAt(svg.current, document.activeElement) === null) focusPoint(markIndex(focused));
  });
  // A mark that disappeared gets no pointerleave event.
  useLayoutEffect(() => {
    if (storeAt(svg.current, document.activeElement) === null) deactivate();
  }, [clusters]);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const index = pointAt(event.target as Element);
    const cluster = clusters[index];
    if (index < 0) {
      if (event.key === 'Enter' && onPick) pick({ x: size.width / 2, y: size.height / 2 });
      else if (!moveByKey(event.key, { move, zoom, showAll }, size)) return;
    } else if (event.key in arrows) focusPoint(nearestNeighbour(clusters, index, arrows[event.key] as Direction));
    else if (event.key === 'PageDown' || event.key === 'PageUp')
      focusPoint(index + (event.key === 'PageDown' ? 1 : -1));
    else if (event.key === 'Escape') svg.current?.focus();
    else if (cluster && cluster.members.length > 1 && (event.key === 'Enter' || event.key === ' ')) open(cluster);
    else if (event.key === 'Enter' && onPick && marks[index]) pick(marks[index].at);
    else if (!moveByKey(event.key, { move, zoom, showAll }, size)) return;
    event.preventDefault();
  };
  const activate = (index: number, isChosen: boolean) => {
    const keys = marks[index]?.places.map(({ id }) => id) ?? [];
    setActive(keys.at(-1) ?? null);
    highlight?.light({ keys, from: 'map', isChosen });
  };
  const deactivate = () => {
    setActive(null);
    highlight?.dim('map');
  };
  const show = (index: number) => {
    const at = marks[index]?.at;
    if (!at) return;
    activate(index, true);
    const isOutside = at.x < 0 || at.y < 0 || at.x > size.width || at.y > size.height;
    if (isOutside) move({ x: size.width / 2 - at.x, y: size.height / 2 - at.y });
  };
  const zero = toPixels(window, size, { x: 0, y: 0 });
  const inMetres = `translate(${zero.x} ${zero.y}) scale(${1 / window.metresPerPixel})`;
  return (
    <>
      <div class={isNamed ? 'map-frame' : 'map-frame plain'}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in */}
        <svg
          ref={svg}
          role="group"
          // SVG attributes keep their own spelling.
          tabindex={0}
          aria-label={`Map: ${label}. Arrow keys move it, plus and minus zoom, Tab goes to a store.${onPick ? ' Enter picks its centre.' : ''}`}
          class={onPick ? 'picks' : undefined}
          viewBox={`0 0 ${size.width} ${size.height}`}
          onKeyDown={press}
        >
          {!isNamed && isWhole && <Graticule projection={projection} window={window} size={size} />}
          {areas && <path class="outline" d={areas} transform={inMetres} />}
          {borders && <path class="outline open" d={borders} transform={inMetres} />}
          {origin && radius_m !== null && (
            <path
              class="radius"
              d={outlinePath({ lines: [circleAround(origin, radius_m).map(lngLat)] }, projection)}
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
          {isWhole && <CityNames marks={marks} size={size} />}
          {isWhole &&
            marks.map((mark, index) => (
              <MapPoint
                key={mark.places.at(-1)?.id}
                mark={mark}
                index={index}
                isTabStop={activeIndex === index || (activeIndex < 0 && index === marks.length - 1)}
                isPicked={onPick !== undefined}
                onActive={(isActive) => (isActive ? activate(index, false) : deactivate())}
                onFocus={() => show(index)}
                onOpen={() => clusters[index] && open(clusters[index])}
              />
            ))}
          {litMarks.map((mark) => (
            <Halo key={mark.places.at(-1)?.id} mark={mark} />
          ))}
          {onPick && <path class="crosshair" d={`M${size.width / 2 - 12} ${size.height / 2}h24m-12-12v24`} />}
          <ScaleBars metresPerPixel={window.metresPerPixel} size={size} />
        </svg>
        {labelled && <MapLabel text={markLabel(labelled, litInTable)} mark={labelled} size={size} />}
        <MapControls move={move} zoom={zoom} showAll={showAll} size={size} />
      </div>
      {error && <p class="note">The outline of the map cannot be read. {error.message}</p>}
    </>
  );
}

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The index of the mark that contains an element; -1 for none. */
function pointAt(element: Element | null): number {
  return Number(element?.closest('[data-point]')?.getAttribute('data-point') ?? -1);
}

/** The top store of the mark that has the focus; null if the focus is outside the map. */
function storeAt(map: Element | null, focused: Element | null): string | null {
  if (!map?.contains(focused)) return null;
  return focused?.closest('[data-stores]')?.getAttribute('data-stores')?.split(' ').at(-1) ?? null;
}

/** The label of a mark: the store whose row is highlighted, or else all stores of the mark. */
function markLabel({ places }: MapMark, lit: readonly string[]): string {
  const own = places.filter(({ id }) => lit.includes(id));
  return markWords(own.length > 0 ? own : places);
}

/**
 * What a map shows at first: the surroundings of its only store, or a place with the nearest stores. Null: everything.
 */
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

function lngLat({ latitude, longitude }: GeoPoint): readonly [number, number] {
  return [longitude, latitude];
}

/** Rounds to about a metre: a click is no more exact. */
function roundDegrees(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}
