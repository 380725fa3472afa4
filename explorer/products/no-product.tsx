import { Fragment } from 'preact';
import { hrefFor } from '../site/router.ts';
import { nearSkus } from './near-skus.ts';
import { useProductIndex } from './product-index.ts';

const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** Says that there is no such product, and suggests others. `isAmbiguous`: several products had this SKU before. */
export function NoProduct({ argument, isAmbiguous }: { readonly argument: string; readonly isAmbiguous: boolean }) {
  if (argument === '' || isId.test(argument)) {
    return (
      <p>
        There is no product with this id. <a href={hrefFor('browse')}>All products</a>
      </p>
    );
  }
  return (
    <>
      <p>
        {isAmbiguous
          ? `Several products had the SKU ${argument} before, so it names none of them.`
          : `No product here has the SKU ${argument}.`}{' '}
        <NearSkus sku={argument} />
      </p>
      <p>
        <a href={hrefFor('search', '', { q: argument })}>Search for {argument}</a>
      </p>
    </>
  );
}

function NearSkus({ sku }: { readonly sku: string }) {
  const index = useProductIndex().value;
  const near = index === null ? [] : nearSkus(sku, index.document.columns.sku);
  if (near.length === 0) return null;
  return (
    <>
      Did you mean{' '}
      {near.map((one, at) => (
        <Fragment key={one}>
          {at > 0 && (at === near.length - 1 ? ' or ' : ', ')}
          <a href={hrefFor('product', one)}>{one}</a>
        </Fragment>
      ))}
      ?
    </>
  );
}
