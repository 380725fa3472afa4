import type { ProductFact } from '../../contract/product-facts.ts';
import type { PackageSize, ProductFacts } from '../../contract/schemas/product.ts';
import { columnNames, type RowOf } from './schema.ts';
import { spanColumns } from './table-writers.ts';

export type PackageColumns = Pick<
  RowOf<'product_version'>,
  | 'size_ml'
  | 'container_count'
  | 'unit_milliliters'
  | 'total_milliliters'
  | 'package_display'
  | 'package_interpretation'
  | 'package_basis'
  | 'normalization_state'
>;

/** The size of a package in whole milliliters. A 0 in the agency's size column means an unknown size. */
export function packageSizeIn(row: PackageColumns): PackageSize {
  return {
    milliliters: row.size_ml ? Math.round(row.size_ml) : null,
    container_count: row.container_count,
    unit_milliliters: row.unit_milliliters,
    total_milliliters: row.total_milliliters,
    display: row.package_display,
    interpretation: row.package_interpretation,
    basis: row.package_basis,
    normalization_state: row.normalization_state,
  };
}

export function factsIn(
  row: Pick<RowOf<'product_version'>, ProductFact>,
  facts: readonly ProductFact[],
): Partial<ProductFacts> {
  return Object.fromEntries(facts.map((fact) => [fact, row[fact]]));
}

/** An SQL condition for a version that holds at a publication, by default `:at`. */
export const holds = (table: string, at = '+:at') =>
  `${table}.first_publication <= ${at} AND (${table}.last_publication IS NULL OR ${table}.last_publication >= ${at})`;

export type Publications = { readonly first: number; readonly last: number };

/** An SQL condition for a version that holds at some of the publications from `:first` to `:last`. */
export const overlaps = (table: string) =>
  `${table}.first_publication <= +:last AND (${table}.last_publication IS NULL OR ${table}.last_publication >= +:first)`;

/** An SQL join of products `p` with their last attempt up to the publication `:at`, and with their last success. */
export const lastRetrievals = `
    LEFT JOIN retrieval AS attempt ON attempt.product = p.product AND attempt.publication =
      (SELECT max(publication) FROM retrieval WHERE product = p.product AND publication <= :at)
    LEFT JOIN retrieval AS success ON success.product = p.product AND success.publication = attempt.last_success`;

/** Columns that a product at a publication has under another name, or not at all. */
const otherColumns = ['product', 'brand_name', ...spanColumns] as const;
type OtherColumn = (typeof otherColumns)[number];

/** Every product at the publication `:at`, unordered: its version, its last attempt and its last success. */
export const productState = `
  SELECT p.product AS key, p.id, p.sku, p.first_observed_at, v.version, v.brand_name AS brand,
    ${columnNames('product_version')
      .filter((name) => !otherColumns.some((other) => other === name))
      .map((name) => `v.${name}`)
      .join(', ')},
    attempt.attempted_at, attempt.status AS attempt_status, attempt.publication AS attempt_publication,
    attempt.first_retrieved_at, attempt.last_positive_at,
    success.publication AS inventory_publication, success.retrieved_at AS inventory_retrieved_at,
    success.source_updated_at AS inventory_source_updated_at, success.scope, success.reported_quantity
  FROM product AS p
    JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
    ${lastRetrievals}`;

type Version = RowOf<'product_version'>;
type Retrieval = RowOf<'retrieval'>;

/** Named as in documents. Columns of retrievals are null if there was none. */
export type ProductStateRow = Omit<Version, OtherColumn> &
  Pick<RowOf<'product'>, 'id' | 'sku' | 'first_observed_at'> & {
    readonly key: number;
    readonly version: Version['version'];
    readonly brand: Version['brand_name'];
    readonly attempted_at: Retrieval['attempted_at'] | null;
    readonly attempt_status: Retrieval['status'] | null;
    readonly attempt_publication: Retrieval['publication'] | null;
    readonly first_retrieved_at: Retrieval['first_retrieved_at'];
    readonly last_positive_at: Retrieval['last_positive_at'];
    readonly inventory_publication: Retrieval['publication'] | null;
    readonly inventory_retrieved_at: Retrieval['retrieved_at'];
    readonly inventory_source_updated_at: Retrieval['source_updated_at'];
    readonly scope: Retrieval['scope'];
    readonly reported_quantity: Retrieval['reported_quantity'];
  };
