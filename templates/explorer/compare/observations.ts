import type { Comparison, ComparisonStrategy } from '../../../generator/contract/documents/comparison.ts';
import type { ProductAvailability } from '../../../generator/contract/documents/product.ts';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { type Look, lookOfState } from '../map/looks.tsx';
import type { MapPlace } from '../map/map-place.ts';
import { placeOfStore } from '../stores/store-words.ts';
import type { AskedProduct } from './use-comparison.ts';

type Observation = ProductAvailability['stores'][number];

/** What a store reports of the products asked for: how many of them have each look. */
export type StoreCounts = { readonly store: StoreSummary } & Readonly<Record<Exclude<Look, 'store' | 'here'>, number>>;

/** What all stores report of the products. A store without a line in a product's document is out of its scope. */
export function countsByStore(stores: readonly StoreSummary[], products: readonly AskedProduct[]): StoreCounts[] {
  const known = products.flatMap(({ availability }) =>
    availability === null ? [] : [observationsByStore(availability)],
  );
  return stores.map((store) => {
    const counts = { store, reported: 0, zero: 0, absent: 0, unchecked: 0 };
    for (const observations of known) {
      const state = observations.get(store.id)?.state;
      if (state !== undefined) counts[lookOfState[state]]++;
    }
    return counts;
  });
}

export function observationsByStore({ stores }: ProductAvailability): ReadonlyMap<string, Observation> {
  return new Map(stores.map((observation) => [observation.store_id, observation]));
}

/** The map of a comparison: each store with the most that is known of it, and the stops of a plan with numbers. */
export function comparisonPlaces(
  counts: readonly StoreCounts[],
  asked: number,
  plan: ComparisonStrategy['plan'],
): MapPlace[] {
  return counts.map((count) => {
    const { store } = count;
    const stop = plan?.stores.findIndex((stop) => stop.store.id === store.id) ?? -1;
    const look = (['reported', 'zero', 'absent', 'unchecked'] as const).find((candidate) => count[candidate] > 0);
    return placeOfStore(store, look ?? 'store', {
      note: asked > 1 && count.reported > 0 ? `${count.reported} of ${asked} products` : store.address.city,
      number: stop < 0 ? undefined : stop + 1,
    });
  });
}

/** A product at a stop of a plan. */
export type StopRow = {
  readonly key: string;
  readonly strategy: ComparisonStrategy['strategy'];
  readonly stop: number;
  readonly store: StoreSummary;
  readonly product: Comparison['data']['requested_products'][number];
  readonly isCovered: boolean;
  readonly observation: Observation | null;
};

/** Every product at every stop of every plan, in the order of the answer. */
export function stopRows({ data }: Comparison, products: readonly AskedProduct[]): StopRow[] {
  const observations = new Map(
    products.flatMap(({ availability }) =>
      availability === null ? [] : [[availability.product.id, observationsByStore(availability)]],
    ),
  );
  return data.strategies.flatMap(({ strategy, plan }) =>
    (plan?.stores ?? []).flatMap(({ store, covered_product_ids }, index) =>
      data.requested_products.map((product) => ({
        key: `${strategy} ${store.id} ${product.id}`,
        strategy,
        stop: index + 1,
        store,
        product,
        isCovered: covered_product_ids.includes(product.id),
        observation: observations.get(product.id)?.get(store.id) ?? null,
      })),
    ),
  );
}

export function productName({ brand, name }: { readonly brand: string | null; readonly name: string }): string {
  return brand === null ? name : `${brand} ${name}`;
}
