import type { Curation, CurationCategory } from '../generator/snapshot/format.ts';
import { pick, type Random } from '../test/support/random.ts';
import { NameSource } from './synthetic-names.ts';
import type { SeriesSize } from './synthetic-size.ts';

/**
 * The brands, families and categories of products. Families belong to reviewed brands; categories are a tree of three
 * levels.
 */
export function syntheticGroups(
  random: Random,
  { brands, reviewedBrands, families, categories }: SeriesSize,
): Pick<Curation, 'brands' | 'families' | 'categories'> {
  const names = new NameSource(random);
  const allBrands = Array.from({ length: brands }, (_, index) => ({
    ...names.next(),
    aliases: [],
    reviewed: index < reviewedBrands,
  }));
  const reviewed = allBrands.slice(0, reviewedBrands);
  const allFamilies = Array.from({ length: families }, () => {
    const brand = pick(random, reviewed);
    const own = names.next();
    return { slug: `${brand.slug}-${own.slug}`, name: `${brand.name} ${own.name}`, brand: brand.slug };
  });
  return { brands: allBrands, families: allFamilies, categories: categoryTree(categories, names) };
}

const branching = 5;

/**
 * Numbers categories like a heap: the first few are roots, and the number of any other category's parent is a fifth of
 * its own.
 */
function categoryTree(count: number, names: NameSource): CurationCategory[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `cat_${index}`,
    parent_id: index < 2 * branching ? null : `cat_${Math.floor(index / branching)}`,
    name: names.next().name,
    active: index % 60 !== 59,
  }));
}
