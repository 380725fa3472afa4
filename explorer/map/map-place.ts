import type { Highlight } from '../parts/highlight.ts';
import { type Look, lookOrder } from './looks.tsx';
import type { GeoPoint } from './projection.ts';

/** A store on a map. Stores without a location are counted below the map. */
export type MapPlace = {
  readonly id: string;
  readonly label: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly look: Look;
  /** A note that is added to the meaning of the store's look. */
  readonly note?: string | undefined;
  readonly href?: string | undefined;
  /** The city that the store is in. */
  readonly city?: string | null | undefined;
  /** The store's number in a plan, from 1. A line connects the origin and all stops. */
  readonly number?: number | undefined;
};

export type MapProps = {
  readonly places: readonly MapPlace[];
  /** What the map shows, for screen readers. */
  readonly label: string;
  readonly origin?: GeoPoint | null | undefined;
  /** A circle around the origin, in metres. */
  readonly radius_m?: number | null | undefined;
  /** Called with the point that the reader clicks or, with Enter, the middle of the map. */
  readonly onPick?: ((point: GeoPoint) => void) | undefined;
  /** Highlights the stores' rows in a table, by id, and is highlighted by the table. */
  readonly highlight?: Highlight | undefined;
};

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
