import type { PackageSize } from '../contract/documents/product.ts';

/** The columns of `product_version` that make a package size. */
export type PackageColumns = {
  readonly size_ml: number | null;
  readonly container_count: number | null;
  readonly unit_milliliters: number | null;
  readonly total_milliliters: number | null;
  readonly package_display: string | null;
  readonly package_interpretation: string;
  readonly package_basis: string;
  readonly package_state: string;
};

/** The package of a version. A 0 in the agency's size column means that no size is known. */
export function packageSizeOf(row: PackageColumns): PackageSize {
  return {
    milliliters: row.size_ml === 0 ? null : row.size_ml,
    container_count: row.container_count,
    unit_milliliters: row.unit_milliliters,
    total_milliliters: row.total_milliliters,
    display: row.package_display,
    interpretation: row.package_interpretation,
    basis: row.package_basis,
    normalization_state: row.package_state,
  } as PackageSize;
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
  SELECT p.product, p.id, p.sku, p.first_observed_at, v.version, v.catalog_presence, v.observed_publication, v.size_ml,
    v.price_minor, v.price_source, v.status_code, v.status_label, v.status_raw, v.lifecycle, v.category_id, v.name,
    v.brand_id, v.brand_name, v.family_id, v.relationship_type, v.vintage_year, v.age_statement, v.container_count,
    v.unit_milliliters, v.total_milliliters, v.package_display, v.package_interpretation, v.package_basis,
    v.package_state, v.lowest_price_minor, v.highest_price_minor,
    attempt.attempted_at, attempt.status AS attempt_status, attempt.publication AS attempt_publication,
    attempt.first_retrieved_at, attempt.last_positive_at, success.publication AS success_publication,
    success.retrieved_at AS success_retrieved_at, success.source_updated_at AS success_source_updated_at, success.scope
  FROM product AS p
    JOIN product_version AS v ON v.product = p.product AND ${holds('v')}
    ${lastRetrievals}`;

/** A row of `productState` as an array, in the order of its columns. */
export type ProductStateValues = readonly [
  product: number,
  id: string,
  sku: string,
  first_observed_at: string,
  version: number,
  catalog_presence: string,
  observed_publication: number | null,
  size_ml: number | null,
  price_minor: number | null,
  price_source: string,
  status_code: string,
  status_label: string,
  status_raw: string,
  lifecycle: string,
  category_id: string | null,
  name: string,
  brand_id: string | null,
  brand_name: string | null,
  family_id: string | null,
  relationship_type: string | null,
  vintage_year: number | null,
  age_statement: string | null,
  container_count: number | null,
  unit_milliliters: number | null,
  total_milliliters: number | null,
  package_display: string | null,
  package_interpretation: string,
  package_basis: string,
  package_state: string,
  lowest_price_minor: number | null,
  highest_price_minor: number | null,
  attempted_at: string | null,
  attempt_status: string | null,
  attempt_publication: number | null,
  first_retrieved_at: string | null,
  last_positive_at: string | null,
  success_publication: number | null,
  success_retrieved_at: string | null,
  success_source_updated_at: string | null,
  scope: number | null,
];

/** A product at a publication. */
export type ProductStateRow = Readonly<ReturnType<typeof productStateOf>>;

/** Arrays take two thirds of the time of objects to read, and a state has a row for each product. */
export function productStateOf(values: ProductStateValues) {
  return {
    product: values[0],
    id: values[1],
    sku: values[2],
    first_observed_at: values[3],
    version: values[4],
    catalog_presence: values[5],
    observed_publication: values[6],
    size_ml: values[7],
    price_minor: values[8],
    price_source: values[9],
    status_code: values[10],
    status_label: values[11],
    status_raw: values[12],
    lifecycle: values[13],
    category_id: values[14],
    name: values[15],
    brand_id: values[16],
    brand_name: values[17],
    family_id: values[18],
    relationship_type: values[19],
    vintage_year: values[20],
    age_statement: values[21],
    container_count: values[22],
    unit_milliliters: values[23],
    total_milliliters: values[24],
    package_display: values[25],
    package_interpretation: values[26],
    package_basis: values[27],
    package_state: values[28],
    lowest_price_minor: values[29],
    highest_price_minor: values[30],
    attempted_at: values[31],
    attempt_status: values[32],
    attempt_publication: values[33],
    first_retrieved_at: values[34],
    last_positive_at: values[35],
    success_publication: values[36],
    success_retrieved_at: values[37],
    success_source_updated_at: values[38],
    scope: values[39],
  };
}
