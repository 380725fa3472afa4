import type { StorePair } from '../../contract/schemas/product.ts';
import type { ComparisonStrategy, StoreSummary } from '../../contract/schemas/store.ts';
import { type Look, pairLook } from '../map/looks.tsx';
import type { MapPlace } from '../map/map-place.ts';
import type { GeoPoint } from '../map/projection.ts';
import { distanceTo } from '../stores/gazetteer.ts';
import { storePlace } from '../stores/store-words.ts';
import type { SkuAvailability, TripAvailability } from './use-comparison.ts';

/** How many of the requested products have each look in a store. `distance`: metres from the place. */
export type StoreCounts = { readonly store: StoreSummary; readonly distance: number | null } & Readonly<
  Record<Exclude<Look, 'store' | 'here'>, number>
>;

/**
 * What every store reports about the products. A store that is missing from a product's document is out of its scope.
 */
export function countsByStore(
  stores: readonly StoreSummary[],
  products: readonly SkuAvailability[],
  place: GeoPoint | null,
): StoreCounts[] {
  const known = products.flatMap(({ availability }) =>
    availability === null ? [] : [observationsByStore(availability)],
  );
  return stores.map((store) => {
    const counts = {
      store,
      distance: distanceTo(place, store),
      reported: 0,
      limited: 0,
      zero: 0,
      absent: 0,
      unchecked: 0,
    };
    for (const observations of known) {
      const observation = observations.get(store.id);
      if (observation !== undefined) counts[pairLook(observation)]++;
    }
    return counts;
  });
}

export function observationsByStore({ stores }: TripAvailability): ReadonlyMap<string, StorePair> {
  return new Map(stores.map((observation) => [observation.store_id, observation]));
}

/**
 * The stores on the map of a comparison. Each has the best look that any product gives it, and the stops of a plan are
 * numbered.
 */
export function comparisonPlaces(
  counts: readonly StoreCounts[],
  asked: number,
  plan: ComparisonStrategy['plan'],
): MapPlace[] {
  return counts.map((count) => {
    const { store } = count;
    const stop = plan?.stores.findIndex((stop) => stop.store.id === store.id) ?? -1;
    const look = (['reported', 'limited', 'zero', 'absent', 'unchecked'] as const).find(
      (candidate) => count[candidate] > 0,
    );
    return storePlace(store, look ?? 'store', {
      note: asked > 1 && count.reported > 0 ? `${count.reported} of ${asked} products` : store.address.city,
      number: stop < 0 ? undefined : stop + 1,
    });
  });
}
