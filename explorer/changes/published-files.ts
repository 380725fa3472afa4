import type { Site } from '../../client/open-site.ts';
import type { InventoryRecord, ProductRecord } from '../../contract/columns/export.ts';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import type { RetainedPublication } from '../../contract/schemas/metadata.ts';
import type { StorePair } from '../../contract/schemas/product.ts';
import type { StoreStock } from '../../contract/schemas/store.ts';
import { wordsOf } from '../../contract/text.ts';
import { zonedText } from '../parts/text.ts';
import { ProductIndex } from '../products/product-index.ts';
import { useLoaded } from '../site/session.ts';

/** The products in the export of an earlier publication: as an index, and by id. */
export type PublishedProducts = { readonly index: ProductIndex; readonly byId: ReadonlyMap<string, ProductRecord> };

const readByRevision = new Map<string, Promise<PublishedProducts>>();

/** Reads the products of a publication once. With a null `publication`, nothing is read. */
export function usePublishedProducts(publication: RetainedPublication | null) {
  return useLoaded(publication && `products of ${publication.revision}`, (site) => {
    const { revision } = publication as RetainedPublication;
    const products = readByRevision.get(revision) ?? readProducts(site, publication as RetainedPublication);
    readByRevision.set(revision, products);
    products.catch(() => readByRevision.delete(revision));
    return products;
  });
}

async function readProducts(site: Site, publication: RetainedPublication): Promise<PublishedProducts> {
  const byId = new Map<string, ProductRecord>();
  for await (const record of site.records(publication.exports.products)) {
    const product = record as ProductRecord;
    byId.set(product.id, product);
  }
  const listed = [...byId.values()].filter(({ catalog_presence }) => catalog_presence === 'listed');
  return { byId, index: new ProductIndex(buildIndex(listed, publication.revision)) };
}

/** The wanted inventory records of a publication. */
export async function publishedInventory(
  site: Site,
  { exports }: RetainedPublication,
  isWanted: (record: InventoryRecord) => boolean,
  signal: AbortSignal,
): Promise<InventoryRecord[]> {
  const found: InventoryRecord[] = [];
  for await (const record of site.records(exports.inventory, { signal })) {
    if (isWanted(record as InventoryRecord)) found.push(record as InventoryRecord);
  }
  return found;
}

/** The rows of a product's availability, made from inventory records. Stores that were not checked have no record. */
export function availabilityRows(
  pairs: readonly InventoryRecord[],
  nameOf: (storeId: string) => string | undefined,
): StorePair[] {
  return pairs.map(({ store_id, inventory_store_code, ...pair }) => ({
    ...{ store_id, inventory_store_code, name: nameOf(store_id) ?? `Store ${inventory_store_code ?? store_id}` },
    ...{
      state: pair.state,
      reported_quantity: pair.reported_quantity,
      purchase_eligibility: pair.purchase_eligibility,
    },
    ...{ retrieved_at: pair.retrieved_at, meets_retrieval_policy: pair.meets_retrieval_policy },
  }));
}

/** What a store reports of the listed products, made from its inventory records. */
export function storeStock(pairs: readonly InventoryRecord[], { byId }: PublishedProducts): Omit<StoreStock, 'store'> {
  const known = pairs.flatMap((pair) => {
    const product = byId.get(pair.product_id);
    return product?.catalog_presence === 'listed' ? [{ pair, product }] : [];
  });
  const products = known.flatMap(({ pair, product: { agency_sku, name, brand } }) => {
    const { reported_quantity: quantity, purchase_eligibility: eligibility } = pair;
    if (quantity === null || quantity === 0 || eligibility === null) return [];
    return {
      ...{ product_id: pair.product_id, agency_sku, name, brand, reported_quantity: quantity },
      ...{ purchase_eligibility: eligibility, retrieved_at: pair.retrieved_at },
      meets_retrieval_policy: pair.meets_retrieval_policy,
    };
  });
  return { checked_product_count: known.length, products };
}

/** An index of products. The export of a site with stores has no total quantity over all stores. */
function buildIndex(products: readonly ProductRecord[], publication_revision: string): BrowseIndex {
  const brands = distinctValues(products.map(({ brand }) => brand));
  const categories = distinctValues(products.map(({ category_ids }) => category_ids[0] ?? null));
  const statusKeys = distinctValues(products.map(({ status_code, status_label }) => `${status_code}\n${status_label}`));
  const statuses = statusKeys.values.map((key) => {
    const product = products.find(({ status_code, status_label }) => `${status_code}\n${status_label}` === key);
    return {
      code: product?.status_code ?? '',
      label: product?.status_label ?? '',
      lifecycle: product?.lifecycle ?? 'unknown',
    };
  });
  const of = <Value>(readByRevision: (product: ProductRecord) => Value) => products.map(readByRevision);
  return {
    ...{ publication_revision, warnings: [], count: products.length, statuses },
    currency: products.find(({ price_currency }) => price_currency !== null)?.price_currency ?? 'USD',
    brands: brands.values.map((name) => ({ slug: wordsOf(name).join('-'), name })),
    categories: categories.values,
    columns: {
      sku: of(({ agency_sku }) => agency_sku),
      name: of(({ name }) => name),
      brand: brands.positions,
      category: categories.positions,
      in_family: of(({ family_id }) => family_id !== null),
      price_minor: of(({ price_amount_minor }) => price_amount_minor),
      milliliters: of(({ package_milliliters }) => package_milliliters),
      container_count: of(({ package_container_count }) => package_container_count),
      total_milliliters: of(({ package_total_milliliters }) => package_total_milliliters),
      status: statusKeys.positions.map((position) => position ?? 0),
      reported_positive_store_count: of((product) =>
        product.inventory_retrieved_at === null ? null : product.reported_positive_store_count,
      ),
      checked_store_count: of((product) =>
        product.inventory_retrieved_at === null ? null : product.scope_store_count - product.unchecked_store_count,
      ),
      reported_quantity: of(({ reported_quantity }) => reported_quantity ?? null),
      inventory_retrieved_on: of(({ inventory_retrieved_at: at }) => (at === null ? null : zonedText(at).isoDay)),
      meets_retrieval_policy: of(({ meets_retrieval_policy }) => meets_retrieval_policy),
    },
  };
}

/** The distinct values of a column, and for each row the position of its value; null for no value. */
function distinctValues(column: readonly (string | null)[]) {
  const values = [...new Set(column)].filter((value) => value !== null);
  const places = new Map(values.map((value, place) => [value, place]));
  return { values, positions: column.map((value) => (value === null ? null : (places.get(value) ?? null))) };
}
