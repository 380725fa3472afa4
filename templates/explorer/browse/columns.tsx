import { placeOf } from '../app/router.ts';
import type { Column } from '../components/data-table.tsx';
import { countText, dateText, priceText } from '../components/text.ts';
import { brandName, type Catalog } from './catalog.ts';

/** A column with the name that the address has for it. */
export type BrowseColumn = Column<number> & { readonly name: string };

/** The columns of the table, by the name that orders by them. */
export function browseColumns(catalog: Catalog): readonly BrowseColumn[] {
  const { index, tree, category, size, sizes, perLitre } = catalog;
  const { columns, brands, statuses } = index;
  const count = (values: readonly (number | null)[]) => (product: number) => values[product] ?? null;
  const number = (value: number | null) => (value === null ? '–' : countText(value));
  const stores = count(columns.reported_positive_store_count);
  const quantity = count(columns.reported_quantity);
  const price = (product: number) => columns.price_minor[product] ?? null;
  const litre = (product: number) => known(perLitre[product]);
  const status = (product: number) => statuses[columns.status[product] ?? -1] ?? null;
  const day = (product: number) => columns.inventory_retrieved_on[product] ?? null;
  return [
    {
      name: 'brand',
      label: 'Brand',
      value: (product) => brandName(index, product),
      show: (product) => {
        const brand = brands[columns.brand[product] ?? -1];
        return brand ? <a href={placeOf('brand', brand.slug)}>{brand.name}</a> : '–';
      },
    },
    {
      name: 'name',
      label: 'Name',
      value: (product) => columns.name[product] ?? null,
      show: (product) => <a href={placeOf('product', columns.sku[product])}>{columns.name[product]}</a>,
    },
    {
      name: 'size',
      label: 'Size',
      value: (product) => sizes[size[product] ?? -1]?.text ?? null,
      rank: (product) => known(size[product]),
      isNumber: true,
    },
    dollars('price', 'Price', price),
    { name: 'stores', label: 'Stores reporting', value: stores, show: (p) => number(stores(p)), isNumber: true },
    { name: 'quantity', label: 'Reported quantity', value: quantity, show: (p) => number(quantity(p)), isNumber: true },
    dollars('litre', 'Price per litre', litre),
    { name: 'category', label: 'Category', value: (product) => tree.nameAt(category[product] ?? -1) },
    { name: 'status', label: 'Status', value: (product) => status(product)?.label ?? null },
    { name: 'sku', label: 'SKU', value: (product) => columns.sku[product] ?? null },
    {
      name: 'retrieved',
      label: 'Last retrieved',
      value: day,
      show: (product) => {
        const text = day(product);
        if (text === null) return 'not checked';
        const isOld = columns.meets_retrieval_policy[product] === false;
        return isOld ? <span class="old-report">{dateText(text)}, older than the policy</span> : dateText(text);
      },
    },
  ];
}

/** A column of amounts. Its file has dollars as a number. */
function dollars(name: string, label: string, cents: (product: number) => number | null): BrowseColumn {
  return {
    name,
    label,
    value: (product) => {
      const amount = cents(product);
      return amount === null ? null : amount / 100;
    },
    show: (product) => priceText(cents(product)),
    isNumber: true,
  };
}

function known(position: number | undefined): number | null {
  return position === undefined || position < 0 ? null : position;
}
