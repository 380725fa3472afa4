import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { placeOf } from '../app/router.ts';
import { useLoaded } from '../app/session.ts';
import { useAsOfDay } from '../as-of/day.ts';
import { useInSight } from './in-sight.ts';
import { fullName, type ProductIndex, useLaterProductIndex } from './product-index.ts';
import { agencyLanguage, hasStores, isStatewide } from './site-profile.ts';
import { countOf, countText, priceText } from './text.ts';

/** A product as documents name it. `id`: where a list may have products that the catalog does not list now. */
export type NamedProduct = {
  readonly sku: string;
  readonly brand: string | null;
  readonly name: string;
  readonly id?: string;
};

/** The product of an event or of another document with `source_ids`. */
export function named({
  source_ids,
  brand,
  name,
  id,
}: Required<Omit<NamedProduct, 'sku'>> & { readonly source_ids: { readonly agency_sku: string } }): NamedProduct {
  return { sku: source_ids.agency_sku, brand, name, id };
}

/** A product in a table that has columns for the rest: brand and name once, and the size where others are called the same. */
export function ProductLink({
  product,
  size = null,
}: {
  readonly product: NamedProduct;
  readonly size?: string | null;
}) {
  return (
    <a href={placeOf('product', product.sku, { as_of: useAsOfDay() })} lang={agencyLanguage()}>
      {[fullName(product), size].filter(Boolean).join(', ')}
    </a>
  );
}

/** A product in a list: brand and name once, then its size, price and how many stores report it. `children`: what the list says of it. */
export function ProductLine({
  product,
  children,
}: {
  readonly product: NamedProduct;
  readonly children?: ComponentChildren;
}) {
  const index = useLaterProductIndex();
  const isUnlisted = index !== null && index.positionOf(product.sku) < 0;
  return (
    <span class="product-line">
      <ProductLink product={product} />{' '}
      {isUnlisted && product.id !== undefined ? (
        <UnlistedFacts id={product.id} sku={product.sku} />
      ) : (
        <ProductFacts index={index} sku={product.sku} />
      )}
      {children}
    </span>
  );
}

/** Size, price and stores of a product; its SKU until the index of all products is there, and for one that is not listed. */
export function ProductFacts({ index, sku }: { readonly index: ProductIndex | null; readonly sku: string }) {
  const product = index?.positionOf(sku) ?? -1;
  const facts = index === null || product < 0 ? [`SKU ${sku}`] : factsOf(index, product);
  return <span class="muted">{facts.join(' · ')}</span>;
}

/** Size and last price of a product that the catalog does not list now. Its own document has them, which is read for rows in sight. */
function UnlistedFacts({ id, sku }: { readonly id: string; readonly sku: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const isInSight = useInSight(place, id);
  const product = useLoaded(isInSight ? `unlisted ${id}` : null, (site, signal) => site.product.byId(id, { signal }));
  const { package_size: size, price } = product.value?.data ?? {};
  const facts = [size?.display, price && `last price ${priceText(price.amount_minor)}`, `SKU ${sku}`];
  return (
    <span class="muted" ref={place}>
      {facts.filter(Boolean).join(' · ')}
    </span>
  );
}

function factsOf(index: ProductIndex, product: number): string[] {
  return [index.size(product) ?? 'size not known', priceText(index.price(product)), ...stockOf(index, product)];
}

/** How many stores report a product, or how much the whole state; nothing where no inventory is reported. */
function stockOf(index: ProductIndex, product: number): string[] {
  if (hasStores()) {
    const stores = index.stores(product);
    const limit = index.isRestricted(product) ? ['restricted'] : [];
    return [stores === null ? 'stores not asked' : `${countOf(stores, 'store reports', 'stores report')} it`, ...limit];
  }
  const quantity = index.document.columns.reported_quantity[product] ?? null;
  return isStatewide() ? [quantity === null ? 'stock not asked' : `${countText(quantity)} reported`] : [];
}
