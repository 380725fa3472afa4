import { lookOrder } from './looks.tsx';
import type { MapPlace } from './map-place.ts';
import type { GeoPoint } from './projection.ts';

export type Located = MapPlace & GeoPoint;

/** Stops of a plan, and the store that the map is about, are never merged into a cluster. */
export function isAlone(place: Located | undefined): boolean {
  return place?.number !== undefined || place?.look === 'here';
}

/** The places with a location in drawing order: the most telling on top. */
export function locatedPlaces(places: readonly MapPlace[]): Located[] {
  const rank = ({ look, number }: MapPlace) => lookOrder.indexOf(look) + (number === undefined ? 0 : lookOrder.length);
  return places
    .filter((place): place is Located => place.latitude !== null && place.longitude !== null)
    .sort((a, b) => rank(a) - rank(b) || a.longitude - b.longitude);
}
