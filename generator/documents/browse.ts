import type { BrowseIndex, PackageSize } from '../../contract/documents/catalog.ts';
import { formatPath } from '../../contract/paths.ts';
import { isUsual } from '../../contract/profile.ts';
import type { Catalog } from './catalog.ts';
import { changing, type Document, warningList } from './document.ts';
import type { Product } from './product.ts';
import { categoryIds } from './product.ts';
import type { State } from './state.ts';

/** `/products/browse.json`: the listed products as columns, in the order of `/products`. */
export function browseDocument(state: State, catalog: Catalog): Document {
  const { listed } = catalog;
  const brands = catalog.representedBrands;
  const categories = categoryIds(listed);
  const brandPositions = positionTable(brands.map(({ id }) => id));
  const categoryPositions = positionTable(categories);
  const statuses = [...new Set(listed.map(statusKey))];
  const statusPositions = positionTable(statuses);
  const reports = readReports(state, listed);
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
      ...(isUsual(state.profile)
        ? {}
        : { total_milliliters: listed.map(({ package_size }) => establishedVolume(package_size)) }),
      status: listed.map((product) => position(statusPositions, statusKey(product)) ?? 0),
      reported_positive_store_count: reports.map((report) => report?.reported_positive_store_count ?? null),
      reported_quantity: reports.map((report) => report?.reported_quantity ?? null),
      inventory_retrieved_on: listed.map(
        ({ inventory_retrieved_at: time }) => time?.slice(0, 'YYYY-MM-DD'.length) ?? null,
      ),
      meets_retrieval_policy: listed.map(({ inventory_retrieved_at }) => state.meetsPolicy(inventory_retrieved_at)),
    },
  };
  return changing(formatPath('browse'), value);
}

/** The volume of the whole package; null where it is not certain. */
function establishedVolume({ total_milliliters, normalization_state }: PackageSize): number | null {
  return normalization_state === 'normalized' ? total_milliliters : null;
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

/** A status as JSON, without its raw value. */
function statusKey({ status: { code, label, lifecycle } }: Product): string {
  return JSON.stringify({ code, label, lifecycle });
}

/** What the stores in scope or the whole state report for each product; null for one that was never retrieved. */
function readReports({ reader, stores, profile }: State, products: readonly Product[]) {
  const isStatewide = profile.inventory === 'statewide';
  const counts = isStatewide ? null : reader.rowCounts(stores.flatMap(({ inScope, key }) => (inScope ? [key] : [])));
  return products.map(({ key, inventory_retrieved_at, reported_quantity }) => {
    if (inventory_retrieved_at === null) return null;
    if (counts === null) return { reported_positive_store_count: null, reported_quantity };
    return counts.get(key) ?? { reported_positive_store_count: 0, reported_quantity: 0 };
  });
}
