import type { Curation, CurationProduct, ProductLine } from '../generator/snapshot/format.ts';
import { integer, pick, type Random } from '../test/support/random.ts';
import { syntheticGroups } from './synthetic-groups.ts';
import type { SeriesSize } from './synthetic-size.ts';

type Entry = { product: ProductLine; curated: CurationProduct; isAsked: boolean; isListed: boolean };
type Groups = ReturnType<typeof syntheticGroups>;
type Status = Pick<ProductLine, 'status_code' | 'status_label' | 'status_raw' | 'lifecycle'>;

const kinds = [
  'Bourbon',
  'Cabernet',
  'Chardonnay',
  'Gin',
  'Lager',
  'Liqueur',
  'Merlot',
  'Rum',
  'Rye',
  'Tequila',
  'Vodka',
];
const styles = ['Reserve', 'Barrel Select', 'Estate', 'Gold', 'Single Cask', 'Small Batch', 'Special', 'Traditional'];
const sizes = [50, 375, 750, 750, 750, 750, 1000, 1750];

const listed: Status = statusOf('1', 'General Distribution', 'active');
const statuses = [listed, listed, listed, statusOf('D', 'Discontinued', 'discontinued')].concat([
  statusOf('U', 'Unavailable', 'unavailable'),
  statusOf('A', 'Allocated', 'restricted'),
]);

/** The agency's catalog with its curation, from one catalog to the next. */
export class SyntheticCatalog {
  readonly #random: Random;
  readonly #groups: Groups;
  readonly #entries: Entry[] = [];

  constructor(random: Random, size: SeriesSize) {
    this.#random = random;
    this.#groups = syntheticGroups(random, size);
    for (let index = 0; index < size.products; index += 1) this.#add(index < size.askedProducts);
  }

  get products(): ProductLine[] {
    return this.#entries.filter(({ isListed }) => isListed).map(({ product }) => product);
  }

  /** SKUs whose inventory is retrieved. They never leave the catalog. */
  get askedSkus(): string[] {
    return this.#entries.filter(({ isAsked }) => isAsked).map(({ product }) => product.sku);
  }

  get curation(): Curation {
    const products = this.#entries.map(({ curated }) => curated);
    const former = products.filter((_, index) => index % 400 === 7);
    const sku_history = former.map(({ sku }) => ({ former_sku: `9${sku.slice(1)}`, sku }));
    return { about: null, ...this.#groups, products, sku_history };
  }

  /**
   * Makes the next catalog: prices change, some products change their status or name, and a few appear, disappear and
   * come back.
   */
  renew(): void {
    const random = this.#random;
    for (const { product, isAsked } of this.#entries) {
      const chance = random();
      if (product.price_minor !== null && chance < 0.14) {
        product.price_minor = Math.max(99, product.price_minor + integer(random, -3, 5) * 50 + 25);
      } else if (chance < 0.16 && !isAsked) Object.assign(product, pick(random, statuses));
      else if (chance < 0.17) product.name = `${product.name} ${pick(random, styles)}`;
    }
    for (const entry of this.#entries) {
      if (!entry.isAsked && random() < 0.004) entry.isListed = !entry.isListed;
    }
    const added = Math.ceil(this.#entries.length * 0.01);
    for (let count = 0; count < added; count += 1) this.#add(false);
  }

  #add(isAsked: boolean): void {
    const random = this.#random;
    const sku = String(1_000 + this.#entries.length * 3).padStart(6, '0');
    if (sku.length > 6) throw new Error(`expected at most 330,000 products, as a SKU has six digits, got ${sku}`);
    const family = random() < 0.45 ? pick(random, this.#groups.families) : null;
    const brand = family?.brand ?? (random() < 0.6 ? pick(random, this.#groups.brands).slug : null);
    const brandName = this.#groups.brands.find(({ slug }) => slug === brand)?.name ?? 'House';
    const milliliters = pick(random, sizes);
    const name = `${brandName} ${pick(random, styles)} ${pick(random, kinds)}`;
    const product: ProductLine = {
      sku,
      source_name: `${name.toUpperCase()} ${milliliters}ml`,
      name,
      size_ml: milliliters,
      size_text: `${milliliters}ml`,
      pack_count: null,
      price_minor: 499 + 50 * integer(random, 0, 140) + (random() < 0.05 ? 10_000 : 0),
      price_source: 'agency_workbook',
      ...(isAsked ? listed : pick(random, statuses)),
      category_id: pick(random, this.#groups.categories).id,
    };
    this.#entries.push({
      product,
      curated: curatedOf(sku, brand, family?.slug ?? null, milliliters),
      isAsked,
      isListed: true,
    });
  }
}

function statusOf(code: string, label: string, lifecycle: ProductLine['lifecycle']): Status {
  return { status_code: code, status_label: label, status_raw: code, lifecycle };
}

function curatedOf(sku: string, brand: string | null, family: string | null, milliliters: number): CurationProduct {
  return {
    sku,
    brand,
    family,
    relationship_type: family === null ? null : 'expression',
    vintage_year: null,
    age_statement: null,
    package: {
      container_count: 1,
      unit_milliliters: milliliters,
      total_milliliters: milliliters,
      display: `${milliliters} mL`,
      interpretation: 'single_container',
      basis: 'normalized_source_size',
      normalization_state: 'normalized',
    },
  };
}
