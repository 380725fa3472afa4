import type { PackageSize } from '../../contract/schemas/product.ts';
import type { Connection } from '../database/connection.ts';
import type { PackageColumns } from '../database/product-state.ts';
import { aboutVersion } from '../database/publications.ts';
import type { RowOf } from '../database/schema.ts';
import { type VersionOf, versionedTable } from '../database/table-writers.ts';
import type { Curation } from '../snapshot/format.ts';
import { entityId, type NextPublication } from './next-publication.ts';

/** The tables of the curation. Each of them is replaced as a whole. */
const openTables = (connection: Connection) => ({
  about: versionedTable(connection, 'about_version', []),
  categories: versionedTable(connection, 'category_version', ['id']),
  brands: versionedTable(connection, 'brand_version', ['slug']),
  families: versionedTable(connection, 'family_version', ['slug']),
  products: versionedTable(connection, 'curated_product', ['sku']),
  formerSkus: versionedTable(connection, 'former_sku', ['former_sku', 'sku']),
});

export function applyCuration({ connection, sequence, databaseId }: NextPublication, curation: Curation | null): void {
  if (curation === null) return;
  const { about, categories, brands, families, products, formerSkus } = openTables(connection);
  about.replaceAll(sequence, curation.about === null ? [] : [aboutVersion(curation.about)]);
  categories.replaceAll(
    sequence,
    curation.categories.map((category) => ({ ...category, active: Number(category.active) })),
  );
  brands.replaceAll(
    sequence,
    curation.brands.map(({ slug, name, aliases, reviewed }) => ({
      slug,
      id: entityId(databaseId, 'brand', slug),
      name,
      aliases: JSON.stringify(aliases),
      reviewed: Number(reviewed),
    })),
  );
  families.replaceAll(
    sequence,
    curation.families.map(({ slug, name, brand }) => ({
      slug,
      id: entityId(databaseId, 'family', slug),
      name,
      brand_slug: brand,
    })),
  );
  products.replaceAll(
    sequence,
    curation.products.map(({ brand, family, package: size, ...rest }) => ({
      ...rest,
      brand_slug: brand,
      family_slug: family,
      package: size && JSON.stringify(size),
    })),
  );
  formerSkus.replaceAll(sequence, curation.sku_history);
}

export function curationInForce(connection: Connection) {
  const { brands, families, products } = openTables(connection);
  return {
    brands: new Map(brands.allOpen().map((row) => [row.slug, brandView(row)])),
    families: new Map(families.allOpen().map((row) => [row.slug, row])),
    categories: categoriesInForce(connection),
    products: new Map(products.allOpen().map((row) => [row.sku, row])),
  };
}

export function categoriesInForce(connection: Connection): ReadonlySet<string> {
  const { categories } = openTables(connection);
  return new Set(categories.allOpen().map(({ id }) => id));
}

/** `foldedNames`: the name and the aliases, each as words folded for comparison. */
function brandView({ id, name, aliases, reviewed }: RowOf<'brand_version'>) {
  const names: readonly string[] = [name, ...JSON.parse(aliases)];
  const foldedNames = names.map((one) =>
    splitWords(one)
      .map(foldWord)
      .filter((word) => word !== ''),
  );
  return { id, name, foldedNames, isReviewed: reviewed === 1 };
}

type BrandView = ReturnType<typeof brandView>;

/** The curation in force, to look up by slug, id and SKU. */
export type CurationView = ReturnType<typeof curationInForce>;

type Version = VersionOf<'product_version'>;

type Source = Pick<Version, 'source_title' | 'size_ml' | 'size_text' | 'size_of' | 'pack_count'> & {
  readonly sku: string;
};

type PackageChoice = Omit<PackageColumns, 'size_ml'>;

/** The columns of product_version that the curation in force decides. */
export function resolvePresentation(source: Source, curation: CurationView) {
  const curated = curation.products.get(source.sku);
  const brand = reviewedBrand(curated?.brand_slug, curation);
  const family = publicFamily(curated?.family_slug, curation);
  return {
    name: brand ? withoutBrand(source.source_title, brand) : source.source_title,
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

/** The brand with a slug if it is reviewed, because only reviewed brands are public; otherwise null. */
function reviewedBrand(slug: string | null | undefined, { brands }: CurationView): BrandView | null {
  const brand = brands.get(slug ?? '');
  return brand?.isReviewed ? brand : null;
}

function publicFamily(slug: string | null | undefined, curation: CurationView): RowOf<'family_version'> | null {
  const family = curation.families.get(slug ?? '');
  return family && reviewedBrand(family.brand_slug, curation) ? family : null;
}

function resolvePackage(source: Source, curated: string | null): PackageChoice {
  const { size_ml, size_text } = source;
  if (curated === null) {
    const stated = statedPackage(source);
    if (stated !== null) return stated;
    const isSized = size_ml !== null && size_ml > 0;
    return {
      container_count: null,
      unit_milliliters: null,
      total_milliliters: null,
      package_display: isBare(size_text) && isSized ? `${round1(size_ml)} mL` : size_text,
      package_interpretation: isSized ? 'ambiguous' : 'missing',
      package_basis: 'none',
      normalization_state: isSized ? 'unconfirmed' : 'missing',
    };
  }
  const size: Omit<PackageSize, 'milliliters'> = JSON.parse(curated);
  return {
    container_count: size.container_count,
    unit_milliliters: size.unit_milliliters,
    total_milliliters: size.total_milliliters,
    package_display: size.display,
    package_interpretation: size.interpretation,
    package_basis: size.basis,
    normalization_state: size.normalization_state,
  };
}

/**
 * The size of a package in whole milliliters. Null if the agency does not say what the size measures, or how many
 * containers it sells.
 */
function statedPackage({ size_ml, size_text, size_of, pack_count }: Source): PackageChoice | null {
  if (size_of === null || !size_ml || !pack_count) return null;
  const [unit, total] = size_of === 'container' ? [size_ml, size_ml * pack_count] : [size_ml / pack_count, size_ml];
  const isSingle = pack_count === 1;
  return {
    container_count: pack_count,
    unit_milliliters: Math.round(unit),
    total_milliliters: Math.round(total),
    package_display:
      isSingle && size_text !== null ? size_text : `${isSingle ? '' : `${pack_count} x `}${round1(unit)} mL`,
    package_interpretation: isSingle ? 'single_container' : 'multi_container',
    package_basis: isSingle ? 'normalized_source_size' : 'explicit_source_name_and_pack_count',
    normalization_state: 'normalized',
  };
}

/** Whether a text is missing, or is a number without a unit, which tells readers nothing. */
function isBare(text: string | null): boolean {
  return text === null || /^[\d.,\s]+$/.test(text);
}

function round1(volume: number): number {
  return Math.round(volume * 10) / 10;
}

/** Removes the longest brand name at the beginning, in whole words, unless nothing would be left (contract.md 2). */
function withoutBrand(name: string, { foldedNames }: BrandView): string {
  const words = splitWords(name);
  const longest = Math.max(...foldedNames.map(({ length }) => length));
  const folded = words.slice(0, longest).map(foldWord);
  const leading = foldedNames
    .filter((brand) => brand.length > 0 && brand.every((word, index) => folded[index] === word))
    .map(({ length }) => length);
  const removed = Math.max(0, ...leading);
  return removed === 0 || removed === words.length ? name : words.slice(removed).join(' ');
}

function splitWords(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** Folds a word to compare brands: drops case, accents, apostrophes and trailing punctuation. */
function foldWord(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\p{M}'’‘ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[,;:.]+$/, '');
}
