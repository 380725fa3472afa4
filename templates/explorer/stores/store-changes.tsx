import type { ChangeEvent } from '../../../generator/contract/documents/change.ts';
import { placeOf } from '../app/router.ts';
import { useLoaded } from '../app/session.ts';
import { productColumn, retrievedColumn } from '../changes/change-columns.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { WhenLoaded } from '../components/states.tsx';
import { countText } from '../components/text.ts';
import { lookMeanings, lookOfState } from '../map/looks.tsx';

const mostEvents = 50;

/** The newest changes of what a store reports. One answer of the service, however long its history is. */
export function StoreChanges({ id }: { readonly id: string }) {
  const events = useLoaded(`changes of store ${id}`, async (site, signal) => {
    for await (const { data } of site.changes({ store_id: id, limit: mostEvents }, { signal }).pages()) return data;
    return [];
  });
  return (
    <>
      <h2>What changed lately</h2>
      <p class="muted">
        A change is a difference between two observations. It does not say why.{' '}
        <a href={placeOf('changes', '', { store_id: id })}>All changes of this store</a>
      </p>
      <WhenLoaded loaded={events} what="the changes">
        {(rows) =>
          rows.length === 0 ? (
            <p>No change is kept for this store.</p>
          ) : (
            <DataTable
              caption="Newest changes"
              columns={columns}
              rows={rows}
              file="store-changes"
              keyOf={({ id }) => id}
            />
          )
        }
      </WhenLoaded>
    </>
  );
}

type StoreState = Extract<ChangeEvent, { type: 'store_inventory_changed' }>['change']['current'];

/** What a store reported before and after an event; null for events that are not of a store. */
function statesOf(event: ChangeEvent): { readonly previous: StoreState | null; readonly current: StoreState } | null {
  if (event.type === 'store_inventory_changed') return event.change;
  return event.type === 'store_inventory_first_observed' ? { previous: null, current: event.change.current } : null;
}

function stateText(state: StoreState | null | undefined): string | null {
  if (!state) return null;
  return state.reported_quantity === null ? lookMeanings[lookOfState[state.state]] : countText(state.reported_quantity);
}

const columns: readonly Column<ChangeEvent>[] = [
  retrievedColumn,
  productColumn,
  { label: 'SKU', value: ({ product }) => product.source_ids.agency_sku },
  { label: 'Before', value: (event) => stateText(statesOf(event)?.previous), show: beforeText, isNumber: true },
  { label: 'After', value: (event) => stateText(statesOf(event)?.current), isNumber: true },
];

function beforeText(event: ChangeEvent): string {
  return stateText(statesOf(event)?.previous) ?? 'first observed';
}
