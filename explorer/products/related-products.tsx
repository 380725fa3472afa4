import { useMemo } from 'preact/hooks';
import type { ProductDetail } from '../../contract/schemas/product.ts';
import { DataTable } from '../parts/data-table.tsx';
import { WhenLoaded } from '../parts/states.tsx';
import { priceText } from '../parts/text.ts';
import { hrefFor } from '../site/router.ts';
import { useLoaded } from '../site/session.ts';
import { useCategories } from '../site/stores-and-categories.ts';
import { categoryPath } from './categories.tsx';
import { MemberTable } from './member-table.tsx';
import { PricesLink } from './prices-link.tsx';
import { productColumns } from './product-columns.tsx';
import { fullName, type ProductIndex } from './product-index.ts';

/** The products of the same name in other sizes, as links with prices, once the index is loaded. */
export function ProductSizes({
  product,
  index,
}: {
  readonly product: ProductDetail;
  readonly index: ProductIndex | null;
}) {
  const sizes = useMemo(() => (index ? sameName(index, product) : []), [index, product]);
  if (index === null) return <div class="sizes" />;
  if (sizes.length < 2) return null;
  return (
    <nav class="sizes tabs" aria-label="Sizes, lowest price per litre first">
      {sizes.map((position) => {
        const sku = index.sku(position);
        const litre = index.litre(position);
        return (
          <a
            key={sku}
            href={hrefFor('product', sku)}
            aria-current={sku === product.source_ids.agency_sku ? 'true' : undefined}
          >
            {index.size(position) ?? `SKU ${sku}`} {priceText(index.price(position))}
            {litre !== null && <span class="muted"> {priceText(litre)} per litre</span>}
          </a>
        );
      })}
    </nav>
  );
}

/** The members of the product's family, if it has one, once the index is loaded. */
export function ProductFamily({
  product: { family_id: id, source_ids },
  index,
}: {
  readonly product: ProductDetail;
  readonly index: ProductIndex | null;
}) {
  const family = useLoaded(id, (site, signal) => site.family.byId(id ?? '', { signal }));
  if (id === null || index === null) return null;
  return (
    <>
      <h2>Sizes and prices in this family</h2>
      <WhenLoaded loaded={family} what="the family">
        {({ data }) => <MemberTable members={data.members} index={index} file={`${source_ids.agency_sku}-family`} />}
      </WhenLoaded>
    </>
  );
}

/** All sizes of the products with one full name, lowest price per litre first. */
function sameName(index: ProductIndex, product: { readonly brand: string | null; readonly name: string }): number[] {
  const name = fullName(product);
  return byLitrePrice(
    index,
    // A name in the index may lack the brand. Most products already differ in the end of the name.
    [...index.byStores].filter(
      (position) => name.endsWith(index.document.columns.name[position] ?? '') && index.name(position) === name,
    ),
  );
}

function byLitrePrice(index: ProductIndex, positions: readonly number[]): number[] {
  return positions.toSorted((a, b) => (index.litre(a) ?? Infinity) - (index.litre(b) ?? Infinity));
}

const mostShown = 6;
/** How much the price of a similar product may differ, as a fraction. */
const priceTolerance = 0.25;
const shownColumns = ['product', 'size', 'price', 'litre', 'stores', 'quantity'];

/**
 * Products of the same category and size at about the same price, those reported by the most stores first; nothing if
 * there are none.
 */
export function SimilarProducts({ product, index }: { readonly product: ProductDetail; readonly index: ProductIndex }) {
  const categories = useCategories().value ?? [];
  const similar = useMemo(() => similarTo(index, product), [index, product]);
  const columns = useMemo(() => productColumns(index).filter(({ name }) => shownColumns.includes(name)), [index]);
  const [category] = product.category_ids;
  if (similar.length === 0 || category === undefined) return null;
  return (
    <>
      <h2>Similar products</h2>
      <DataTable
        caption="Similar products"
        columns={columns}
        rows={similar}
        file={`${product.source_ids.agency_sku}-similar`}
        rowKey={(position) => index.sku(position)}
      />
      <PricesLink skus={[product.source_ids.agency_sku, ...similar.map((position) => index.sku(position))]} />
      <p>
        All of <a href={hrefFor('browse', '', { category, sort: 'litre' })}>{categoryPath(categories, category)}</a>,
        lowest price per litre first
      </p>
    </>
  );
}

function similarTo(index: ProductIndex, product: ProductDetail): number[] {
  const { columns, categories } = index.document;
  const own = index.positionOf(product.source_ids.agency_sku);
  const category = categories.indexOf(product.category_ids[0] ?? '');
  const price = product.price?.amount_minor ?? null;
  if (own < 0 || category < 0 || price === null) return [];
  const isSimilar = (position: number) =>
    position !== own &&
    columns.category[position] === category &&
    columns.milliliters[position] === columns.milliliters[own] &&
    Math.abs((index.price(position) ?? Infinity) - price) <= priceTolerance * price;
  return [...index.byStores].filter(isSimilar).slice(0, mostShown);
}
