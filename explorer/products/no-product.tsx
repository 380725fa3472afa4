import { Fragment } from 'preact';
import { hrefFor } from '../site/router.ts';
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

/** The most SKUs to suggest. */
const mostNear = 3;

/** SKUs that may have been meant: with different leading zeros, then longer ones, then those with one typo. */
export function nearSkus(asked: string, skus: readonly string[]): string[] {
  const wanted = asked.trim().toUpperCase();
  if (wanted === '') return [];
  const digits = withoutZeros(wanted);
  const isNear = [
    (sku: string) => withoutZeros(sku) === digits,
    (sku: string) => sku.startsWith(wanted),
    (sku: string) => isOneSlip(wanted, sku),
  ];
  const found = new Set<string>();
  for (const holds of isNear) for (const sku of skus) if (sku !== wanted && holds(sku)) found.add(sku);
  return [...found].slice(0, mostNear);
}

function withoutZeros(sku: string): string {
  return sku.replace(/^0+/, '');
}

/** Whether one character differs, or two neighbours are swapped. */
function isOneSlip(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const apart = [...a].flatMap((character, at) => (character === b[at] ? [] : [at]));
  const [first = 0, second] = apart;
  if (second === undefined) return apart.length === 1;
  return apart.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first];
}
