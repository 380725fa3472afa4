import type { Brand as BrandData, BrandDetail, BrandIndex } from '../contract/documents/brand.ts';
import { fold } from '../contract/folding.ts';
import { pathOf } from '../contract/paths.ts';
import type { Brand, Catalog, Family } from '../model/catalog.ts';
import type { State } from '../model/state.ts';
import { changing, type Document, newestOf, warningList } from './document.ts';
import { categoryIdsOf } from './product.ts';

/** `/brands/{id}` and `/brands/by-slug/{slug}` of every reviewed brand, represented or not. */
export function* brandDocuments(state: State, catalog: Catalog): Generator<Document> {
  const families = groupFamilies(catalog);
  const meta = { warnings: warningList(state.publication.warnings) };
  for (const brand of catalog.brands) {
    const own = families.get(brand.id) ?? [];
    const data: BrandDetail = {
      ...brandRow(catalog, brand, own.length),
      aliases: [...brand.aliases],
      families: own.map(({ id, slug, name, members }) => ({ id, slug, name, member_count: members.length })),
    };
    const bySlug = pathOf('brand_by_slug', { slug: brand.slug });
    yield changing(pathOf('brand', { brand_id: brand.id }), { data, meta }, [bySlug]);
  }
}

/** The rows of `/brands`: reviewed brands with a listed product, by name. */
export function brandRows(catalog: Catalog): BrandData[] {
  const families = groupFamilies(catalog);
  return catalog.representedBrands.map((brand) => brandRow(catalog, brand, families.get(brand.id)?.length ?? 0));
}

function groupFamilies({ families }: Catalog): Map<string, Family[]> {
  const grouped = new Map<string, Family[]>();
  for (const family of families) grouped.set(family.brand.id, [...(grouped.get(family.brand.id) ?? []), family]);
  return grouped;
}

function brandRow(catalog: Catalog, brand: Brand, familyCount: number): BrandData {
  const products = catalog.listedOf(brand);
  return {
    id: brand.id,
    slug: brand.slug,
    name: brand.name,
    product_count: products.length,
    family_count: familyCount,
    category_ids: categoryIdsOf(products),
    inventory_retrieved_at: newestOf(products.map(({ success }) => success?.retrievedAt ?? null)),
  };
}

/** `/brands/index.json`: the rows of `/brands` in their order, each with its distinct folded names. */
export function brandIndexDocument(state: State, catalog: Catalog): Document {
  const aliases = new Map(catalog.brands.map((brand) => [brand.id, brand.aliases]));
  const value: BrandIndex = {
    warnings: warningList(state.publication.warnings),
    brands: brandRows(catalog).map((brand) => ({
      brand,
      names: [...new Set([brand.name, brand.slug, ...(aliases.get(brand.id) ?? [])].map(fold))],
    })),
  };
  return changing(pathOf('brand_index'), value);
}
