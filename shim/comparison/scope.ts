import geographiclib from 'geographiclib-geodesic';
import type { StoreSummary } from '../../generator/contract/documents/store.ts';
import type { Warning } from '../../generator/contract/documents/warning.ts';
import { comparisonStores } from '../../generator/contract/formats/comparison-input.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';

/** The stores in scope, nearest first and at one distance by id: arrays of equal length. */
export type Scope = {
  /** Numbers of stores in the directory, so that the smaller number has the smaller id. */
  readonly stores: Int32Array;
  /** Metres from the origin. */
  readonly distances: Int32Array;
};

/** Stores with a published location within the radius, the bound included, contract.md 9. */
export function storesInScope({ stores, points }: StoreDirectory, origin: GeoPoint, radiusM: number): Scope {
  const centre = spacePoint(origin);
  const keys = new Float64Array(stores.length);
  let count = 0;
  for (const [number, { location }] of stores.entries()) {
    const point = points[number];
    if (!location || !point || isFartherThan(radiusM, centre, point)) continue;
    const distance = distanceInMetres(origin, location);
    // Distance and id in one number: numbers are sorted many times as fast as by a function that compares.
    if (distance <= radiusM) keys[count++] = distance * stores.length + number;
  }
  const sorted = keys.subarray(0, count).sort();
  return {
    stores: Int32Array.from(sorted, (key) => key % stores.length),
    distances: Int32Array.from(sorted, (key) => Math.floor(key / stores.length)),
  };
}

const { DISTANCE, WGS84 } = geographiclib.Geodesic;
/** Of the ellipsoid, in metres; and the square of its eccentricity. */
const equatorialRadius = WGS84.a;
const eccentricitySquared = WGS84.f * (2 - WGS84.f);
const degree = Math.PI / 180;

export type GeoPoint = { readonly latitude: number; readonly longitude: number };
/** A place on the ellipsoid, in metres from the centre of the earth. */
export type SpacePoint = { readonly x: number; readonly y: number; readonly z: number };

/** The geodesic distance on the WGS84 ellipsoid (Karney), rounded to the metre, contract.md 9. */
export function distanceInMetres(from: GeoPoint, to: GeoPoint): number {
  const { s12 } = WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude, DISTANCE);
  return Math.round(s12 as number);
}

export function spacePoint({ latitude, longitude }: GeoPoint): SpacePoint {
  const [sine, cosine] = [Math.sin(latitude * degree), Math.cos(latitude * degree)];
  const normal = equatorialRadius / Math.sqrt(1 - eccentricitySquared * sine * sine);
  return {
    x: normal * cosine * Math.cos(longitude * degree),
    y: normal * cosine * Math.sin(longitude * degree),
    z: normal * (1 - eccentricitySquared) * sine,
  };
}

/**
 * Whether two places are certainly farther apart than so many metres, told without a geodesic. No way on the surface
 * is shorter than the straight line through the earth, wherever the two are: poles and antimeridian are ordinary places
 * in space. The metre added is for the rounding of the distance (half of it) and of the numbers here (far less).
 */
export function isFartherThan(metres: number, from: SpacePoint, to: SpacePoint): boolean {
  const [x, y, z] = [from.x - to.x, from.y - to.y, from.z - to.z];
  return x * x + y * y + z * z > (metres + 1) ** 2;
}

/** The stores a comparison can choose from, by id; a store's number is its position here. */
export type StoreDirectory = {
  readonly warnings: readonly Warning[];
  readonly stores: readonly StoreSummary[];
  /** Where each store is; null where no location is published. */
  readonly points: readonly (SpacePoint | null)[];
};

/** Of the document at `comparison_stores`. Throws when the stores are not in order: their numbers stand for their ids. */
export const storeDirectoryReading: Reading<StoreDirectory> = {
  name: 'comparison stores',
  of(bytes) {
    const { warnings, stores } = parseJson(comparisonStores, bytes);
    const odd = stores.findIndex(({ id }, number) => number > 0 && id <= (stores[number - 1]?.id ?? ''));
    if (odd >= 0) throw new Error(`stores.${odd}.id: expected an id after the one before, got ${stores[odd]?.id}`);
    return { warnings, stores, points: stores.map(({ location }) => location && spacePoint(location)) };
  },
};
