import { ChosenProducts } from '../products/chosen-products.tsx';
import { ProductLine } from '../products/product-link.tsx';
import { mostProducts } from '../products/sku-lists.ts';
import type { SkuAvailability } from './use-comparison.ts';

/** The products of a trip. */
export function ProductList({
  skus,
  products,
  onChange,
}: {
  readonly skus: readonly string[];
  readonly products: readonly SkuAvailability[];
  readonly onChange: (skus: readonly string[]) => void;
}) {
  return (
    <ChosenProducts
      title="Products"
      what="A trip"
      skus={skus}
      most={mostProducts}
      show={(sku) => <AskedName sku={sku} products={products} />}
      onChange={onChange}
    />
  );
}

function AskedName({ sku, products }: { readonly sku: string; readonly products: readonly SkuAvailability[] }) {
  const asked = products.find((product) => product.sku === sku);
  if (asked === undefined) return <span class="muted">{sku}</span>;
  if (asked.availability === null) return <span class="bad">{sku}: no published product has this SKU</span>;
  const { id, brand, name } = asked.availability.product;
  const first = products.find(({ availability }) => availability?.product.id === id);
  return (
    <ProductLine product={{ sku, brand, name }}>
      {first !== asked && <span class="bad"> the same product as {first?.sku}</span>}
    </ProductLine>
  );
}
