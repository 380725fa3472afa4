import type { PackageSize } from '../contract/documents/product.ts';
import { aboutRow } from '../database/about.ts';
import type { Value } from '../database/block-insert.ts';
import type { Connection } from '../database/connection.ts';
import type { PackageColumns } from '../database/product-state.ts';
import { type Row, VersionedTable } from '../database/versioned-table.ts';
import { type Draft, entityId } from './draft.ts';
import type { Curation } from './snapshot/format.ts';

/** Puts the snapshot's curation in force, if it has one. */
export function applyCuration({ connection, sequence, databaseId }: Draft, curation: Curation | null): void {
  if (curation === null) return;
  for (const [table, key, rows] of versionsOf(curation, databaseId)) {
    new VersionedTable(connection, table, key).replaceAll(sequence, rows);
  }
}

function versionsOf(curation: Curation, database: string): [table: string, key: string[], rows: Row[]][] {
  return [
    ['about_version', [], curation.about === null ? [] : [aboutRow(curation.about)]],
    [
      'category_version',
      ['id'],
      curation.categories.map((category) => ({ ...category, active: Number(category.active) })),
    ],
    [
      'brand_version',
      ['slug'],
      curation.brands.map(({ slug, name, aliases, reviewed }) => ({
        slug,
        id: entityId(database, 'brand', slug),
        name,
        aliases: JSON.stringify(aliases),
        reviewed: Number(reviewed),
      })),
    ],
    [
      'family_version',
      ['slug'],
      curation.families.map(({ slug, name, brand }) => ({
        slug,
        id: entityId(database, 'family', slug),
        name,
        brand_slug: brand,
      })),
    ],
    [
      'curated_product',
      ['sku'],
      curation.products.map(({ sku, brand, family, package: size, ...rest }) => ({
        sku,
        brand_slug: brand,
        family_slug: family,
        ...rest,
        package: size && JSON.stringify(size),
      })),
    ],
    ['former_sku', ['former_sku', 'sku'], curation.sku_history],
  ];
}

/** The curation in force, after {@link applyCuration}. */
export function curationInForce(connection: Connection): CurationView {
  const open = (table: string, key: string) => new VersionedTable(connection, table, [key]).allOpen();
  const products = new Map(open('curated_product', 'sku').map((row) => [String(row.sku), row]));
  return {
    brands: new Map(open('brand_version', 'slug').map((row) => [String(row.slug), brandView(row)])),
    families: new Map(open('family_version', 'slug').map((row) => [String(row.slug), familyView(row)])),
    categories: categoriesInForce(connection),
    products,
    packages: new Map(),
  };
}

export function categoriesInForce(connection: Connection): ReadonlySet<string> {
  return new Set(new VersionedTable(connection, 'category_version', ['id']).allOpen().map(({ id }) => String(id)));
}

function brandView(row: Row): BrandView {
  const name = String(row.name);
  const names = [name, ...(JSON.parse(String(row.aliases)) as string[])];
  return {
    id: String(row.id),
    name,
    foldedNames: names.map((name) =>
      wordsOf(name)
        .map(foldWord)
        .filter((word) => word !== ''),
    ),
    reviewed: row.reviewed === 1,
  };
}

function familyView(row: Row): FamilyView {
  return { id: String(row.id), name: String(row.name), brandSlug: String(row.brand_slug) };
}

type BrandView = {
  readonly id: string;
  readonly name: string;
  /** The name and the aliases, each as words in the form in which they are compared. */
  readonly foldedNames: readonly (readonly string[])[];
  readonly reviewed: boolean;
};
type FamilyView = { readonly id: string; readonly name: string; readonly brandSlug: string };

/** The parts of the curation in force that resolving a product needs. */
export type CurationView = {
  readonly brands: ReadonlyMap<string, BrandView>;
  readonly families: ReadonlyMap<string, FamilyView>;
  readonly categories: ReadonlySet<string>;
  /** The curated_product rows, by SKU. */
  readonly products: ReadonlyMap<string, Row>;
  /** Curated packages that were read, by their JSON. */
  readonly packages: Map<string, PackageChoice>;
};

type Source = {
  readonly sku: string;
  readonly source_title: string;
  readonly size_ml: number | null;
  readonly size_text: string | null;
};

/** The columns of product_version that the curation decides. */
export type Presentation = {
  readonly [column in
    | 'name'
    | 'brand_id'
    | 'brand_name'
    | 'family_id'
    | 'family_name'
    | 'relationship_type'
    | 'vintage_year'
    | 'age_statement'
    | keyof PackageChoice]: Value;
};

type PackageChoice = Omit<PackageColumns, 'size_ml'>;

/** What the curation in force makes of a product. */
export function resolvePresentation(source: Source, curation: CurationView): Presentation {
  const curated = curation.products.get(source.sku);
  const brand = reviewed(viewOf(curation.brands, curated?.brand_slug));
  const family = publicFamily(viewOf(curation.families, curated?.family_slug), curation);
  const size = resolvePackage(source, curated?.package ?? null, curation.packages);
  return {
    name: brand ? withoutBrand(source.source_title, brand) : source.source_title,
    brand_id: brand?.id ?? null,
    brand_name: brand?.name ?? null,
    family_id: family?.id ?? null,
    family_name: family?.name ?? null,
    relationship_type: curated?.relationship_type ?? null,
    vintage_year: curated?.vintage_year ?? null,
    age_statement: curated?.age_statement ?? null,
    container_count: size.container_count,
    unit_milliliters: size.unit_milliliters,
    total_milliliters: size.total_milliliters,
    package_display: size.package_display,
    package_interpretation: size.package_interpretation,
    package_basis: size.package_basis,
    package_state: size.package_state,
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

/** `packages`: what was read of a curated package, by its JSON, which many products share. */
function resolvePackage(
  { size_ml, size_text }: Source,
  curated: Value,
  packages: Map<string, PackageChoice>,
): PackageChoice {
  if (typeof curated === 'string') {
    const known = packages.get(curated) ?? packageOf(JSON.parse(curated));
    packages.set(curated, known);
    return known;
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

function packageOf(size: PackageSize): PackageChoice {
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

/**
 * A product's name without its brand. Removes the longest of the brand's names that the product's name begins with in
 * whole words. Keeps the name as it is if nothing would be left (contract.md 2).
 */
function withoutBrand(name: string, { foldedNames }: BrandView): string {
  const words = wordsOf(name);
  const longest = Math.max(...foldedNames.map(({ length }) => length));
  const folded = words.slice(0, longest).map(foldWord);
  const leading = foldedNames
    .filter((brand) => brand.length > 0 && brand.every((word, index) => folded[index] === word))
    .map(({ length }) => length);
  const removed = Math.max(0, ...leading);
  return removed === 0 || removed === words.length ? name : words.slice(removed).join(' ');
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** A word in the form in which brands are compared: without case, accents, apostrophes and trailing punctuation. */
function foldWord(word: string): string {
  return word
    .normalize('NFD')
    .replace(/[\p{M}'’‘ʼ`´]/gu, '')
    .toLowerCase()
    .replace(/[,;:.]+$/, '');
}
