import type { Highlight } from '../table/highlight.ts';
import type { Look } from './looks.tsx';
import type { GeoPoint } from './projection.ts';

/** A store on a map. Stores without a location are counted below it. */
export type MapPlace = {
  readonly id: string;
  readonly label: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly look: Look;
  /** What is said of it beside what its look means. */
  readonly note?: string | undefined;
  readonly href?: string | undefined;
  /** The name of the city that it is in. */
  readonly city?: string | null | undefined;
  /** Its place in a plan, from 1. A line leads from the origin to it. */
  readonly number?: number | undefined;
};

export type MapProps = {
  readonly places: readonly MapPlace[];
  /** What the map shows, as its name. */
  readonly label: string;
  readonly origin?: GeoPoint | null | undefined;
  /** A circle around the origin, in metres. */
  readonly radius_m?: number | null | undefined;
  /** Called with a point that the reader picks by a click or, in the middle of the map, by Enter. */
  readonly onPick?: ((point: GeoPoint) => void) | undefined;
  /** Lights up the stores' rows in a table, by their ids, and is lit up by it. */
  readonly highlight?: Highlight | undefined;
};
