import { useMemo, useRef } from 'preact/hooks';
import { type Located, locatedPlaces, type MapPlace } from './map-place.ts';
import {
  circleAround,
  distanceBetween,
  type GeoPoint,
  middlePoint,
  type PlanePoint,
  type Projection,
  projectionAround,
} from './projection.ts';

/** How far around a single store the map shows, in metres. */
const aroundStore = 15_000;
/** How many stores to show around a chosen place: first those where everyone may buy. */
const nearestShown = 8;

/** The stores of a map, and where they and the chosen place are in its plane. */
export type MapPlane = {
  /** Names the projection: the plane changes with it. */
  readonly key: string;
  readonly projection: Projection;
  readonly located: readonly Located[];
  /** The points of `located`, in the same order. */
  readonly points: readonly PlanePoint[];
  readonly origin: PlanePoint | null;
  /** All points that the map can show. */
  readonly all: readonly PlanePoint[];
  /** The points of a plan's stops in their order. */
  readonly stops: readonly PlanePoint[];
};

export function useMapPlane(places: readonly MapPlace[], origin: GeoPoint | null): MapPlane {
  const located = useMemo(() => locatedPlaces(places), [places]);
  const middle = middlePoint(located.length > 0 || origin === null ? located : [origin]);
  const key = `${middle.latitude.toFixed(6)} ${middle.longitude.toFixed(6)} ${located.length}`;
  const projection = useMemo(() => projectionAround(middle), [key]);
  const points = useMemo(() => located.map(projection.toPlane), [located, projection]);
  const start = origin && projection.toPlane(origin);
  const all = useMemo(() => (start ? [...points, start] : points), [points, start?.x, start?.y]);
  const stops = stopsOf(located).map(projection.toPlane);
  return { key, projection, located, points, origin: start, all, stops };
}

/**
 * What the map shows until the reader moves it: points, or everything if they are null. Another plan or chosen place
 * shows other points, unless the reader picked the place on the map with `notePick`.
 */
export function useFirstPoints({ key, projection, located }: MapPlane, origin: GeoPoint | null) {
  const picked = useRef('');
  const first = useRef<{ readonly key: string; readonly points: readonly PlanePoint[] | null }>({
    key: '',
    points: null,
  });
  const originKey = origin === null ? '' : pointKey(origin);
  const ids = stopsOf(located).map(({ id }) => id);
  const firstKey = `${key} ${originKey} ${ids.join()}`;
  const isPicked = originKey !== '' && originKey === picked.current;
  if (first.current.key !== firstKey && !isPicked)
    first.current = { key: firstKey, points: pointsInFocus(located, origin)?.map(projection.toPlane) ?? null };
  const notePick = (point: GeoPoint) => {
    picked.current = pointKey(point);
  };
  return { ...first.current, notePick };
}

function pointKey({ latitude, longitude }: GeoPoint): string {
  return `${latitude} ${longitude}`;
}

function stopsOf(located: readonly Located[]): Located[] {
  return located.filter(({ number }) => number !== undefined).sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
}

/** The surroundings of the only store, or the chosen place with the nearest stores and all stops. Null: everything. */
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
