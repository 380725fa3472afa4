import type { ProductAvailability } from '../../../generator/contract/documents/product.ts';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { placeOf } from '../app/router.ts';
import { useLoaded } from '../app/session.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { StateTag, stateText } from '../components/state-tag.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { StoreMap } from '../components/store-map.tsx';
import { countOf, countText, instantText, words } from '../components/text.ts';
import { lookOfState } from '../map/looks.tsx';
import type { MapPlace } from '../map/map-place.ts';
import { placeOfStore } from '../stores/store-words.ts';

/** The map shows this many stores at most. */
const mostStores = 2000;

type StoreRow = ProductAvailability['stores'][number];

const columns: readonly Column<StoreRow>[] = [
  {
    label: 'Store',
    value: ({ name }) => name,
    show: ({ store_id, name }) => <a href={placeOf('store', store_id)}>{name}</a>,
  },
  { label: 'Code', value: ({ inventory_store_code }) => inventory_store_code },
  { label: 'State', value: ({ state }) => stateText(state), show: ({ state }) => <StateTag state={state} /> },
  {
    label: 'Reported quantity',
    value: ({ reported_quantity }) => reported_quantity,
    show: ({ reported_quantity }) => (reported_quantity === null ? '–' : countText(reported_quantity)),
    isNumber: true,
  },
  {
    label: 'Purchase',
    value: ({ purchase_eligibility: eligibility }) => (eligibility === null ? null : words(eligibility)),
  },
  {
    label: 'Retrieved',
    value: ({ retrieved_at }) => retrieved_at,
    show: ({ retrieved_at }) => (retrieved_at === null ? '–' : instantText(retrieved_at)),
  },
  {
    label: 'Within policy',
    value: ({ meets_retrieval_policy }) => (meets_retrieval_policy ? 'yes' : 'no'),
  },
];

/** What is known of a product in every store, on a map and as a table, the largest reported quantity first. */
export function ProductStores({ stores, name }: { readonly stores: readonly StoreRow[]; readonly name: string }) {
  const located = useLoaded('stores', (site, signal) => site.stores({}, { signal }).take(mostStores));
  return (
    <>
      <WhenLoaded loaded={located} what="the map">
        {(found) => <StoreMap label="what is known of the product in each store" places={placesOf(stores, found)} />}
      </WhenLoaded>
      <div class="capped">
        <DataTable
          caption="Reported availability by store"
          file={`${name}-stores`}
          columns={columns}
          rows={stores}
          order={{ column: 3, isDescending: true }}
          keyOf={({ store_id }) => store_id}
        />
      </div>
    </>
  );
}

/** The stores with what is known in each. The map says how many of them have no location. */
function placesOf(stores: readonly StoreRow[], located: readonly StoreSummary[]): MapPlace[] {
  const summaries = new Map(located.map((store) => [store.id, store]));
  return stores.map(({ store_id, name, state, reported_quantity }) =>
    placeOfStore({ id: store_id, name, location: summaries.get(store_id)?.location ?? null }, lookOfState[state], {
      note: reported_quantity === null ? undefined : countOf(reported_quantity, 'unit'),
      href: placeOf('store', store_id),
    }),
  );
}
