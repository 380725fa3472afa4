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
