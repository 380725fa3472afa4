import { isDeepStrictEqual } from 'node:util';
import type { Warning } from '../contract/documents/envelope.ts';
import type { ProductAvailability, ProductDetail, ProductRow } from '../contract/documents/product.ts';
import type { BrowseColumns, BrowseIndex } from '../contract/documents/search.ts';
import { pathOf } from '../contract/paths.ts';
import { shownApart } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import { rowsOfList } from './lists.ts';
import type { ProductVisit } from './product-documents.ts';

/**
 * Checks that the columns of the browse index fit its tables and that they list the products of `/products` in their
 * order. Returns the check of what they say of a product against the product's own documents.
 */
export function browseCheck(site: SiteUnderCheck): (visit: ProductVisit) => void {
  const path = pathOf('browse');
  const index = documentAt<BrowseIndex>(site, path);
  const add = (expected: string, got: string) => site.faults.add('index_mismatch', path, expected, got);
  if (!index || !checkColumns(index, add)) return () => undefined;
  checkAgainstList(site, index, add);
  const service = documentAt<{ meta: { warnings: Warning[] } }>(site, pathOf('service_index'));
  if (service) {
    const claim = (text: string) => `warnings ${text}, as ${pathOf('service_index')} has them`;
    site.faults.expectEqual('index_mismatch', path, service.meta.warnings, index.warnings, claim);
  }
  const positions = new Map(index.columns.sku.map((sku, position) => [sku, position]));
  const compare = new ColumnComparison(index, add);
  return ({ route, document, availability }) => {
    const position = document ? positions.get(document.data.source_ids.agency_sku) : undefined;
    if (!document || position === undefined) return;
    compare.at(position, { ...factsOf(document.data), ...reportOf(document.data, availability) }, route.path);
  };
}

type Report = (expected: string, got: string) => void;

/** Checks that the columns have one length, and that positions are within their tables. */
function checkColumns({ count, columns, brands, categories, statuses }: BrowseIndex, add: Report): boolean {
  let isSound = true;
  const report: Report = (expected, got) => {
    isSound = false;
    add(expected, got);
  };
  for (const [name, column] of Object.entries(columns)) {
    if (column.length !== count) report(`${count} items in ${name}, as count has it`, String(column.length));
  }
  const tables = { brand: brands, category: categories, status: statuses };
  for (const [name, table] of Object.entries(tables)) {
    const beyond = columns[name as keyof typeof tables].find(
      (position) => position !== null && position >= table.length,
    );
    if (beyond !== undefined) report(`positions in ${name} below ${table.length}`, String(beyond));
  }
  return isSound;
}

function checkAgainstList(site: SiteUnderCheck, index: BrowseIndex, add: Report): void {
  const rows = rowsOfList<ProductRow>(site, 'products');
  if (!rows) return;
  if (rows.length !== index.count) add(`${rows.length} products, as ${pathOf('products')} has`, String(index.count));
  const compare = new ColumnComparison(index, add);
  for (const [position, row] of rows.slice(0, index.count).entries()) {
    compare.at(position, { sku: row.source_ids.agency_sku, ...listedFactsOf(row) }, pathOf('products'));
  }
}

/** What the index says of a product, with the rows of its tables in place of positions. */
type Facts = {
  readonly [Name in keyof BrowseColumns]: Name extends 'brand' | 'category' | 'status'
    ? unknown
    : BrowseColumns[Name][number];
};

/** Compares products of the index with other documents. It reports a column once: a shifted column is one fault. */
class ColumnComparison {
  readonly #index: BrowseIndex;
  readonly #add: Report;
  readonly #reported = new Set<string>();

  constructor(index: BrowseIndex, add: Report) {
    this.#index = index;
    this.#add = add;
  }

  at(position: number, expected: Partial<Facts>, source: string): void {
    const got = this.#factsAt(position);
    for (const [name, value] of Object.entries(expected)) {
      const found = got[name as keyof Facts];
      if (this.#reported.has(name) || isDeepStrictEqual(found, value)) continue;
      this.#reported.add(name);
      const [wanted, actual] = shownApart(value, found);
      this.#add(`${name} ${wanted} of product ${position}, as ${source} has it`, actual);
    }
  }

  #factsAt(position: number): Partial<Facts> {
    const { columns, brands, categories, statuses } = this.#index;
    const entryOf = <Entry>(table: readonly Entry[], at: number | null | undefined) =>
      at === null || at === undefined ? null : table[at];
    const values = Object.entries(columns).map(([name, column]) => [name, column[position]]);
    return {
      ...(Object.fromEntries(values) as Partial<Facts>),
      brand: entryOf(brands, columns.brand[position])?.name ?? null,
      category: entryOf(categories, columns.category[position]) ?? null,
      status: entryOf(statuses, columns.status[position]),
    };
  }
}

/** The facts that the list of products has too. */
function listedFactsOf({ name, brand, family_id, price, package_size, status }: ProductRow | ProductDetail) {
  const { code, label, lifecycle } = status;
  return {
    name,
    brand,
    in_family: family_id !== null,
    price_minor: price?.amount_minor ?? null,
    milliliters: package_size.milliliters,
    status: { code, label, lifecycle },
  };
}

function factsOf(detail: ProductDetail) {
  return {
    ...listedFactsOf(detail),
    category: detail.category_ids[0] ?? null,
    container_count: detail.package_size.container_count,
    inventory_retrieved_on: detail.inventory_retrieved_at?.slice(0, 'YYYY-MM-DD'.length) ?? null,
    meets_retrieval_policy: detail.availability_summary.meets_retrieval_policy,
  };
}

function reportOf({ inventory_retrieved_at, availability_summary }: ProductDetail, stock: ProductAvailability | null) {
  if (inventory_retrieved_at === null) return { reported_positive_store_count: null, reported_quantity: null };
  const { reported_positive_store_count } = availability_summary;
  if (!stock) return { reported_positive_store_count };
  return {
    reported_positive_store_count,
    reported_quantity: stock.stores.reduce((sum, { reported_quantity }) => sum + (reported_quantity ?? 0), 0),
  };
}
