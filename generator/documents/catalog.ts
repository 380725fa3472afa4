import type { RowOf } from '../database/schema.ts';
import type { Product } from './product.ts';
import type { State } from './state.ts';

export type Brand = ReturnType<typeof brandFrom>;

/** Only families with a reviewed brand and a listed member are public. `members` are in the contract's order. */
export type Family = ReturnType<typeof publicFamilies>[number];

export type Catalog = ReturnType<typeof readCatalog>;

export function readCatalog({ products, reader }: State) {
  const listed = sortByName(products.filter(({ catalog_presence }) => catalog_presence === 'listed'));
  const reviewed = reader.brands().filter((row) => row.reviewed === 1);
  const brandBySlug = new Map(reviewed.map((row) => [row.slug, brandFrom(row)]));
  const brands = sortByName([...brandBySlug.values()]);
  const listedByBrand = Map.groupBy(listed, ({ brand_id }) => brand_id);
  return {
    /** All products by id, including absent ones. */
    products,
    /** The listed products, by name. */
    listed,
    brands,
    /** `/brands` lists only these. */
    representedBrands: brands.filter(({ id }) => listedByBrand.has(id)),
    families: sortByName(publicFamilies(reader.families(), brandBySlug, listed)),
    categories: reader.categories().map(categoryFrom),
    listedOf: ({ id }: Brand): readonly Product[] => listedByBrand.get(id) ?? [],
  };
}

function brandFrom({ id, slug, name, aliases }: RowOf<'brand_version'>) {
  return { id, slug, name, aliases: JSON.parse(aliases) as string[] };
}

function categoryFrom({ id, parent_id, name, active }: RowOf<'category_version'>) {
  return { id, parent_id, name, active: active === 1 };
}

function publicFamilies(
  rows: readonly RowOf<'family_version'>[],
  brands: ReadonlyMap<string, Brand>,
  listed: readonly Product[],
) {
  const members = Map.groupBy(listed, ({ family_id }) => family_id);
  return rows.flatMap(({ id, slug, name, brand_slug }) => {
    const brand = brands.get(brand_slug);
    const products = members.get(id);
    return brand && products ? [{ id, slug, name, brand, members: products.toSorted(compareMembers) }] : [];
  });
}

/** Orders the members of a family by name, then milliliters (null last), then SKU. */
function compareMembers(a: Product, b: Product): number {
  const size = ({ package_size }: Product) => package_size.milliliters ?? Number.MAX_SAFE_INTEGER;
  return Buffer.compare(nameKey(a.name), nameKey(b.name)) || size(a) - size(b) || (a.sku < b.sku ? -1 : 1);
}

/**
 * Names are ordered by Unicode code point (contract.md 3). UTF-8 bytes have that order, and UTF-16 units do not. The
 * key is the lower-cased NFC form.
 */
function nameKey(name: string): Buffer {
  return Buffer.from(name.normalize('NFC').toLowerCase());
}

/** Sorts by name, then id. Computes the key of each row once. */
export function sortByName<Row extends { readonly id: string; readonly name: string }>(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: nameKey(row.name) }))
    .sort((a, b) => Buffer.compare(a.key, b.key) || (a.row.id < b.row.id ? -1 : 1))
    .map(({ row }) => row);
}
