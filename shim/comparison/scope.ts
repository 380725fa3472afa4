import geographiclib from 'geographiclib-geodesic';
import type { QueryOf } from '../../generator/contract/addresses.ts';
import { comparisonStores } from '../../generator/contract/documents/comparison.ts';
import type { Warning } from '../../generator/contract/documents/envelope.ts';
import type { StoreSummary } from '../../generator/contract/documents/store.ts';
import { earlierOf, laterOf } from '../../generator/contract/instant.ts';
import { inSteps, type Steps, type Work } from '../scheduling/work.ts';
import { ByteCache } from '../site/byte-cache.ts';
import { parseJson, type Reading } from '../site/verified-objects.ts';
import { type ProductObservations, pairBits } from './requested-products.ts';

/** The stores in scope, nearest first, at equal distances by id. The arrays have equal length. */
export type Scope = {
  /** Numbers of the stores in the directory. A smaller number means a smaller id. */
  readonly stores: Int32Array;
  /** Metres from the origin. */
  readonly distances: Int32Array;
};

/** Stores whose distance is computed in a step, and the units of work that each takes. */
const [storesPerStep, distanceUnits] = [1000, 1];

/** Bytes of the scopes of a directory that are kept: most people ask several times from one place. */
const keptScopes = 512 * 1024;
const scopesOf = new WeakMap<StoreDirectory, ByteCache<Scope>>();

/** The scope of a comparison. It costs the same whether or not somebody has asked for it before. */
export async function scopeAround(
  directory: StoreDirectory,
  origin: GeoPoint,
  radiusM: number,
  work: Work,
): Promise<Scope> {
  const scopes = scopesOf.get(directory) ?? new ByteCache<Scope>(keptScopes);
  scopesOf.set(directory, scopes);
  const key = `${origin.latitude} ${origin.longitude} ${radiusM}`;
  const known = scopes.get(key);
  if (known) {
    const turn = work.spend(directory.stores.length * distanceUnits);
    if (turn) await turn;
    return known;
  }
  const scope = await inSteps(storesInScope(directory, origin, radiusM), work);
  scopes.set(key, scope, scopeMemory + scope.stores.byteLength + scope.distances.byteLength);
  return scope;
}

/** Bytes of memory that a scope takes without its stores. */
const scopeMemory = 500;

/** Stores with a published location within the radius, the bound included, contract.md 9. */
export function* storesInScope({ stores, points }: StoreDirectory, origin: GeoPoint, radiusM: number): Steps<Scope> {
  const centre = spacePoint(origin);
  const keys = new Float64Array(stores.length);
  let count = 0;
  for (const [number, { location }] of stores.entries()) {
    if (number % storesPerStep === 0) yield Math.min(storesPerStep, stores.length - number) * distanceUnits;
    const point = points[number];
    if (!location || !point || isFartherThan(radiusM, centre, point)) continue;
    const distance = distanceInMetres(origin, location);
    // Puts distance and store number into one number, because sorting numbers is many times faster than sorting with a
    // comparison function.
    if (distance <= radiusM) keys[count++] = distance * stores.length + number;
  }
  const sorted = keys.subarray(0, count).sort();
  return {
    stores: Int32Array.from(sorted, (key) => key % stores.length),
    distances: Int32Array.from(sorted, (key) => Math.floor(key / stores.length)),
  };
}

const { DISTANCE, WGS84 } = geographiclib.Geodesic;
/** The equatorial radius of the ellipsoid in metres, and the square of its eccentricity. */
const equatorialRadius = WGS84.a;
const eccentricitySquared = WGS84.f * (2 - WGS84.f);
const degree = Math.PI / 180;

type GeoPoint = { readonly latitude: number; readonly longitude: number };
/** A place on the ellipsoid, in metres from the centre of the earth. */
type SpacePoint = { readonly x: number; readonly y: number; readonly z: number };

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
 * Whether two places are certainly farther apart than `metres`, without computing a geodesic. No path on the surface is
 * shorter than the straight line through the earth. This holds everywhere: in space, poles and antimeridian are
 * ordinary places. One metre is added for the rounding of the distance (half a metre) and of the numbers here (far
 * less).
 */
export function isFartherThan(metres: number, from: SpacePoint, to: SpacePoint): boolean {
  const [x, y, z] = [from.x - to.x, from.y - to.y, from.z - to.z];
  return x * x + y * y + z * z > (metres + 1) ** 2;
}

/** The stores that a comparison can choose from, in order of id. The number of a store is its position here. */
export type StoreDirectory = {
  readonly warnings: readonly Warning[];
  readonly stores: readonly Pick<StoreSummary, 'location'>[];
  readonly texts: readonly StoreText[];
  /** The place of each store; null where no location is published. */
  readonly points: readonly (SpacePoint | null)[];
};

/** A store as JSON, cut where its distance from the origin is. */
type StoreText = { readonly beforeDistance: string; readonly afterDistance: string };

function storeText(store: StoreSummary): StoreText {
  const fields = Object.entries({ ...store, distance_m: null });
  const place = fields.findIndex(([name]) => name === 'distance_m');
  const print = (some: typeof fields) =>
    some.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return {
    beforeDistance: `{${[...print(fields.slice(0, place)), '"distance_m":'].join()}`,
    afterDistance: `${['', ...print(fields.slice(place + 1))].join()}}`,
  };
}

/**
 * Reads the document at `comparison_stores`. Throws when the stores are not in order of id, because their numbers are
 * compared in place of their ids.
 */
export const storeDirectoryReading: Reading<StoreDirectory> = {
  name: 'comparison stores',
  of(bytes) {
    const { warnings, stores } = parseJson(comparisonStores, bytes);
    const odd = stores.findIndex(({ id }, number) => number > 0 && id <= (stores[number - 1]?.id ?? ''));
    if (odd >= 0) throw new Error(`stores.${odd}.id: expected an id after the one before, got ${stores[odd]?.id}`);
    return {
      warnings,
      stores: stores.map(({ location }) => ({ location })),
      texts: stores.map(storeText),
      points: stores.map(({ location }) => location && spacePoint(location)),
    };
  },
};

/**
 * The states of the requested products in the stores in scope. In a set of products, bit p stands for the product at
 * position p.
 */
export type ScopeCoverage = {
  readonly productCount: number;
  /**
   * By store, in the order of the scope: the products reported positive there, and those of them that are
   * purchase-eligible.
   */
  readonly positive: Int32Array;
  readonly eligible: Int32Array;
  /** By store: the products that it covers, which is one of the two arrays above. */
  readonly covered: Int32Array;
  /** The products that are restricted in any store in scope, and those that are unchecked in any of them. */
  readonly restrictedAnywhere: number;
  readonly uncheckedAnywhere: number;
  readonly observedPairCount: number;
  readonly retrievedAtMin: string | null;
  readonly retrievedAtMax: string | null;
};

/**
 * Applies the pair states of contract.md 9. With `within_policy`, an observation that does not meet the policy counts
 * as unchecked.
 */
export function scopeCoverage(
  { stores }: Scope,
  products: readonly ProductObservations[],
  {
    purchase_eligibility,
    inventory_age,
  }: Required<Pick<QueryOf<'comparison'>, 'purchase_eligibility' | 'inventory_age'>>,
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
      for (let index = 0; index < stores.length; index += 1) {
        const bits = pairs.charCodeAt(stores[index] as number);
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
  let union = 0;
  for (const set of sets) union |= set;
  return union;
}
