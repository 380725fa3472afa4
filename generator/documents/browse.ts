import type { BrowseIndex, PackageSize } from '../../contract/documents/catalog.ts';
import { pathOf } from '../../contract/paths.ts';
import { isUsual } from '../../contract/profile.ts';
import { changing, type Document, warningList } from './document.ts';
import { categoryIdsOf } from './product.ts';
import type { Catalog } from './state/catalog.ts';
import type { Product } from './state/product.ts';
import type { State } from './state/state.ts';

/** `/products/browse.json`: the listed products as columns, in the order of `/products`. */
export function browseDocument(state: State, catalog: Catalog): Document {
  const { listed } = catalog;
  const brands = catalog.representedBrands;
  const categories = categoryIdsOf(listed);
  const brandPositions = positionsOf(brands.map(({ id }) => id));
  const categoryPositions = positionsOf(categories);
  const statuses = [...new Set(listed.map(statusKey))];
  const statusPositions = positionsOf(statuses);
  const reports = reportsByProduct(state);
  const isStatewide = state.profile.inventory === 'statewide';
  const reportOf = ({ key, success, row }: Product) =>
    success === null
      ? null
      : isStatewide
        ? { positive: null, quantity: row.reported_quantity }
        : (reports.get(key) ?? noReport);
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
      brand: listed.map(({ brandId }) => positionOf(brandPositions, brandId)),
      category: listed.map(({ categoryId }) => positionOf(categoryPositions, categoryId)),
      in_family: listed.map(({ familyId }) => familyId !== null),
      price_minor: listed.map(({ price }) => price?.amount_minor ?? null),
      milliliters: listed.map(({ packageSize }) => packageSize.milliliters),
      container_count: listed.map(({ packageSize }) => packageSize.container_count),
      ...(isUsual(state.profile)
        ? {}
        : { total_milliliters: listed.map(({ packageSize }) => establishedVolume(packageSize)) }),
      status: listed.map((product) => positionOf(statusPositions, statusKey(product)) ?? 0),
      reported_positive_store_count: listed.map((product) => reportOf(product)?.positive ?? null),
      reported_quantity: listed.map((product) => reportOf(product)?.quantity ?? null),
      inventory_retrieved_on: listed.map(({ success }) => success?.retrievedAt.slice(0, 'YYYY-MM-DD'.length) ?? null),
      meets_retrieval_policy: listed.map(({ success }) => state.meetsPolicy(success?.retrievedAt ?? null)),
    },
  };
  return changing(pathOf('browse'), value);
}

/** The volume of the whole package; null where it is not established. */
function establishedVolume({ total_milliliters, normalization_state }: PackageSize): number | null {
  return normalization_state === 'normalized' ? total_milliliters : null;
}

function positionsOf(ids: readonly string[]): ReadonlyMap<string, number> {
  return new Map(ids.map((id, position) => [id, position]));
}

function positionOf(positions: ReadonlyMap<string, number>, id: string | null): number | null {
  if (id === null) return null;
  const position = positions.get(id);
  if (position === undefined) throw new Error(`a listed product names ${id}, which its table does not have`);
  return position;
}

/** A status as JSON, without what the source says besides. */
function statusKey({ status: { code, label, lifecycle } }: Product): string {
  return JSON.stringify({ code, label, lifecycle });
}

const noReport = { positive: 0, quantity: 0 };

/** What products are reported with by the stores in scope, by product key. */
function reportsByProduct({ reader, stores }: State): ReadonlyMap<number, typeof noReport> {
  return reader.rowCounts(stores.flatMap((store) => (store.inScope ? [store.key] : [])));
}
