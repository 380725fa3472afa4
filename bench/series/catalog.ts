import type { Curation, CurationProduct, ProductLine, StoreLine } from '../../generator/snapshot/format.ts';
import { integer, pick, type Random } from '../../test/support/random.ts';
import type { SeriesSize } from './size.ts';

type Entry = { readonly product: ProductLine; readonly curated: CurationProduct; isListed: boolean };
type Groups = Pick<Curation, 'brands' | 'families' | 'categories'>;

const beginnings = 'Bar Cal Dun El Fen Gar Hol Kes Lor Mar Nor Pel Tav Vel Wren'.split(' ');
const middles = ['', '', 'a', 'an', 'ber', 'der', 'e', 'il', 'o', 'ri'];
const endings = 'brook dale field gate hurst land mont more ridge stad ton vale wick'.split(' ');
const kinds = 'Bourbon Cabernet Chardonnay Gin Lager Liqueur Merlot Rum Rye Tequila Vodka'.split(' ');
const styles = ['Reserve', 'Barrel Select', 'Estate', 'Gold', 'Single Cask', 'Small Batch', 'Special', 'Traditional'];
const volumes = [50, 375, 750, 750, 750, 750, 1000, 1750];
const listed = {
  status_code: '1',
  status_label: 'General Distribution',
  status_raw: '1',
  lifecycle: 'active',
} as const;
const discontinued = { ...listed, status_code: 'D', status_label: 'Discontinued', lifecycle: 'discontinued' } as const;
const statuses = [listed, listed, listed, discontinued];
const hours = ['Monday - Saturday, 10:00 am to 10:00 pm', 'Monday - Friday, noon to 6:00 pm', null];

/**
 * The agency's catalog with its curation, which changes from one catalog to the next. The products whose inventory is
 * retrieved come first.
 */
export class SyntheticCatalog {
  readonly #random: Random;
  readonly #size: SeriesSize;
  readonly #groups: Groups;
  readonly #entries: Entry[] = [];

  constructor(random: Random, size: SeriesSize) {
    this.#random = random;
    this.#size = size;
    this.#groups = groupsOf(random, size.products);
    for (let index = 0; index < size.products; index += 1) this.#add();
  }

  get products(): ProductLine[] {
    return this.#entries.filter(({ isListed }) => isListed).map(({ product }) => product);
  }

  get askedSkus(): string[] {
    return this.#entries.slice(0, this.#size.asked).map(({ product }) => product.sku);
  }

  get curation(): Curation {
    return { about: null, ...this.#groups, products: this.#entries.map(({ curated }) => curated), sku_history: [] };
  }

  /** Makes the next catalog: prices, statuses and names change, and a few products appear, disappear and come back. */
  renew(): void {
    const random = this.#random;
    for (const [index, entry] of this.#entries.entries()) {
      const { product } = entry;
      const chance = random();
      if (chance < 0.14)
        product.price_minor = Math.max(99, (product.price_minor ?? 0) + integer(random, -3, 5) * 50 + 25);
      else if (chance < 0.15) product.name = `${product.name} ${pick(random, styles)}`;
      else if (index < this.#size.asked) continue;
      else if (chance < 0.16) Object.assign(product, pick(random, statuses));
      else if (chance < 0.164) entry.isListed = !entry.isListed;
    }
    for (let added = this.#size.products / 100; added > 0; added -= 1) this.#add();
  }

  #add(): void {
    const random = this.#random;
    const index = this.#entries.length;
    const sku = String(1_000 + index * 3).padStart(6, '0');
    const family = random() < 0.45 ? pick(random, this.#groups.families) : null;
    const brand = family?.brand ?? (random() < 0.6 ? pick(random, this.#groups.brands).slug : null);
    const name = `${wordsOf(brand ?? 'house')} ${pick(random, styles)} ${pick(random, kinds)}`;
    const volume = pick(random, volumes);
    const product: ProductLine = {
      sku,
      source_name: `${name.toUpperCase()} ${volume}ml`,
      name,
      size_ml: volume,
      size_text: `${volume}ml`,
      pack_count: null,
      price_minor: 499 + 50 * integer(random, 0, 140),
      price_source: 'agency_workbook',
      ...(index < this.#size.asked ? listed : pick(random, statuses)),
      category_id: pick(random, this.#groups.categories).id,
    };
    const curated: CurationProduct = {
      sku,
      brand,
      family: family?.slug ?? null,
      relationship_type: family && 'expression',
      vintage_year: null,
      age_statement: null,
      package: {
        container_count: 1,
        unit_milliliters: volume,
        total_milliliters: volume,
        display: `${volume} mL`,
        interpretation: 'single_container',
        basis: 'normalized_source_size',
        normalization_state: 'normalized',
      },
    };
    this.#entries.push({ product, curated, isListed: true });
  }
}

/** Brands, of which two thirds are reviewed and have families, and categories as a tree of three levels. */
function groupsOf(random: Random, products: number): Groups {
  const slugs = differentSlugs(random, Math.ceil(products / 10));
  const brands = slugs.map((slug, index) => ({ name: wordsOf(slug), slug, aliases: [], reviewed: index % 3 > 0 }));
  const reviewed = brands.filter((brand) => brand.reviewed);
  const families = differentSlugs(random, Math.ceil(products / 9)).map((own) => {
    const brand = pick(random, reviewed);
    return { slug: `${brand.slug}-${own}`, name: `${brand.name} ${wordsOf(own)}`, brand: brand.slug };
  });
  const categories = differentSlugs(random, 250).map((slug, index) => {
    const parent_id = index < 10 ? null : `cat_${Math.floor(index / 5)}`;
    return { id: `cat_${index}`, parent_id, name: wordsOf(slug), active: true };
  });
  return { brands, families, categories };
}

/** Different names of one or more invented words, as slugs. */
function differentSlugs(random: Random, count: number): string[] {
  const word = () => pick(random, beginnings) + pick(random, middles) + pick(random, endings);
  const found = new Set<string>();
  while (found.size < count) {
    let name = word();
    while (found.has(name)) name = `${name}-${word()}`;
    found.add(name.toLowerCase());
  }
  return [...found];
}

function wordsOf(slug: string): string {
  return slug.replace(/(^|-)(.)/g, (_, dash: string, letter: string) => (dash && ' ') + letter.toUpperCase());
}

/** The agency's store directory. */
export function storesOf(random: Random, { stores }: SeriesSize): StoreLine[] {
  const cities = differentSlugs(random, stores).map(wordsOf);
  const degrees = (first: number, last: number) => integer(random, first * 10_000, last * 10_000) / 10_000;
  return cities.map((city, index) => ({
    inventory_store_code: index === 0 ? null : String(index).padStart(4, '0'),
    directory_id: `directory-${index}`,
    name: index === 0 ? 'Head Office' : `Store ${index}, ${city}`,
    address: {
      line1: `${integer(random, 10, 990)} Main Street`,
      line2: null,
      city,
      region: 'CX',
      postal_code: String(index).padStart(5, '0'),
    },
    phone: `+1555555${String(index).padStart(4, '0')}`,
    location: { latitude: degrees(37, 42), longitude: degrees(-114, -109) },
    access_type: index === 0 ? 'licensee_only' : index % 3 === 0 ? 'package_agency' : 'consumer_state_store',
    operational_status: { state: 'open', note: null, source: 'reviewed_editorial' },
    services: index % 5 === 0 ? ['parking', 'wine_store'] : ['parking'],
    regular_hours: pick(random, hours),
    directory_presence: null,
  }));
}
