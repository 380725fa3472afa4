import { useMemo } from 'preact/hooks';
import type { ProductDetail } from '../../contract/schemas/catalog.ts';
import { DataTable } from '../parts/data-table.tsx';
import { useCategories } from '../site/directories.ts';
import { hrefFor } from '../site/router.ts';
import { categoryPath } from './category-path.ts';
import { PricesLink } from './prices-link.tsx';
import { productColumns } from './product-columns.tsx';
import type { ProductIndex } from './product-index.ts';

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
