import { formatPath } from '../../contract/paths.ts';
import { establishedMilliliters } from '../../contract/per-litre.ts';
import type { AbsentIndex, BrowseIndex } from '../../contract/schemas/browse.ts';
import { type Catalog, sortByName } from './catalog.ts';
import { checkedStoreCounter } from './checked-counts.ts';
import { changing, type Document, warningList } from './document.ts';
import type { Product } from './product.ts';
import { categoryIds } from './product.ts';
import type { State } from './state.ts';

/** `/products/browse.json`, in the order of `/products`. `reports`: from {@link readReports}. */
export function browseDocument(state: State, catalog: Catalog, reports: readonly Report[]): Document {
  const { listed } = catalog;
  const brands = catalog.representedBrands;
  const categories = categoryIds(listed);
  const brandPositions = positionTable(brands.map(({ id }) => id));
  const categoryPositions = positionTable(categories);
  const statuses = [...new Set(listed.map(statusKey))];
  const statusPositions = positionTable(statuses);
  const value: BrowseIndex = {
    publication_revision: state.publication.revision,
    warnings: warningList(state.publication.warnings),
    currency: state.profile.currency,
    count: listed.length,
    brands: brands.map(({ slug, name }) => ({ slug, name })),
    categories,
    statuses: statuses.map((key) => JSON.parse(key)),
    columns: {
      sku: listed.map(({ sku }) => sku),
      name: listed.map(({ name }) => name),
      brand: listed.map(({ brand_id }) => position(brandPositions, brand_id)),
      category: listed.map(({ category_id }) => position(categoryPositions, category_id)),
      in_family: listed.map(({ family_id }) => family_id !== null),
      price_minor: listed.map(({ price }) => price?.amount_minor ?? null),
      milliliters: listed.map(({ package_size }) => package_size.milliliters),
      container_count: listed.map(({ package_size }) => package_size.container_count),
      total_milliliters: listed.map(({ package_size }) => establishedMilliliters(package_size)),
      status: listed.map((product) => position(statusPositions, statusKey(product)) ?? 0),
      reported_positive_store_count: reports.map((report) => report?.reported_positive_store_count ?? null),
      checked_store_count: reports.map((report) => report?.checked_store_count ?? null),
      reported_quantity: reports.map((report) => report?.reported_quantity ?? null),
      inventory_retrieved_on: listed.map(
        ({ inventory_retrieved_at: time }) => time?.slice(0, 'YYYY-MM-DD'.length) ?? null,
      ),
      meets_retrieval_policy: listed.map(({ inventory_retrieved_at }) => state.meetsPolicy(inventory_retrieved_at)),
    },
  };
  return changing(formatPath('browse'), value);
}

/** `/products/absent.json` */
export function absentDocument(state: State, { products }: Catalog): Document {
  const absent = sortByName(products.filter(({ catalog_presence }) => catalog_presence === 'absent'));
  const value: AbsentIndex = {
    publication_revision: state.publication.revision,
    warnings: warningList(state.generalWarnings),
    currency: state.profile.currency,
    count: absent.length,
    columns: {
      sku: absent.map(({ sku }) => sku),
      name: absent.map(({ name }) => name),
      brand: absent.map(({ brand }) => brand),
      milliliters: absent.map(({ package_size }) => package_size.milliliters),
      container_count: absent.map(({ package_size }) => package_size.container_count),
      price_minor: absent.map(({ price }) => price?.amount_minor ?? null),
      last_listed_at: absent.map(({ catalog_retrieved_at }) => catalog_retrieved_at),
    },
  };
  return changing(formatPath('absent'), value);
}

function positionTable(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, position) => [id, position]));
}

function position(positions: ReadonlyMap<string, number>, id: string | null): number | null {
  if (id === null) return null;
  const position = positions.get(id);
  if (position === undefined) throw new Error(`a listed product refers to ${id}, which is not in its table`);
  return position;
}

function statusKey({ status: { code, label, lifecycle } }: Product): string {
  return JSON.stringify({ code, label, lifecycle });
}

/** What is reported of a product; null if it was never retrieved. The stock of a whole state has no count of stores. */
export type Report = {
  readonly reported_positive_store_count: number | null;
  readonly checked_store_count: number | null;
  readonly reported_quantity: number | null;
} | null;

/** Reads what the stores in scope report, or what is reported for the whole state. */
export function readReports(state: State, products: readonly Product[]): Report[] {
  const { reader, storesInScope, profile } = state;
  const isStatewide = profile.inventory === 'statewide';
  const counts = isStatewide ? null : reader.rowCounts(storesInScope.map(({ key }) => key));
  const checkedStores = checkedStoreCounter(state);
  return products.map((product) => {
    const { key, inventory_retrieved_at, reported_quantity } = product;
    if (inventory_retrieved_at === null) return null;
    if (counts === null) return { reported_positive_store_count: null, checked_store_count: null, reported_quantity };
    const reported = counts.get(key) ?? { reported_positive_store_count: 0, reported_quantity: 0 };
    return { ...reported, checked_store_count: checkedStores(product) };
  });
}
