import { useMemo } from 'preact/hooks';
import type { ProductAvailability } from '../../../generator/contract/documents/catalog.ts';
import type { StoreSummary } from '../../../generator/contract/documents/store.ts';
import { placeOf } from '../app/router.ts';
import { useLoaded, useSession } from '../app/session.ts';
import { type Column, DataTable } from '../components/data-table.tsx';
import { useHighlight } from '../components/highlight.ts';
import { Instant } from '../components/instant.tsx';
import { StateTag } from '../components/state-tag.tsx';
import { countOf, countText, distanceText, words } from '../components/text.ts';
import { lookMeanings, lookOf } from '../map/looks.tsx';
import { StoreMap } from '../map/store-map.tsx';
import { distanceTo } from '../place/gazetteer.ts';
import { PlaceField } from '../place/place-field.tsx';
import { useNear } from '../place/use-near.ts';
import { limitCounts, purchaseLimit } from '../stores/purchase.ts';
import { placeOfStore } from '../stores/store-words.ts';

type StoreRow = ProductAvailability['stores'][number] & {
  readonly location: StoreSummary['location'];
  readonly city: string | null;
  /** Why not everyone may buy it there. */
  readonly limit: string | null;
  readonly distance: number | null;
};

/**
 * What is known of a product in every store, as a table and on a map. Stores where everyone may buy it come first, then others that
 * report it; of these the nearest, or the largest quantity.
 */
export function ProductStores({
  availability: { stores, summary },
  name,
  query,
}: {
  readonly availability: ProductAvailability;
  readonly name: string;
  readonly query: URLSearchParams;
}) {
  const { metadata } = useSession();
  const located = useLoaded('stores', (site, signal) => site.stores({}, { signal }).take(Number.POSITIVE_INFINITY));
  const near = useNear(query, located.value);
  const here = near.place;
  const hours = Math.round(metadata.data.retrieval_policy.max_age_seconds / 3600);
  const rows = useMemo(() => {
    const known = new Map(located.value?.map((store) => [store.id, store]));
    return stores
      .map((row): StoreRow => {
        const store = known.get(row.store_id);
        const location = store?.location ?? null;
        return {
          ...{ ...row, location, city: store?.address.city ?? null, distance: distanceTo(here, { location }) },
          limit: purchaseLimit(row.purchase_eligibility, store),
        };
      })
      .sort(
        (a, b) =>
          rankOf(a) - rankOf(b) ||
          (here && (a.distance ?? Infinity) - (b.distance ?? Infinity)) ||
          (b.reported_quantity ?? 0) - (a.reported_quantity ?? 0),
      );
  }, [stores, located.value, here]);
  const columns = useMemo(() => columnsOf(stores, hours), [stores, hours]);
  const places = useMemo(
    () =>
      rows.map((row) => {
        const { store_id, name, location, city, reported_quantity, limit } = row;
        const quantity = reported_quantity === null ? [] : [countOf(reported_quantity, 'unit')];
        return placeOfStore({ id: store_id, name, location }, lookOf(row), {
          city,
          note: [...quantity, ...(limit === null ? [] : [limit])].join(', ') || undefined,
          href: placeOf('store', store_id),
        });
      }),
    [rows],
  );
  const highlight = useHighlight();
  const limits = limitCounts(rows.map(({ limit }) => limit));
  const others = [
    [summary.reported_zero_store_count, 'reported zero'],
    [summary.row_absent_store_count, 'had no row'],
    [summary.unchecked_store_count, 'not checked'],
  ] as const;
  const isForNobody = summary.reported_positive_store_count > 0 && summary.eligible_positive_store_count === 0;
  return (
    <>
      {isForNobody && <p class="note">No store that reports it sells it to everyone.</p>}
      <p class="muted">
        {countOf(summary.reported_positive_store_count, 'store reports', 'stores report')} it
        {limits !== '' && ` (${limits})`}
        {others.flatMap(([count, what]) => (count === 0 ? [] : [`, ${countText(count)} ${what}`]))}.{' '}
        {summary.meets_retrieval_policy
          ? `These are reports of the last ${hours} hours before the publication. `
          : `These reports are more than ${hours} hours older than the publication. `}
        A quantity is what a store reported when it was asked, and no promise that the product is there now.
      </p>
      <PlaceField near={near} />
      <div class="with-map">
        <StoreMap
          label="what is known of the product in each store"
          places={places}
          origin={here}
          highlight={highlight}
        />
        <div class="capped">
          <DataTable
            caption="Reported availability by store"
            file={`${name}-stores`}
            columns={columns}
            rows={rows}
            keyOf={({ store_id }) => store_id}
            highlight={highlight}
          />
        </div>
      </div>
    </>
  );
}

/** Where everyone may buy it before where only some may, and these before where it is not reported. */
function rankOf(row: StoreRow): number {
  const look = lookOf(row);
  return look === 'reported' ? 0 : look === 'limited' ? 1 : 2;
}

/** The last columns are there where the stores that report the product differ in them. */
function columnsOf(stores: ProductAvailability['stores'], hours: number): readonly Column<StoreRow>[] {
  const reporting = stores.filter(({ reported_quantity }) => reported_quantity !== null);
  const differing = (column: Column<StoreRow>, of: (row: (typeof stores)[number]) => unknown) =>
    new Set(reporting.map(of)).size > 1 ? [column] : [];
  return [
    {
      label: 'Store',
      value: ({ name }) => name,
      show: ({ store_id, name, distance }) => (
        <>
          <a href={placeOf('store', store_id)}>{name}</a>
          {distance !== null && <span class="narrow muted">{distanceText(distance)}</span>}
        </>
      ),
    },
    {
      label: 'Distance',
      unit: 'm',
      value: ({ distance }) => distance && Math.round(distance),
      show: ({ distance }) => (distance === null ? '–' : distanceText(distance)),
      isNumber: true,
      isOptional: true,
      isMinor: true,
    },
    {
      label: 'Quantity',
      unit: 'units',
      value: ({ reported_quantity }) => reported_quantity,
      show: ({ reported_quantity }) => (reported_quantity === null ? '–' : countText(reported_quantity)),
      isNumber: true,
    },
    {
      label: 'State',
      value: (row) => row.limit ?? lookMeanings[lookOf(row)],
      show: (row) => <StateTag look={lookOf(row)} limit={row.limit} />,
    },
    { label: 'Code', value: ({ inventory_store_code }) => inventory_store_code, isMinor: true },
    {
      label: 'Purchase',
      value: ({ purchase_eligibility: eligibility }) => (eligibility === null ? null : words(eligibility)),
      isOnlySaved: true,
    },
    ...differing(
      {
        label: 'Asked',
        unit: 'UTC',
        value: ({ retrieved_at }) => retrieved_at,
        show: ({ retrieved_at }) => (retrieved_at === null ? '–' : <Instant at={retrieved_at} />),
      },
      ({ retrieved_at }) => retrieved_at,
    ),
    ...differing(
      {
        label: `Within ${hours} hours`,
        value: ({ meets_retrieval_policy }) => (meets_retrieval_policy ? 'yes' : 'no'),
      },
      ({ meets_retrieval_policy }) => meets_retrieval_policy,
    ),
  ];
}
