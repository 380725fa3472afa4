import type { Column } from './data-table.tsx';
import { ProductLink } from './product.tsx';
import type { ProductIndex } from './product-index.ts';
import { countText, dateText, priceText } from './text.ts';

/** A column with the name that an address has for it. */
export type ProductColumn = Column<number> & { readonly name: string };

/** What every table of products has, in this order. A row is a position in the index. */
export function productColumns(index: ProductIndex): readonly ProductColumn[] {
  const { columns, statuses } = index.document;
  const counts = (name: string, label: string, value: (product: number) => number | null) => ({
    ...{ name, label, value, isNumber: true as const },
    show: (product: number) => knownCount(value(product)),
  });
  return [
    {
      name: 'product',
      label: 'Product',
      value: (product) => index.name(product),
      show: (product) => <ProductLink product={{ sku: index.sku(product), brand: null, name: index.name(product) }} />,
      width: 32,
    },
    {
      name: 'size',
      label: 'Size',
      value: (product) => index.size(product),
      rank: (product) => columns.milliliters[product] ?? null,
      isNumber: true,
      width: 9,
    },
    dollars('price', 'Price', (product) => index.price(product)),
    { ...dollars('litre', 'A litre', (product) => index.litre(product)), isMinor: true, isSmallestFirst: true },
    { ...counts('stores', 'Stores', (product) => index.stores(product)), width: 9 },
    {
      ...counts('quantity', 'Quantity', (product) => columns.reported_quantity[product] ?? null),
      isMinor: true,
    },
    {
      name: 'status',
      label: 'Status',
      value: (product) => statuses[columns.status[product] ?? -1]?.label ?? null,
      isMinor: true,
      width: 14,
    },
    { name: 'sku', label: 'SKU', value: (product) => index.sku(product), isMinor: true, width: 9 },
    {
      name: 'retrieved',
      label: 'Stores asked',
      value: (product) => columns.inventory_retrieved_on[product] ?? null,
      show: (product) => {
        const day = columns.inventory_retrieved_on[product] ?? null;
        if (day === null) return 'not yet';
        const isOld = columns.meets_retrieval_policy[product] === false;
        return <span class={isOld ? 'old-report' : undefined}>{dateText(day)}</span>;
      },
      isMinor: true,
      width: 12,
    },
  ];
}

function knownCount(count: number | null): string {
  return count === null ? '–' : countText(count);
}

/** A column of amounts. Its file has dollars as a number. */
function dollars(name: string, label: string, cents: (product: number) => number | null): ProductColumn {
  return {
    name,
    label,
    value: (product) => {
      const amount = cents(product);
      return amount === null ? null : amount / 100;
    },
    show: (product) => priceText(cents(product)),
    isNumber: true,
    width: 10,
  };
}
