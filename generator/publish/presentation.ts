import type { PackageSize } from '../contract/product.ts';
import type { Row, Value } from '../database/versioned-table.ts';
import { withoutBrand } from './brand-prefix.ts';

export type BrandView = {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly reviewed: boolean;
};
export type FamilyView = { readonly id: string; readonly name: string; readonly brandSlug: string };

/** The curation in force, as resolving a product needs it. */
export type CurationView = {
  readonly brands: ReadonlyMap<string, BrandView>;
  readonly families: ReadonlyMap<string, FamilyView>;
  readonly categories: ReadonlySet<string>;
  /** The curated_product row of a SKU. */
  readonly product: (sku: string) => Row | undefined;
};

type Source = {
  readonly sku: string;
  readonly source_title: string;
  readonly size_ml: number | null;
  readonly size_text: string | null;
};

/** The columns of product_version that the curation decides. */
export function resolvePresentation(source: Source, curation: CurationView): Row {
  const curated = curation.product(source.sku);
  const brand = reviewed(viewOf(curation.brands, curated?.brand_slug));
  const family = publicFamily(viewOf(curation.families, curated?.family_slug), curation);
  return {
    name: brand ? withoutBrand(source.source_title, [brand.name, ...brand.aliases]) : source.source_title,
    brand_id: brand?.id ?? null,
    brand_name: brand?.name ?? null,
    family_id: family?.id ?? null,
    family_name: family?.name ?? null,
    relationship_type: curated?.relationship_type ?? null,
    vintage_year: curated?.vintage_year ?? null,
    age_statement: curated?.age_statement ?? null,
    ...resolvePackage(source, curated?.package ?? null),
  };
}

function viewOf<View>(views: ReadonlyMap<string, View>, slug: Value | undefined): View | undefined {
  return typeof slug === 'string' ? views.get(slug) : undefined;
}

/** Only reviewed brands are public. */
function reviewed(brand: BrandView | undefined): BrandView | null {
  return brand?.reviewed ? brand : null;
}

function publicFamily(family: FamilyView | undefined, { brands }: CurationView): FamilyView | null {
  return family && reviewed(brands.get(family.brandSlug)) ? family : null;
}

function resolvePackage({ size_ml, size_text }: Source, curated: Row[string]): Row {
  if (typeof curated === 'string') {
    const size = JSON.parse(curated) as PackageSize;
    return {
      container_count: size.container_count,
      unit_milliliters: size.unit_milliliters,
      total_milliliters: size.total_milliliters,
      package_display: size.display,
      package_interpretation: size.interpretation,
      package_basis: size.basis,
      package_state: size.normalization_state,
    };
  }
  const isSized = size_ml !== null && size_ml > 0;
  return {
    container_count: null,
    unit_milliliters: null,
    total_milliliters: null,
    package_display: size_text,
    package_interpretation: isSized ? 'ambiguous' : 'missing',
    package_basis: 'none',
    package_state: isSized ? 'unconfirmed' : 'missing',
  };
}
