import { formatPath } from '../../contract/paths.ts';
import type { BrandDetail, BrandIndex, Brand as BrandRow } from '../../contract/schemas/brand.ts';
import { fold } from '../../contract/text.ts';
import type { Brand, Catalog } from './catalog.ts';
import { answer, changing, type Document, newestTime, warningList } from './document.ts';
import { categoryIds } from './product.ts';
import type { State } from './state.ts';

/** `/brands/{id}` and `/brands/by-slug/{slug}` of every reviewed brand, even without listed products. */
export function* brandDocuments(state: State, catalog: Catalog): Generator<Document> {
  const families = Map.groupBy(catalog.families, (family) => family.brand.id);
  for (const brand of catalog.brands) {
    const familiesOfBrand = families.get(brand.id) ?? [];
    const data: BrandDetail = {
      ...brandRow(catalog, brand, familiesOfBrand.length),
      aliases: brand.aliases,
      families: familiesOfBrand.map(({ id, slug, name, members }) => ({
        id,
        slug,
        name,
        member_count: members.length,
      })),
    };
    const bySlug = formatPath('brand_by_slug', { slug: brand.slug });
    yield answer(formatPath('brand', { brand_id: brand.id }), data, state.publication.warnings, [bySlug]);
  }
}

/** The rows of `/brands`: reviewed brands with a listed product, by name. */
export function brandRows(catalog: Catalog): BrandRow[] {
  const families = Map.groupBy(catalog.families, (family) => family.brand.id);
  return catalog.representedBrands.map((brand) => brandRow(catalog, brand, families.get(brand.id)?.length ?? 0));
}

function brandRow(catalog: Catalog, brand: Brand, familyCount: number): BrandRow {
  const { id, slug, name } = brand;
  const products = catalog.listedOf(brand);
  return {
    id,
    slug,
    name,
    product_count: products.length,
    family_count: familyCount,
    category_ids: categoryIds(products),
    inventory_retrieved_at: newestTime(products.map(({ inventory_retrieved_at }) => inventory_retrieved_at)),
  };
}

/** `/brands/index.json`: the rows of `/brands` in the same order, each with its distinct folded names. */
export function brandIndexDocument(state: State, catalog: Catalog): Document {
  const aliases = new Map(catalog.brands.map((brand) => [brand.id, brand.aliases]));
  const value: BrandIndex = {
    warnings: warningList(state.publication.warnings),
    brands: brandRows(catalog).map((brand) => ({
      brand,
      names: [...new Set([brand.name, brand.slug, ...(aliases.get(brand.id) ?? [])].map(fold))],
    })),
  };
  return changing(formatPath('brand_index'), value);
}
