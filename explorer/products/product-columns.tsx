import type { Column } from '../parts/table-columns.ts';
import { countText, dateText, priceText } from '../parts/text.ts';
import { hasStores, isStatewide, majorAmount } from '../site/site-profile.ts';
import { LimitTag, reportedOf } from '../stores/report-words.tsx';
import type { ProductIndex } from './product-index.ts';
import { ProductLink } from './product-link.tsx';
import { tripColumn } from './trip-button.tsx';

/** A column and its name in the address. */
export type ProductColumn = Column<number> & { readonly name: string };

/** The columns of every table of products, in order. A row is a position in the index. */
export function productColumns(index: ProductIndex): readonly ProductColumn[] {
  const { columns } = index.document;
  const counts = (name: string, label: string, value: (product: number) => number | null) => ({
    ...{ name, label, value, isNumber: true as const },
    show: (product: number) => knownCount(value(product)),
  });
  const all: ProductColumn[] = [
    {
      name: 'product',
      label: 'Product',
      value: (product) => index.name(product),
      show: (product) => <ProductLink product={{ sku: index.sku(product), brand: null, name: index.name(product) }} />,
      width: 23,
    },
    {
      name: 'size',
      label: 'Size',
      value: (product) => index.size(product),
      show: (product) => <SizeText size={index.size(product)} />,
      rank: (product) => columns.milliliters[product] ?? null,
      isNumber: true,
      width: 9,
    },
    {
      ...amounts('price', 'Price', (product) => index.price(product)),
      show: (product) => {
        const litre = index.litre(product);
        return (
          <>
            {priceText(index.price(product))}
            {litre !== null && <span class="narrow muted">{priceText(litre)} / L</span>}
          </>
        );
      },
    },
    { ...amounts('litre', 'Per litre', (product) => index.litre(product)), isMinor: true, isSmallestFirst: true },
    {
      ...counts('stores', 'Stores', (product) => index.stores(product)),
      show: (product) => (
        <>
          {index.isRestricted(product) && (index.stores(product) ?? 0) > 0 && <LimitTag>restricted</LimitTag>}{' '}
          <span class="whole">{reportedOf(index.stores(product), index.checkedStores(product))}</span>
        </>
      ),
      width: 10,
    },
    {
      ...counts('checked_stores', 'Stores checked', (product) => index.checkedStores(product)),
      isOnlySaved: true,
    },
    {
      ...counts('quantity', 'Quantity', (product) => columns.reported_quantity[product] ?? null),
      unit: 'units',
      isMinor: true,
      width: 10,
    },
    {
      name: 'status',
      label: 'Status',
      value: (product) => index.status(product)?.label ?? null,
      isMinor: true,
      width: 16,
    },
    { name: 'sku', label: 'SKU', value: (product) => index.sku(product), isMinor: true, width: 8 },
    {
      name: 'retrieved',
      label: 'Checked',
      value: (product) => columns.inventory_retrieved_on[product] ?? null,
      show: (product) => {
        const day = columns.inventory_retrieved_on[product] ?? null;
        if (day === null) return 'not checked';
        const isOld = columns.meets_retrieval_policy[product] === false;
        return <span class={isOld ? 'old-report' : undefined}>{dateText(day)}</span>;
      },
      isMinor: true,
      width: 12,
    },
  ];
  const stores = ['stores', 'checked_stores'];
  const absent = hasStores() ? [] : isStatewide() ? stores : [...stores, 'quantity', 'retrieved'];
  const trip = tripColumn((product: number) => ({ sku: index.sku(product), name: index.name(product) }));
  return [...all.filter(({ name }) => !absent.includes(name)), ...trip.map((column) => ({ ...column, name: 'trip' }))];
}

/** A size such as `355 mL, 12 containers`. In a narrow window it only wraps at the comma. */
function SizeText({ size }: { readonly size: string | null }) {
  const [volume = '–', ...rest] = size?.split(/(?=, )/) ?? [];
  return (
    <>
      <span class="whole">{volume}</span>
      {rest}
    </>
  );
}

function knownCount(count: number | null): string {
  return count === null ? '–' : countText(count);
}

/** A column of amounts, which are saved as numbers. */
function amounts(name: string, label: string, readMinor: (product: number) => number | null): ProductColumn {
  return {
    name,
    label,
    value: (product) => {
      const amount = readMinor(product);
      return amount === null ? null : majorAmount(amount);
    },
    show: (product) => priceText(readMinor(product)),
    isNumber: true,
    isAmount: true,
    width: 11,
  };
}
