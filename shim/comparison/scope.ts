import geographiclib from 'geographiclib-geodesic';
import { earlierOf, laterOf } from '../../contract/instant.ts';
import type { QueryOf } from '../../contract/parameters.ts';
import type { ComparisonStores, StoreSummary } from '../../contract/schemas/store.ts';
import { ByteCache } from '../site/byte-cache.ts';
import type { Reading } from '../site/reading.ts';
import { type ProductObservations, pairBits } from './requested-products.ts';

/** The stores that a comparison can choose from. A store's number is its position. */
export type StoreDirectory = ComparisonStores & {
  /** The number of the reading that it is from. */
  readonly reading: number;
  /**
   * The stores with a location by origin, nearest first, then by id. They are kept, because people ask for many
   * products from one place.
   */
  readonly nearest: ByteCache<readonly StoreInScope[]>;
};

/** How many directories were read so far. */
let readings = 0;

/** Bytes of memory for a store, and for the cache of stores by origin. */
const [storeMemory, keptNearest] = [1000, 1024 * 1024];

/**
 * Reads the document at `comparison_stores`. Throws if the stores are not in order of id, because their numbers are
 * compared instead of their ids.
 */
export const storeDirectoryReading: Reading<StoreDirectory> = {
  name: 'comparison stores',
  memorySize: ({ stores }) => stores.length * storeMemory + keptNearest,
  of(bytes, read) {
    const directory = read('comparison_stores', bytes);
    const { stores } = directory;
    const odd = stores.findIndex(({ id }, number) => number > 0 && id <= (stores[number - 1]?.id ?? ''));
    if (odd >= 0) throw new Error(`stores.${odd}.id: expected an id after the one before, got ${stores[odd]?.id}`);
    readings += 1;
    return { ...directory, reading: readings, nearest: new ByteCache(keptNearest) };
  },
};

/**
 * A store in scope. `number`: its number in the directory, which orders stores like their ids. `distance`: in metres.
 */
export type StoreInScope = { readonly store: StoreSummary; readonly number: number; readonly distance: number };

/** Stores with a published location within the radius, the bound included, nearest first, then by id, contract.md 9. */
export function storesInScope(directory: StoreDirectory, origin: GeoPoint, radiusM: number): readonly StoreInScope[] {
  const nearest = nearestStores(origin, directory);
  const end = nearest.findIndex(({ distance }) => distance > radiusM);
  return end < 0 ? nearest : nearest.slice(0, end);
}

/** Bytes of memory for an origin, and for each of its stores. */
const [originMemory, nearMemory] = [400, 64];

function nearestStores(origin: GeoPoint, { stores, nearest }: StoreDirectory): readonly StoreInScope[] {
  const place = `${origin.latitude} ${origin.longitude}`;
  const known = nearest.get(place);
  if (known) return known;
  const found = stores
    .flatMap((store, number) => {
      const { location } = store;
      return location ? [{ store, number, distance: distanceInMetres(origin, location) }] : [];
    })
    .sort((a, b) => a.distance - b.distance || a.number - b.number);
  nearest.set(place, found, originMemory + found.length * nearMemory);
  return found;
}

const { DISTANCE, WGS84 } = geographiclib.Geodesic;

type GeoPoint = { readonly latitude: number; readonly longitude: number };

/** The geodesic distance on the WGS84 ellipsoid (Karney), rounded to the metre, contract.md 9. */
export function distanceInMetres(from: GeoPoint, to: GeoPoint): number {
  const { s12 } = WGS84.Inverse(from.latitude, from.longitude, to.latitude, to.longitude, DISTANCE);
  return Math.round(s12 as number);
}

/**
 * The states of the requested products in the stores in scope. A set of products has bit p for the product at position
 * p.
 */
export type ScopeCoverage = {
  readonly productCount: number;
  /**
   * By store, in the order of the scope: the products reported positive there, and those among them that are
   * purchase-eligible.
   */
  readonly positive: Int32Array;
  readonly eligible: Int32Array;
  /** By store: the products that it covers. It is one of the two arrays above. */
  readonly covered: Int32Array;
  /** The products that are restricted in at least one store in scope, and those that are unchecked in at least one. */
  readonly restrictedAnywhere: number;
  readonly uncheckedAnywhere: number;
  readonly observedPairCount: number;
  readonly retrievedAtMin: string | null;
  readonly retrievedAtMax: string | null;
};

type Modes = Required<Pick<QueryOf<'comparison'>, 'purchase_eligibility' | 'inventory_age'>>;

/**
 * Applies the pair states of contract.md 9. With `within_policy`, an observation outside the policy counts as
 * unchecked.
 */
export function scopeCoverage(
  stores: readonly StoreInScope[],
  products: readonly ProductObservations[],
  { purchase_eligibility, inventory_age }: Modes,
): ScopeCoverage {
  const positive = new Int32Array(stores.length);
  const eligible = new Int32Array(stores.length);
  let [restrictedAnywhere, uncheckedAnywhere, observedPairCount] = [0, 0, 0];
  let retrievedAtMin: string | null = null;
  let retrievedAtMax: string | null = null;
  for (const [position, { retrievals }] of products.entries()) {
    const product = 1 << position;
    let observedCount = 0;
    for (const { retrievedAt, isWithinPolicy, pairs } of retrievals) {
      if (inventory_age === 'within_policy' && !isWithinPolicy) continue;
      let observedHere = 0;
      for (const [index, { number }] of stores.entries()) {
        const bits = pairs.charCodeAt(number);
        if (bits === 0) continue;
        observedHere += 1;
        if ((bits & pairBits.positive) !== 0) positive[index] = (positive[index] as number) | product;
        if ((bits & pairBits.eligible) !== 0) eligible[index] = (eligible[index] as number) | product;
        if ((bits & pairBits.restricted) !== 0) restrictedAnywhere |= product;
      }
      if (observedHere === 0) continue;
      observedCount += observedHere;
      retrievedAtMin = earlierOf(retrievedAt, retrievedAtMin);
      retrievedAtMax = laterOf(retrievedAt, retrievedAtMax);
    }
    if (observedCount < stores.length) uncheckedAnywhere |= product;
    observedPairCount += observedCount;
  }
  return {
    productCount: products.length,
    positive,
    eligible,
    covered: purchase_eligibility === 'eligible' ? eligible : positive,
    restrictedAnywhere,
    uncheckedAnywhere,
    observedPairCount,
    retrievedAtMin,
    retrievedAtMax,
  };
}

/** The union of the sets. */
export function anywhere(sets: Int32Array): number {
  return sets.reduce((union, set) => union | set, 0);
}
