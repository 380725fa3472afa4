import type { ProductSeries } from '../../contract/schemas/product.ts';
import { DataTable } from '../parts/data-table.tsx';
import type { Column } from '../parts/table-columns.ts';
import { countText, instantText, priceText } from '../parts/text.ts';
import { fullName } from '../products/product-index.ts';
import { named, ProductLink } from '../products/product-link.tsx';
import { hrefFor } from '../site/router.ts';
import { hasStores, isStatewide, majorAmount } from '../site/site-profile.ts';
import type { ProductChanges } from './watched-changes.ts';

export type WatchedRow = {
  readonly sku: string;
  readonly size: string | null;
  readonly series: ProductSeries;
  readonly changes: ProductChanges;
};

/** What is known about the products of a list, and what changed, latest change first. */
export function ProductTable({ rows }: { readonly rows: readonly WatchedRow[] }) {
  return (
    <DataTable
      caption="Watched products"
      file="watched-products"
      columns={watchedColumns()}
      rows={rows}
      order={{ column: lastColumn, isDescending: true }}
      rowKey={({ sku }) => sku}
    />
  );
}

const amount = (minor: number | null) => (minor === null ? null : majorAmount(minor));
const lastColumn = 1;

function watchedColumns(): readonly Column<WatchedRow>[] {
  const counts = (label: string, of: 'stores' | 'quantity'): Column<WatchedRow>[] => [
    {
      label: `${label} before`,
      value: ({ changes }) => changes[of].before,
      isNumber: true,
      isOnlySaved: true,
    },
    {
      label,
      value: ({ changes }) => changes[of].now,
      show: ({ changes: { [of]: count } }) => currentAndBefore(count, (value) => countText(value)),
      isNumber: true,
      // The column “What changed” says the same.
      isMinor: true,
    },
  ];
  return [
    {
      label: 'Product',
      value: ({ series }) => fullName(series.product),
      show: ({ series, size }) => (
        <>
          <ProductLink product={named(series.product)} /> <span class="muted">{size}</span>
        </>
      ),
    },
    {
      label: 'What changed',
      value: ({ changes }) => changes.texts.join('; '),
      rank: ({ changes }) => changes.last,
      show: ({ series, changes }) =>
        changes.texts.length === 0 ? (
          <span class="muted">nothing</span>
        ) : (
          <>
            <ul class="plain prose">
              {changes.texts.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            <a href={hrefFor('changes', '', { sku: series.product.source_ids.agency_sku, types: 'all' })}>
              All changes
            </a>
          </>
        ),
    },
    { label: 'Size', value: ({ size }) => size, isOnlySaved: true },
    { label: 'Price before', value: ({ changes }) => amount(changes.price.before), isAmount: true, isOnlySaved: true },
    {
      label: 'Price',
      value: ({ changes }) => amount(changes.price.now),
      show: ({ changes }) => currentAndBefore(changes.price, priceText),
      isNumber: true,
      isAmount: true,
    },
    {
      label: 'Status',
      value: ({ changes }) => changes.status.now,
      show: ({ changes }) => currentAndBefore(changes.status),
      isMinor: true,
    },
    {
      label: 'Catalog',
      value: ({ changes }) => changes.presence.now,
      show: ({ changes }) => currentAndBefore(changes.presence),
      isMinor: true,
    },
    ...(hasStores() ? counts('Stores that report it', 'stores') : []),
    ...(isStatewide() ? counts('Reported quantity', 'quantity') : []),
    { label: 'SKU', value: ({ sku }) => sku, isMinor: true },
    {
      label: 'Changed',
      unit: 'UTC',
      value: ({ changes }) => changes.last,
      show: ({ changes }) => (changes.last === null ? '–' : instantText(changes.last)),
      isMinor: true,
    },
  ];
}

/** A value now and, if it differs, what it was. */
function currentAndBefore<Value extends string | number>(
  { before, now }: { readonly before: Value | null; readonly now: Value | null },
  text: (value: Value) => string = String,
) {
  const current = now === null ? '–' : text(now);
  if (before === null || before === now) return current;
  return (
    <>
      <b>{current}</b> <span class="muted">was {text(before)}</span>
    </>
  );
}
