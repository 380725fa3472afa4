import { useMemo } from 'preact/hooks';
import type { AvailabilitySummary } from '../../contract/schemas/primitives.ts';
import { lookMeanings, pairLook } from '../map/looks.tsx';
import { StoreMap } from '../map/store-map.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { useHighlight } from '../parts/highlight.ts';
import { Instant } from '../parts/instant.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countNoun, countText, words } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { useSession } from '../site/session.ts';
import type { Place } from '../stores/gazetteer.ts';
import { limitCounts } from '../stores/purchase.ts';
import { checkedStores, reportText, StateTag } from '../stores/report-words.tsx';
import { storeColumns } from '../stores/store-columns.tsx';
import { storePlace } from '../stores/store-words.ts';
import type { StoreRow } from './store-rows.ts';

/** What is known about a product in every store, as a table and on a map. */
export function ProductStores({
  summary,
  rows,
  name,
  here,
}: {
  readonly summary: AvailabilitySummary;
  readonly rows: readonly StoreRow[];
  readonly name: string;
  readonly here: Place | null;
}) {
  const { metadata } = useSession();
  const hours = Math.round(metadata.data.retrieval_policy.max_age_seconds / 3600);
  const columns = useMemo(() => storeTableColumns(rows, hours), [rows, hours]);
  const places = useMemo(
    () =>
      rows.map((row) => {
        const { store_id, name, location, city, reported_quantity, limit } = row;
        const quantity = reported_quantity === null ? [] : [countNoun(reported_quantity, 'unit')];
        return storePlace({ id: store_id, name, location }, pairLook(row), {
          city,
          note: [...quantity, ...(limit === null ? [] : [limit])].join(', ') || undefined,
          href: hrefFor('store', store_id),
        });
      }),
    [rows],
  );
  const highlight = useHighlight();
  const limits = limitCounts(rows.map(({ limit }) => limit));
  const others = [
    [summary.reported_zero_store_count, 'reported zero'],
    [summary.row_absent_store_count, 'not in the report'],
  ] as const;
  const unchecked = summary.unchecked_store_count;
  return (
    <>
      <p class="muted">
        {reportText(summary.reported_positive_store_count, checkedStores(summary))}
        {limits !== '' && ` (${limits})`}
        {others.flatMap(([count, what]) => (count === 0 ? [] : [`, ${countText(count)} ${what}`]))}.
        {unchecked > 0 && ` ${countNoun(unchecked, 'other store was', 'other stores were')} never checked for it.`}
      </p>
      <div class="with-map">
        <StoreMap
          label="what is known about the product in each store"
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
            rowKey={({ store_id }) => store_id}
            highlight={highlight}
          />
        </div>
      </div>
    </>
  );
}

/** The last columns are only shown if the stores that report the product differ in them. */
function storeTableColumns(rows: readonly StoreRow[], hours: number): readonly Column<StoreRow>[] {
  const reporting = rows.filter(({ reported_quantity }) => reported_quantity !== null);
  const differing = (column: Column<StoreRow>, of: (row: StoreRow) => unknown) =>
    new Set(reporting.map(of)).size > 1 ? [column] : [];
  return [
    ...storeColumns<StoreRow>(({ store_id: id, name, distance }) => ({ id, name, distance })),
    {
      label: 'Quantity',
      unit: 'units',
      value: ({ reported_quantity }) => reported_quantity,
      show: ({ reported_quantity }) => (reported_quantity === null ? '–' : countText(reported_quantity)),
      isNumber: true,
    },
    {
      label: 'State',
      value: (row) => row.limit ?? lookMeanings[pairLook(row)],
      show: (row) => <StateTag look={pairLook(row)} limit={row.limit} />,
    },
    { label: 'Code', value: ({ inventory_store_code }) => inventory_store_code, isMinor: true },
    {
      label: 'Purchase',
      value: ({ purchase_eligibility: eligibility }) => (eligibility === null ? null : words(eligibility)),
      isOnlySaved: true,
    },
    ...differing(
      {
        label: 'Checked',
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
