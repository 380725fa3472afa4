import type {
  Curation,
  CurationProduct,
  InventoryLine,
  ProductLine,
  SnapshotHeader,
  StoreLine,
} from '../../generator/snapshot/format.ts';
import { type Random, seededRandom } from './random.ts';
import { failureLine, headerOf, productLine, retrievalLine, storeLine } from './snapshot-writer.ts';

export type WorldSize = {
  readonly seed: number;
  readonly products: number;
  readonly stores: number;
  readonly publications: number;
  /** Default 2. */
  readonly brands?: number;
  /** Families, spread over the brands; default 3. */
  readonly families?: number;
};

/** A snapshot that can be published after the earlier ones in its world. A null part is not in its folder. */
export type WorldSnapshot = {
  readonly header: SnapshotHeader;
  readonly products: readonly ProductLine[] | null;
  readonly stores: readonly StoreLine[] | null;
  readonly inventory: { readonly scope: readonly string[]; readonly lines: readonly InventoryLine[] } | null;
  readonly curation: Curation | null;
};

/** The `address.line1` of a store, which never changes, unlike its codes and names. */
export function storeAddress(number: number): string {
  return `${number} Wander Lane`;
}

/**
 * A series of snapshots of an invented world in which everything changes. Products leave and return, lose their price,
 * and get another status, name, size, category, brand and family. Brands become reviewed and unreviewed. Stores close,
 * vanish from the directory and change one of their codes. Retrievals fail, are left out and cover other stores than
 * before. Any part may be missing. The same size and seed give the same series.
 */
export function randomWorld({ seed, publications, ...size }: WorldSize): WorldSnapshot[] {
  const world = new World(new Dice(seed), size);
  return Array.from({ length: publications }, (_, index) => world.next(index === 0));
}

/** A seeded random generator. */
export class Dice {
  readonly next: Random;

