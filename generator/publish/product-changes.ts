import { isDeepStrictEqual } from 'node:util';
import type { ChangeOf, PresentationField } from '../contract/documents/change.ts';
import { displayPrice, type ObservationTimes } from '../contract/documents/observation.ts';
import type { CatalogPresence, PackageSize } from '../contract/documents/product.ts';
import { type PackageColumns, packageSizeOf } from '../database/package-columns.ts';
import type { Row, Value } from '../database/versioned-table.ts';
import { withoutBrand } from './brand-prefix.ts';
import { type Draft, recordEvent, type Subject } from './draft.ts';

export type CatalogTimes = Pick<ObservationTimes, 'retrieved_at' | 'source_updated_at'>;

/** Records the first observation of a product. It is a baseline and not a change. */
export function recordFirstObservation(draft: Draft, subject: Subject, row: Row, times: CatalogTimes): void {
  const { milliliters, display, normalization_state } = packageOf(row);
  recordEvent(draft, 'product_first_observed', subject, times, {
    current: {
      name: String(row.name),
      brand: row.brand_name as string | null,
      price: priceOf(row),
      status: statusOf(row),
      package_size: { milliliters, display, normalization_state },
    },
  });
}

/** Records every change between two versions of a product (contract.md 7). Equal values give no event. */
export function recordProductChanges(
  draft: Draft,
  subject: Subject,
  before: Row,
  after: Row,
  times: CatalogTimes,
): void {
  if (before.catalog_presence !== after.catalog_presence) {
    recordEvent(draft, 'catalog_presence_changed', subject, times, {
      previous: before.catalog_presence as CatalogPresence,
      current: after.catalog_presence as CatalogPresence,
    });
  }
  const [previousPrice, currentPrice] = [priceOf(before), priceOf(after)];
  if (!isDeepStrictEqual(previousPrice, currentPrice)) {
    recordEvent(draft, 'price_changed', subject, times, {
      previous: previousPrice,
      current: currentPrice,
      difference_minor: previousPrice && currentPrice && currentPrice.amount_minor - previousPrice.amount_minor,
    });
  }
  const [previousStatus, currentStatus] = [statusOf(before), statusOf(after)];
  if (!isDeepStrictEqual(previousStatus, currentStatus)) {
    recordEvent(draft, 'status_changed', subject, times, { previous: previousStatus, current: currentStatus });
  }
  const fields = changedFields(before, after);
  if (fields.length > 0) recordEvent(draft, 'product_presentation_changed', subject, times, { fields });
}

function changedFields(before: Row, after: Row): PresentationField[] {
  const fields = [
    { field: 'name', previous: before.name, current: after.name },
    { field: 'brand', previous: brandOf(before), current: brandOf(after) },
    { field: 'family', previous: familyOf(before), current: familyOf(after) },
    { field: 'category', previous: before.category_id, current: after.category_id },
    { field: 'package', previous: packageOf(before), current: packageOf(after) },
  ] as PresentationField[];
  return fields.filter(({ previous, current }) => !isDeepStrictEqual(previous, current));
}

function priceOf(row: Row): ChangeOf<'price_changed'>['previous'] {
  if (typeof row.price_minor !== 'number') return null;
  return { amount_minor: row.price_minor, currency: 'USD', display: displayPrice(row.price_minor) };
}

function statusOf(row: Row): ChangeOf<'status_changed'>['previous'] {
  return {
    code: String(row.status_code),
    label: String(row.status_label),
    lifecycle: row.lifecycle as ChangeOf<'status_changed'>['previous']['lifecycle'],
  };
}

function brandOf({ brand_id: id, brand_name: name }: Row) {
  return id === null ? null : { id, name };
}

function familyOf({ family_id: id, family_name: name }: Row) {
  return id === null ? null : { id, name };
}

function packageOf(row: Row): PackageSize {
  return packageSizeOf(row as PackageColumns);
}

export type BrandView = {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly reviewed: boolean;
};
export type FamilyView = { readonly id: string; readonly name: string; readonly brandSlug: string };

/** The parts of the curation in force that resolving a product needs. */
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
