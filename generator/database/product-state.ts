import type { PackageSize, ProductFacts } from '../../contract/documents/catalog.ts';
import type { ProductFact } from '../../contract/profile.ts';
import { columnNames, type RowOf } from './schema.ts';
import { spanColumns, type VersionOf } from './table-writers.ts';

/** The columns of `product_version` that make a package size. */
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

/** The package of a version, in whole millilitres. A 0 in the agency's size column means that no size is known. */
export function packageSizeOf(row: PackageColumns): PackageSize {
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

/** The facts of a version that the site has. */
export function factsOf(
  row: Pick<RowOf<'product_version'>, ProductFact>,
  facts: readonly ProductFact[],
): Partial<ProductFacts> {
  return Object.fromEntries(facts.map((fact) => [fact, row[fact]]));
}

/** The SQL condition that a version of a table holds at the publication `:at`. */
export const holds = (table: string) =>
  `${table}.first_publication <= :at AND (${table}.last_publication IS NULL OR ${table}.last_publication >= :at)`;

/** The SQL join of products `p` with their last attempt up to the publication `:at`, and with their last success. */
export const lastRetrievals = `
    LEFT JOIN retrieval AS attempt ON attempt.product = p.product AND attempt.publication =
      (SELECT max(publication) FROM retrieval WHERE product = p.product AND publication <= :at)
    LEFT JOIN retrieval AS success ON success.product = p.product AND success.publication = attempt.last_success`;

/** Every product at the publication `:at`, in no order: its version, its last attempt and its last success. */
export const productState = `
  SELECT ${columnNames('product_version')
    .filter((name) => !spanColumns.some((one) => one === name))
    .map((name) => `v.${name}`)
    .join(', ')},
    v.version, p.id, p.sku, p.first_observed_at,
    attempt.attempted_at, attempt.status AS attempt_status, attempt.publication AS attempt_publication,
    attempt.first_retrieved_at, attempt.last_positive_at, success.publication AS success_publication,
    success.retrieved_at AS success_retrieved_at, success.reported_quantity, success.source_updated_at AS success_source_updated_at, success.scope
  FROM product AS p
    JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
    ${lastRetrievals}`;

type Retrieval = RowOf<'retrieval'>;

/** A product at a publication. What is of retrievals is null if there was none. */
export type ProductStateRow = VersionOf<'product_version'> &
  Pick<RowOf<'product_version'>, 'version'> &
  Pick<RowOf<'product'>, 'id' | 'sku' | 'first_observed_at'> & {
    readonly attempted_at: Retrieval['attempted_at'] | null;
    readonly attempt_status: Retrieval['status'] | null;
    readonly attempt_publication: Retrieval['publication'] | null;
    readonly first_retrieved_at: Retrieval['first_retrieved_at'];
    readonly last_positive_at: Retrieval['last_positive_at'];
    readonly success_publication: Retrieval['publication'] | null;
    readonly success_retrieved_at: Retrieval['retrieved_at'];
    readonly reported_quantity: Retrieval['reported_quantity'];
    readonly success_source_updated_at: Retrieval['source_updated_at'];
    readonly scope: Retrieval['scope'];
  };