  constructor(seed: number) {
    this.next = seededRandom(seed);
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  happens(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  shuffled<T>(values: readonly T[]): T[] {
    return values
      .map((value) => ({ value, rank: this.next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ value }) => value);
  }
}

const day = 86_400_000;
const statuses = [
  { status_code: 'G', status_label: 'General listing', status_raw: 'G - GENERAL LISTING', lifecycle: 'active' },
  { status_code: 'G', status_label: 'General listing', status_raw: 'G - general', lifecycle: 'active' },
  { status_code: 'D', status_label: 'Delisted', status_raw: 'D', lifecycle: 'discontinued' },
  { status_code: 'A', status_label: 'Allocated', status_raw: 'A', lifecycle: 'restricted' },
  { status_code: 'N', status_label: 'Not available', status_raw: 'N', lifecycle: 'unavailable' },
  { status_code: '', status_label: '', status_raw: '', lifecycle: 'unknown' },
] as const;
const sizes = [
  { size_ml: 750, size_text: '750ml' },
  { size_ml: 375, size_text: null },
  { size_ml: 0, size_text: '0' },
  { size_ml: null, size_text: null },
] as const;
const categories = ['cat_wine', 'cat_wine_red', 'cat_beer'] as const;
const curatedPackage = {
  container_count: 6,
  unit_milliliters: 355,
  total_milliliters: 2130,
  display: '6 x 355ml',
  interpretation: 'multi_container',
  basis: 'explicit_source_name_and_pack_count',
  normalization_state: 'normalized',
} as const;

type WorldStore = { readonly number: number; line: StoreLine; isPublished: boolean };
type WorldProduct = { line: ProductLine; isListed: boolean; readonly quantities: Map<number, number> };
type WorldBrand = { name: string; aliases: string[]; reviewed: boolean; isCurated: boolean };

class World {
  readonly #dice: Dice;
  readonly #products: WorldProduct[];
  readonly #stores: WorldStore[];
  readonly #brands: WorldBrand[];
  readonly #families: { readonly slug: string; name: string; readonly brand: number }[];
  readonly #curated = new Map<string, CurationProduct>();
  #catalog: readonly ProductLine[] = [];
  #now = Date.parse('2025-01-05T12:00:00Z');
  #lastCode = 0;

  constructor(dice: Dice, { products, stores, brands = 2, families = 3 }: Omit<WorldSize, 'seed' | 'publications'>) {
    this.#dice = dice;
    this.#families = Array.from({ length: families }, (_, index) => ({
      slug: `family-${index}`,
      name: `Family ${index}`,
      brand: Math.floor((index * brands) / families),
    }));
    this.#brands = Array.from({ length: brands }, (_, brand) => ({
      name: `Brand${brand}`,
      aliases: dice.happens(0.5) ? [`Brand${brand} Works`] : [],
      reviewed: dice.happens(0.6),
      isCurated: true,
    }));
    this.#products = Array.from({ length: products }, (_, index) => ({
      line: this.#moved(productLine(String(index).padStart(6, '0')) as ProductLine, 1),
      isListed: dice.happens(0.8),
      quantities: new Map(),
    }));
    this.#stores = Array.from({ length: stores }, (_, number) => ({
      number,
      line: this.#firstLine(number),
      isPublished: false,
    }));
    for (const { line } of this.#products) this.#curate(line.sku);
  }

  next(isFirst: boolean): WorldSnapshot {
    const dice = this.#dice;
    this.#now += (1 + dice.below(20)) * day + dice.below(5000);
    if (!isFirst) this.#move();
    const products = isFirst || dice.happens(0.7) ? this.#catalogNow() : null;
    const stores = isFirst || dice.happens(0.6) ? this.#directoryNow(isFirst) : null;
    const curation = isFirst || dice.happens(0.5) ? this.#curationNow() : null;
    const inventory = dice.happens(0.85) ? this.#inventoryNow() : null;
    return { header: this.#header(products !== null, stores !== null), products, stores, inventory, curation };
  }

  #header(hasProducts: boolean, hasStores: boolean): SnapshotHeader {
    const dice = this.#dice;
    const times = () => ({
      source_updated_at: dice.happens(0.5) ? instant(this.#now - 3 * day) : null,
      retrieved_at: instant(this.#now - dice.below(2 * day)),
    });
    return headerOf({
      published_at: instant(this.#now),
      catalog: hasProducts ? times() : null,
      directory: hasStores ? times() : null,
      policy: { id: 'inventory', max_age_seconds: dice.pick([86_400, 172_800, 400_000]) },
      warnings: dice.happens(0.5) ? ['FIXTURE_DATA'] : [],
    }) as SnapshotHeader;
  }

  #move(): void {
    const dice = this.#dice;
    for (const product of this.#products) {
      product.line = this.#moved(product.line, 0.2);
      if (dice.happens(product.isListed ? 0.2 : 0.5)) product.isListed = !product.isListed;
      if (dice.happens(0.3)) this.#curate(product.line.sku);
    }
    for (const [index, brand] of this.#brands.entries()) {
      if (dice.happens(0.3)) brand.reviewed = !brand.reviewed;
      if (dice.happens(0.15)) brand.name = dice.pick([`Brand${index}`, `Brand${index} House`]);
      if (dice.happens(0.15)) brand.aliases = dice.pick([[], [`Brand${index} Works`]]);
      brand.isCurated = dice.happens(0.9);
    }
    for (const family of this.#families) {
      if (dice.happens(0.1)) family.name = dice.pick([`${family.name} Reserve`, family.slug]);
    }
  }

  #moved(line: ProductLine, probability: number): ProductLine {
    const dice = this.#dice;
    const number = Number(line.sku) % this.#brands.length;
    const names = [`Brand${number} Red`, `Brand${number} Works Red`, `Brand${number}`, 'Plain Red'] as const;
    return {
      ...line,
      ...(dice.happens(probability) ? { price_minor: dice.pick([null, 0, 999, 1999]) } : {}),
      ...(dice.happens(probability) ? dice.pick(statuses) : {}),
      ...(dice.happens(probability) ? dice.pick(sizes) : {}),
      ...(dice.happens(probability) ? { name: dice.pick(names) } : {}),
      ...(dice.happens(probability) ? { category_id: dice.pick([null, ...categories]) } : {}),
      ...(dice.happens(probability) ? { price_source: dice.pick(['agency_workbook', 'agency_locator']) } : {}),
    };
  }

  #catalogNow(): ProductLine[] {
    const listed = this.#products.filter(({ isListed }) => isListed);
    this.#catalog = this.#dice.shuffled(listed.map(({ line }) => line));
    return [...this.#catalog];
  }

  #curate(sku: string): void {
    const dice = this.#dice;
    const brand = Number(sku) % this.#brands.length;
    const family = dice.pick([null, ...this.#families.filter((family) => family.brand === brand)]);
    this.#curated.set(sku, {
      sku,
      brand: dice.happens(0.8) ? `brand-${brand}` : null,
      family: family?.slug ?? null,
      relationship_type: dice.pick([null, 'expression']),
      vintage_year: dice.pick([null, 2019]),
      age_statement: null,
      package: dice.pick([null, curatedPackage]),
    });
  }

  #aboutNow(): Curation['about'] {
    const count = this.#curated.size;
    if (count % 3 === 0) return null;
    const license = count % 3 === 1 ? null : { name: 'CC0-1.0', url: null };
    const contact = 'operator@example.org';
    return {
      title: `World of ${count}`,
      agency: null,
      notice: null,
      license,
      source_url: null,
      contact,
      doi: null,
      spatial_coverage: null,
    };
  }

  #curationNow(): Curation {
    const dice = this.#dice;
    const isGone = (slug: string | null) =>
      this.#brands.some((brand, index) => !brand.isCurated && slug === `brand-${index}`);
    const families = this.#families
      .map(({ slug, name, brand }) => ({ slug, name, brand: `brand-${brand}` }))
      .filter(({ brand }) => !isGone(brand));
    const kept = new Set(families.map(({ slug }) => slug));
    const products = [...this.#curated.values()].filter(() => dice.happens(0.95));
    return {
      about: this.#aboutNow(),
      categories: categories.map((id) => ({
        id,
        parent_id: id === 'cat_wine_red' ? 'cat_wine' : null,
        name: id,
        active: dice.happens(0.8),
      })),
      brands: this.#brands
        .map(({ name, aliases, reviewed }, index) => ({ slug: `brand-${index}`, name, aliases, reviewed }))
        .filter(({ slug }) => !isGone(slug)),
      families,
      products: products.map((product) => ({
        ...product,
        brand: isGone(product.brand) ? null : product.brand,
        family: product.family !== null && kept.has(product.family) ? product.family : null,
      })),
      sku_history: dice.happens(0.5) ? [{ former_sku: '900001', sku: '000000' }] : [],
    };
  }

  #freshCode(): string {
    this.#lastCode += 1;
    return String(this.#lastCode).padStart(4, '0');
  }

  #firstLine(number: number): StoreLine {
    const [code, id] = this.#dice.pick([
      [true, true],
      [true, false],
      [false, true],
    ]);
    const line = storeLine(code ? this.#freshCode() : null, {
      directory_id: id ? `d-${this.#freshCode()}` : null,
      name: `Store ${number}`,
      address: { line1: storeAddress(number), line2: null, city: 'Tarn', region: 'CX', postal_code: '00210' },
    });
    return line as StoreLine;
  }

  #directoryNow(isFirst: boolean): StoreLine[] {
    const there = this.#stores.filter(() => this.#dice.happens(0.85));
    for (const store of there) {
      store.line = this.#movedStore(store.line, isFirst ? 1 : 0.25);
      if (store.isPublished) store.line = this.#renumbered(store.line);
      store.isPublished = true;
    }
    return this.#dice.shuffled(there.map(({ line }) => line));
  }

  #movedStore(line: StoreLine, probability: number): StoreLine {
    const dice = this.#dice;
    const state = dice.pick(['open', 'open', 'temporarily_closed', 'permanently_closed', 'unknown'] as const);
    const presence = dice.pick([null, 'present', 'retirement_review_required', 'reviewed_retired'] as const);
    return {
      ...line,
      ...(dice.happens(probability) ? { operational_status: { ...line.operational_status, state } } : {}),
      ...(dice.happens(probability)
        ? { access_type: dice.pick(['consumer_state_store', 'package_agency', 'licensee_only', 'unknown']) }
        : {}),
      ...(dice.happens(probability)
        ? { directory_presence: presence && { state: presence, last_seen_at: '2024-12-31T00:00:00Z' } }
        : {}),
    };
  }

  /** One of the store's two codes can change, but never both, because the other one identifies the store. */
  #renumbered(line: StoreLine): StoreLine {
    const dice = this.#dice;
    if (line.directory_id !== null && dice.happens(0.15)) {
      return { ...line, inventory_store_code: dice.happens(0.7) ? this.#freshCode() : null };
    }
    if (line.inventory_store_code !== null && dice.happens(0.15)) {
      return { ...line, directory_id: dice.happens(0.7) ? `d-${this.#freshCode()}` : null };
    }
    return line;
  }

  #inventoryNow(): NonNullable<WorldSnapshot['inventory']> {
    const dice = this.#dice;
    const scope = this.#stores.filter(
      ({ line, isPublished }) => isPublished && line.inventory_store_code !== null && dice.happens(0.8),
    );
    const asked = this.#catalog.filter(() => dice.happens(0.8));
    return {
      scope: scope.map(({ line }) => String(line.inventory_store_code)),
      lines: dice.shuffled(asked.map(({ sku }) => this.#lineNow(sku, scope))),
    };
  }

  #lineNow(sku: string, scope: readonly WorldStore[]): InventoryLine {
    const dice = this.#dice;
    // Several times are in the same second, some of them with a fraction.
    const before = this.#now - (dice.happens(0.4) ? day : dice.below(5 * day));
    const at = instant(Math.floor(before / 1000) * 1000 + dice.pick([0, 0, 250, 500]));
    if (dice.happens(0.2)) return failureLine(sku, at) as InventoryLine;
    const quantities = this.#products[Number(sku)]?.quantities ?? new Map<number, number>();
    for (const { number } of scope) {
      if (quantities.has(number) && !dice.happens(0.4)) continue;
      const quantity = dice.pick([null, 0, 1, 2, 12]);
      if (quantity === null) quantities.delete(number);
      else quantities.set(number, quantity);
    }
    const rows = scope.flatMap(({ line, number }): [string, number][] => {
      const quantity = quantities.get(number);
      return quantity === undefined ? [] : [[String(line.inventory_store_code), quantity]];
    });
    const source_updated_at = dice.happens(0.3) ? instant(this.#now - 4 * day) : null;
    return retrievalLine(sku, at, dice.shuffled(rows), { source_updated_at }) as unknown as InventoryLine;
  }
}

/** A time as UTC text, with a fraction only if there is one. */
function instant(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?0*Z$/, 'Z');
}

/**
 * The same series with short retention, so that events and attempts expire, a fifth of the catalogs, and fewer
 * attempts.
 */
export function thinned(snapshots: readonly WorldSnapshot[]): WorldSnapshot[] {
  let listed = new Set<string>();
  return snapshots.map(({ header, inventory, products, ...parts }, index) => {
    const hasCatalog = index % 5 === 0 && products !== null;
    if (hasCatalog) listed = new Set(products.map(({ sku }) => sku));
    const isAsked = (sku: string) => listed.has(sku) && (Number(sku) + index) % 3 === 0;
    return {
      ...parts,
      header: {
        ...header,
        catalog: hasCatalog ? header.catalog : null,
        retention: { history_days: 40, publication_days: 30 },
      },
      products: hasCatalog ? products : null,
      inventory: inventory && { ...inventory, lines: inventory.lines.filter(({ sku }) => isAsked(sku)) },
    };
  });
}
