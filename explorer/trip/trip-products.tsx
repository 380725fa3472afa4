import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { countNoun } from '../parts/text.ts';
import { ChosenProducts } from '../products/chosen-products.tsx';
import { isSameList, mostProducts, replaceTrip } from '../products/own-trip.ts';
import { ProductLine } from '../products/product-link.tsx';
import { hrefFor, parseHash, replaceQuery } from '../site/router.ts';
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

/** Says that the products come from a link, and offers to make them the reader's own trip, or to undo that. */
export function SharedTrip({ skus, trip }: { readonly skus: readonly string[]; readonly trip: readonly string[] }) {
  const [replaced, setReplaced] = useState<readonly string[]>([]);
  const isShared = skus.length > 0 && !isSameList(skus, trip);
  if (!isShared && replaced.length === 0) return null;
  const use = () => {
    setReplaced(trip);
    replaceTrip(skus);
    // From now on it is the reader's own trip, made from the current publication.
    const { query } = parseHash(location.hash);
    replaceQuery({ ...Object.fromEntries(query), revision: null });
  };
  const bringBack = () => {
    setReplaced([]);
    replaceTrip(replaced);
  };
  return (
    <div class="shared-trip on-screen" role="status">
      {isShared ? (
        <>
          This is a shared trip with {countNoun(skus.length, 'product')}
          {trip.length > 0 && (
            <>
              , not <a href={hrefFor('compare')}>your own with {countNoun(trip.length, 'product')}</a>
            </>
          )}
          .{' '}
          <button type="button" class="small" onClick={use}>
            Make it my trip
          </button>
        </>
      ) : (
        <>
          This is your trip now. The previous one had {countNoun(replaced.length, 'product')}.{' '}
          <button type="button" class="small" onClick={bringBack}>
            Bring it back
          </button>
        </>
      )}
    </div>
  );
}

/**
 * Puts the reader's own trip into an address without products, and updates it while the trip changes, in this tab or
 * another. An address with other products is a trip from a link, and stays as it is.
 */
export function useOwnAddress(skus: readonly string[], trip: readonly string[]): void {
  const before = useRef(trip);
  useLayoutEffect(() => {
    const wasOwn = skus.length === 0 || isSameList(skus, before.current);
    before.current = trip;
    const { view, query } = parseHash(location.hash);
    // The reader may have followed a link that the view has not been drawn for yet.
    if (!wasOwn || isSameList(skus, trip) || view !== 'compare') return;
    query.delete('skus');
    replaceQuery({ skus: trip.join(), ...Object.fromEntries(query) });
  }, [skus.join(), trip]);
}
