import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { countText, priceText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { agencyLanguage, hasStores, isStatewide } from '../site/site-profile.ts';
import { reportText } from '../stores/report-words.tsx';
import { fullName, type ProductIndex, useLaterProductIndex } from './product-index.ts';

/** A product as documents name it. */
type NamedProduct = { readonly sku: string; readonly brand: string | null; readonly name: string };

/** The product in an event or another document with `source_ids`. */
export function named({
  source_ids,
  brand,
  name,
}: Omit<NamedProduct, 'sku'> & { readonly source_ids: { readonly agency_sku: string } }): NamedProduct {
  return { sku: source_ids.agency_sku, brand, name };
}

/** A link to a product: brand and name and, if others have the same name, the size. */
export function ProductLink({
  product,
  size = null,
}: {
  readonly product: NamedProduct;
  readonly size?: string | null;
}) {
  return (
    <a href={hrefFor('product', product.sku, { as_of: useAsOfDay() })} lang={agencyLanguage()}>
      {[fullName(product), size].filter(Boolean).join(', ')}
    </a>
  );
}

/** A product in a list: its name, then size, price and how many stores report it. `children`: anything else. */
export function ProductLine({
  product,
  children,
}: {
  readonly product: NamedProduct;
  readonly children?: ComponentChildren;
}) {
  const index = useLaterProductIndex();
  return (
    <span class="product-line">
      <ProductLink product={product} /> <KeyFacts index={index} sku={product.sku} />
      {children}
    </span>
  );
}

/** Size, price and stores of a product; only its SKU until the index is loaded, or if it is not listed. */
export function KeyFacts({ index, sku }: { readonly index: ProductIndex | null; readonly sku: string }) {
  const product = index?.positionOf(sku) ?? -1;
  const facts = index === null || product < 0 ? [`SKU ${sku}`] : keyFacts(index, product);
  return <span class="muted">{facts.join(' · ')}</span>;
}

function keyFacts(index: ProductIndex, product: number): string[] {
  return [index.size(product) ?? 'size unknown', priceText(index.price(product)), ...stockFacts(index, product)];
}

/** How many stores report a product, or how many units are reported statewide; nothing if no inventory is reported. */
function stockFacts(index: ProductIndex, product: number): string[] {
  if (hasStores()) {
    const stores = index.stores(product);
    const limit = index.isRestricted(product) ? ['restricted'] : [];
    return [stores === null ? 'not checked' : reportText(stores, index.checkedStores(product) ?? 0), ...limit];
  }
  const quantity = index.document.columns.reported_quantity[product] ?? null;
  return isStatewide() ? [quantity === null ? 'not checked' : `${countText(quantity)} reported`] : [];
}

/** The day that a view shows instead of the newest publication; empty for the newest. Links to products keep it. */
const Day = createContext('');
export const AsOfDay = Day.Provider;
const useAsOfDay = () => useContext(Day);
