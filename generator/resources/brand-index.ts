import type { BrandIndex } from '../contract/brand.ts';
import { fold } from '../contract/folding.ts';
import { pathOf } from '../contract/paths.ts';
import type { Catalog } from '../model/catalog.ts';
import type { State } from '../model/state.ts';
import { brandRows } from './brand.ts';
import { changing, type Document, warningList } from './document.ts';

/** `/brands/index.json`: the rows of `/brands` in their order, each with the folded names it answers to, each once. */
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
