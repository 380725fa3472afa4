import { distanceInMetres, type GeoPoint, isFartherThan, spacePoint } from './distance.ts';
import type { StoreDirectory } from './store-directory.ts';

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
