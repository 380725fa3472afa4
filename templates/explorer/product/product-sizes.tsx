import type { ProductDocument } from '../../../client/documents.ts';
import { placeOf } from '../app/router.ts';
import { useLoaded } from '../app/session.ts';
import { categoryPath } from '../components/category-path.tsx';
import { MemberTable } from '../components/member-table.tsx';
import { ProductLine } from '../components/product.tsx';
import { fullName, type ProductIndex, useProductIndex } from '../components/product-index.ts';
import { WhenLoaded } from '../components/states.tsx';
import { countOf, priceText } from '../components/text.ts';

type Detail = ProductDocument['data'];

/** The products of the same name with what each takes a litre, and the cheapest litre of each category, once they are wanted. */
export function ProductSizes({ product, isWanted }: { readonly product: Detail; readonly isWanted: boolean }) {
  const index = useProductIndex(isWanted).value;
  const categories = useLoaded('categories', (site, signal) => site.categories({ signal })).value?.data ?? [];
  if (index === null) return <div class="sizes" />;
  const sizes = sameName(index, product);
  return (
    <div class="sizes">
      {sizes.length > 1 && (
        <ul class="ways" aria-label="Sizes, the cheapest litre first">
          {sizes.map((position) => {
            const sku = index.sku(position);
            const litre = index.litre(position);
            const size = index.size(position) ?? `SKU ${sku}`;
            return (
              <li key={sku}>
                {sku === product.source_ids.agency_sku ? <b>{size}</b> : <a href={placeOf('product', sku)}>{size}</a>}{' '}
                {priceText(index.price(position))}
                <span class="muted">
                  {litre !== null && `, ${priceText(litre)} per litre`}
                  {index.stores(position) !== null && `, ${countOf(index.stores(position) ?? 0, 'store')}`}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      {product.category_ids.map((id) => {
        const cheapest = cheapestOf(index, id);
        return (
          cheapest !== null && (
            <p key={id}>
              Cheapest litre in{' '}
              <a href={placeOf('browse', '', { category: id, sort: 'litre' })}>{categoryPath(categories, id)}</a>:{' '}
              {priceText(index.litre(cheapest))},{' '}
              <ProductLine product={{ sku: index.sku(cheapest), brand: null, name: index.name(cheapest) }} />
            </p>
          )
        );
      })}
    </div>
  );
}

/** The members of the product's family; nothing without one. */
export function ProductFamily({ product: { family_id: id, source_ids } }: { readonly product: Detail }) {
  const family = useLoaded(id, (site, signal) => site.family.byId(id ?? '', { signal }));
  if (id === null) return null;
  return (
    <>
      <h2>Sizes and prices in its family</h2>
      <WhenLoaded loaded={family} what="the family">
        {({ data }) => <MemberTable members={data.members} file={`${source_ids.agency_sku}-family`} />}
      </WhenLoaded>
    </>
  );
}

/** The products of a name in all sizes, the cheapest litre first. */
function sameName(index: ProductIndex, product: { readonly brand: string | null; readonly name: string }): number[] {
  const name = fullName(product);
  return inOrderOfLitre(
    index,
    // A name of the index may lack the brand, which most products differ in.
    [...index.byStores].filter(
      (position) => name.endsWith(index.document.columns.name[position] ?? '') && index.name(position) === name,
    ),
  );
}

/** The product of a category whose litre is the cheapest; null where none is known. */
function cheapestOf(index: ProductIndex, id: string): number | null {
  const category = index.document.categories.indexOf(id);
  const filed = [...index.byStores].filter((position) => index.document.columns.category[position] === category);
  const first = inOrderOfLitre(index, filed)[0] ?? null;
  return first === null || index.litre(first) === null ? null : first;
}

function inOrderOfLitre(index: ProductIndex, positions: readonly number[]): number[] {
  return positions.toSorted((a, b) => (index.litre(a) ?? Infinity) - (index.litre(b) ?? Infinity));
}
