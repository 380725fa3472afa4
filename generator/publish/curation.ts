import type { Connection } from '../database/connection.ts';
import { type Row, VersionedTable } from '../database/versioned-table.ts';
import { type Draft, entityId } from './draft.ts';
import type { BrandView, CurationView, FamilyView } from './product-changes.ts';
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
    ['former_sku', ['former_sku', 'sku'], curation.sku_history.map(({ former_sku, sku }) => ({ former_sku, sku }))],
  ];
}

/** The curation in force, after {@link applyCuration}. */
export function curationInForce(connection: Connection): CurationView {
  const open = (table: string, key: string) => new VersionedTable(connection, table, [key]).allOpen();
  const products = new VersionedTable(connection, 'curated_product', ['sku']);
  return {
    brands: new Map(open('brand_version', 'slug').map((row) => [String(row.slug), brandView(row)])),
    families: new Map(open('family_version', 'slug').map((row) => [String(row.slug), familyView(row)])),
    categories: categoriesInForce(connection),
    product: (sku) => products.open({ sku }),
  };
}

export function categoriesInForce(connection: Connection): ReadonlySet<string> {
  return new Set(new VersionedTable(connection, 'category_version', ['id']).allOpen().map(({ id }) => String(id)));
}

function brandView(row: Row): BrandView {
  return {
    id: String(row.id),
    name: String(row.name),
    aliases: JSON.parse(String(row.aliases)),
    reviewed: row.reviewed === 1,
  };
}

function familyView(row: Row): FamilyView {
  return { id: String(row.id), name: String(row.name), brandSlug: String(row.brand_slug) };
}
