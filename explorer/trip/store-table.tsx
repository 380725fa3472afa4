import { lookMeanings, pairLook } from '../map/looks.tsx';
import { DataTable } from '../parts/data-table.tsx';
import type { Highlight } from '../parts/highlight.ts';
import type { Column } from '../parts/table-columns.ts';
import { countText } from '../parts/text.ts';
import { fullName } from '../products/product-index.ts';
import { purchaseLimit } from '../stores/purchase.ts';
import { StateTag } from '../stores/report-words.tsx';
import { storeColumns } from '../stores/store-columns.tsx';
import { observationsByStore, type StoreCounts } from './reports-by-store.ts';
import type { SkuAvailability, TripAvailability } from './use-comparison.ts';

/**
 * What every store on the map reports about each product: first the stores where everyone may buy the most of them,
 * then others that report any, then by distance.
 */
export function StoreTable({
  rows,
  products,
  highlight,
}: {
  readonly rows: readonly StoreCounts[];
  readonly products: readonly SkuAvailability[];
  readonly highlight: Highlight;
}) {
  const known = products.flatMap(({ availability }) => availability ?? []);
  const isChecked = ({ stores }: TripAvailability) => stores.some(({ state }) => state !== 'unchecked');
  const unchecked = known.filter((availability) => !isChecked(availability));
  const columns: readonly Column<StoreCounts>[] = [
    ...storeColumns<StoreCounts>(({ store: { id, name }, distance }) => ({ id, name, distance })),
    {
      label: 'Products for everyone to buy',
      value: ({ reported }) => reported,
      show: ({ reported, limited }) => (
        <>
          {countText(reported)}
          {limited > 0 && <div class="muted">{countText(limited)} not sold to everyone</div>}
        </>
      ),
      isNumber: true,
    },
    ...known.filter(isChecked).map((availability): Column<StoreCounts> => {
      const reports = observationsByStore(availability);
      return {
        label: fullName(availability.product),
        unit: 'units',
        value: ({ store }) => {
          const report = reports.get(store.id);
          return report ? (report.reported_quantity ?? lookMeanings[pairLook(report)]) : null;
        },
        rank: ({ store }) => reports.get(store.id)?.reported_quantity ?? null,
        show: ({ store }) => {
          const report = reports.get(store.id);
          if (!report) return '–';
          const limit = purchaseLimit(report.purchase_eligibility, store);
          return (
            <>
              {report.reported_quantity !== null && <>{countText(report.reported_quantity)} </>}
              {(limit !== null || report.reported_quantity === null) && (
                <StateTag look={pairLook(report)} limit={limit} />
              )}
            </>
          );
        },
        isNumber: true,
      };
    }),
  ];
  return (
    <div class="capped">
      <DataTable
        caption="What each store reports"
        columns={columns}
        rows={rows.toSorted(
          (a, b) =>
            b.reported - a.reported ||
            (a.reported === 0 ? b.limited - a.limited : 0) ||
            (a.distance ?? Infinity) - (b.distance ?? Infinity),
        )}
        file="comparison-stores"
        rowKey={({ store }) => store.id}
        highlight={highlight}
      />
      {unchecked.length > 0 && (
        <p class="muted">Not checked in any store: {unchecked.map(({ product }) => fullName(product)).join('; ')}.</p>
      )}
    </div>
  );
}
