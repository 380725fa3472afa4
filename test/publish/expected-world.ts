import type { Curation, InventoryLine, ProductLine, StoreLine } from '../../generator/snapshot/format.ts';
import type { WorldSnapshot } from '../support/random-world.ts';

/*
 * Computes the expected result of a series of snapshots in another way than publishing: everything is held in plain
 * objects, and each publication is compared with the one before as a whole. Brands and families are identified by their
 * slugs, products by their SKUs, stores by the first line of their address.
 */

export type ExpectedEvent = {
  readonly type: string;
  readonly product: { readonly sku: string; readonly name: string; readonly brand: string | null };
  readonly store: { readonly address: string; readonly code: string | null } | null;
  readonly retrieved_at: string;
  readonly source_updated_at: string | null;
  readonly change: unknown;
};

type Times = {
  readonly source_updated_at: string | null;
  readonly retrieved_at: string;
  readonly published_at: string;
};
type Retrieval = { readonly retrieved_at: string; readonly source_updated_at: string | null };

export type ExpectedState = ReturnType<ExpectedWorld['describe']>;
type ExpectedProduct = ExpectedState['products'][string];

/** The state of a product, without what the curation adds. `rows`: null where a covered pair had no row. */
type Memory = {
  firstObservedAt: string;
  line: ProductLine;
  catalog: Times;
  isListed: boolean;
  prices: number[];
  attempt: { readonly attempted_at: string; readonly status: string } | null;
  success: Retrieval | null;
  lastPositiveAt: string | null;
  rows: Map<string, { quantity: number | null; retrievedAt: string }>;
  everReported: Set<string>;
};

type StoreMemory = { line: StoreLine; times: Times; presence: StoreLine['directory_presence']; isMissing: boolean };

const known = ['FIXTURE_DATA', 'INVENTORY_COVERAGE_PARTIAL', 'SOURCE_REFRESH_DELAYED', 'UPSTREAM_PRODUCT_UNAVAILABLE'];

export class ExpectedWorld {
  readonly #products = new Map<string, Memory>();
  readonly #stores = new Map<string, StoreMemory>();
  #curation: Curation | null = null;
  #catalogRetrievedAt = '';
  #directoryRetrievedAt = '';
  state: ExpectedState | null = null;

  /** Publishes a snapshot. Returns the expected events, in no particular order. */
  publish(snapshot: WorldSnapshot): ExpectedEvent[] {
    const before = this.state;
    const hadRows = new Map([...this.#products].map(([sku, { everReported }]) => [sku, new Set(everReported)]));
    if (snapshot.curation) this.#curation = snapshot.curation;
    if (snapshot.stores) this.#directory(snapshot, snapshot.stores);
    if (snapshot.products) this.#catalog(snapshot, snapshot.products);
    for (const line of snapshot.inventory?.lines ?? []) this.#retrieval(line, snapshot.inventory?.scope ?? []);
    const after = this.describe(snapshot);
    this.state = after;
    return Object.entries(after.products).flatMap(([sku, product]) => {
      const asked = snapshot.inventory?.lines.find((line) => line.sku === sku) ?? null;
      const versions = [before?.products[sku] ?? null, product] as const;
      return this.#eventsOf(snapshot, sku, versions, asked, hadRows.get(sku) ?? new Set());
    });
  }

  #directory({ header }: WorldSnapshot, lines: readonly StoreLine[]): void {
    const times = timesOf(header.directory, header.published_at);
    for (const [address, store] of this.#stores) {
      if (store.isMissing || lines.some((line) => line.address.line1 === address)) continue;
      store.isMissing = true;
      const isRetired = store.presence?.state === 'reviewed_retired';
      store.presence = {
        state: isRetired ? 'reviewed_retired' : 'suspect_missing',
        last_seen_at: this.#directoryRetrievedAt,
      };
    }
    for (const line of lines) {
      this.#stores.set(line.address.line1, { line, times, presence: line.directory_presence, isMissing: false });
    }
    this.#directoryRetrievedAt = times.retrieved_at;
  }

  #catalog({ header }: WorldSnapshot, lines: readonly ProductLine[]): void {
    const catalog = timesOf(header.catalog, header.published_at);
    this.#catalogRetrievedAt = catalog.retrieved_at;
    for (const product of this.#products.values()) product.isListed = false;
    for (const line of lines) {
      const product = this.#products.get(line.sku) ?? newMemory(line, catalog);
      this.#products.set(line.sku, product);
      Object.assign(product, { line, catalog, isListed: true });
      if (line.price_minor !== null) product.prices.push(line.price_minor);
    }
  }

  #retrieval(line: InventoryLine, scope: readonly string[]): void {
    const product = this.#products.get(line.sku);
    if (!product) throw new Error(`the world asked for ${line.sku}, which is in no catalog`);
    product.attempt = { attempted_at: line.attempted_at, status: line.status };
    const { retrieved_at: retrievedAt, source_updated_at } = line;
    if (retrievedAt === null) return;
    product.success = { retrieved_at: retrievedAt, source_updated_at };
    if (Date.parse(retrievedAt) < Date.parse(product.firstObservedAt)) product.firstObservedAt = retrievedAt;
    const wasPositiveAt = product.lastPositiveAt ?? '0000-01-01T00:00:00Z';
    if (line.rows.some(([, quantity]) => quantity > 0) && Date.parse(retrievedAt) > Date.parse(wasPositiveAt)) {
      product.lastPositiveAt = retrievedAt;
    }
    for (const [address, store] of this.#stores) {
      const code = store.line.inventory_store_code;
      if (code === null || !scope.includes(code)) continue;
      const row = line.rows.find(([reported]) => reported === code);
      product.rows.set(address, { quantity: row ? row[1] : null, retrievedAt });
      if (row) product.everReported.add(address);
    }
  }

  describe({ header }: WorldSnapshot) {
    const isFresh = (at: string) => secondsBetween(at, header.published_at) <= header.policy.max_age_seconds;
    const stores = mapped(this.#stores, (store) => ({
      code: store.line.inventory_store_code,
      directoryId: store.line.directory_id,
      inScope:
        store.line.operational_status.state !== 'permanently_closed' && store.presence?.state !== 'reviewed_retired',
      presence: store.presence,
      times: store.times,
    }));
    const products = mapped(this.#products, (product) => this.#product(product, isFresh));
    const listed = Object.values(products).filter(({ isListed }) => isListed);
    const wanted = listed.flatMap(({ pairs }) => Object.entries(pairs).filter(([address]) => stores[address]?.inScope));
    const successes = Object.values(products).flatMap(({ success }) => success?.retrieved_at ?? []);
    const holds = [
      header.warnings.includes('FIXTURE_DATA'),
      wanted.some(([, { state }]) => state === 'unchecked'),
      successes.length > 0 && !successes.some(isFresh),
      listed.some(({ attempt }) => attempt?.status === 'failed'),
    ];
    const isOld = secondsBetween(this.#catalogRetrievedAt, header.published_at) > 45 * 86_400;
    return {
      warnings: [...known.filter((_, index) => holds[index]), ...(isOld ? ['CATALOG_BATCH_OLD'] : [])],
      counts: {
        products: this.#products.size,
        stores: this.#stores.size,
        pairs: [...this.#products.values()].reduce((sum, { rows }) => sum + rows.size, 0),
      },
      products,
      stores,
    };
  }

  #product(product: Memory, isFresh: (at: string) => boolean) {
    const { line, rows, success } = product;
    const amount = line.price_minor;
    const standing = [...rows.values()].flatMap(({ quantity }) => quantity ?? []);
    return {
      isListed: product.isListed,
      ...this.#presentation(line),
      category: line.category_id,
      price: amount === null ? null : { amount, source: line.price_source, times: product.catalog },
      status: { code: line.status_code, label: line.status_label, lifecycle: line.lifecycle },
      rawStatus: line.status_raw,
      lowestPrice: product.prices.length > 0 ? Math.min(...product.prices) : null,
      highestPrice: product.prices.length > 0 ? Math.max(...product.prices) : null,
      firstObservedAt: product.firstObservedAt,
      catalogRetrievedAt: product.catalog.retrieved_at,
      lastPositiveAt: product.lastPositiveAt,
      attempt: product.attempt,
      success,
      sums: success && {
        reported_quantity: standing.reduce((sum, quantity) => sum + quantity, 0),
        reported_positive_store_count: standing.filter((quantity) => quantity > 0).length,
      },
      pairs: mapped(this.#stores, (store, address) => pairOf(line, store, rows.get(address), isFresh)),
    };
  }

  #presentation({ sku, name, size_ml, size_text }: ProductLine) {
    const curation = this.#curation;
    const reviewed = curation?.brands.filter((brand) => brand.reviewed) ?? [];
    const curated = curation?.products.find((product) => product.sku === sku);
    const brand = reviewed.find(({ slug }) => slug === curated?.brand);
    const family = curation?.families.find(({ slug }) => slug === curated?.family);
    const isPublic = family !== undefined && reviewed.some(({ slug }) => slug === family.brand);
    const isSized = size_ml !== null && size_ml > 0;
    return {
      name: brand ? shortened(name, [brand.name, ...brand.aliases]) : name,
      brand: brand ? { id: brand.slug, name: brand.name } : null,
      family: isPublic ? { id: family.slug, name: family.name } : null,
      package: {
        milliliters: isSized ? size_ml : null,
        ...(curated?.package ?? {
          container_count: null,
          unit_milliliters: null,
          total_milliliters: null,
          display: size_ml && /^[\d.,\s]*$/.test(size_text ?? '') ? `${size_ml} mL` : size_text,
          interpretation: isSized ? 'ambiguous' : 'missing',
          basis: 'none',
          normalization_state: isSized ? 'unconfirmed' : 'missing',
        }),
      },
    };
  }

  #eventsOf(
    { header }: WorldSnapshot,
    sku: string,
    [before, after]: readonly [ExpectedProduct | null, ExpectedProduct],
    asked: InventoryLine | null,
    hadRow: ReadonlySet<string>,
  ): ExpectedEvent[] {
    const events: ExpectedEvent[] = [];
    const product = { sku, name: after.name, brand: after.brand?.name ?? null };
    const catalog = header.catalog ?? { retrieved_at: header.published_at, source_updated_at: null };
    const say = (type: string, times: Retrieval, change: unknown, store: ExpectedEvent['store'] = null) => {
      const { retrieved_at, source_updated_at } = times;
      events.push({ type, product, store, retrieved_at, source_updated_at, change });
    };
    if (before === null) say('product_first_observed', catalog, { current: baselineOf(after) });
    else {
      if (before.isListed !== after.isListed) {
        const [previous, current] = [before, after].map(({ isListed }) => (isListed ? 'listed' : 'absent'));
        say('catalog_presence_changed', catalog, { previous, current });
      }
      if (before.price?.amount !== after.price?.amount) {
        const difference_minor = before.price && after.price && after.price.amount - before.price.amount;
        say('price_changed', catalog, { previous: priceOf(before), current: priceOf(after), difference_minor });
      }
      if (text(before.status) !== text(after.status)) {
        say('status_changed', catalog, { previous: before.status, current: after.status });
      }
      const fields = (['name', 'brand', 'family', 'category', 'package'] as const)
        .map((field) => ({ field, previous: before[field], current: after[field] }))
        .filter(({ previous, current }) => text(previous) !== text(current));
      if (fields.length > 0) say('product_presentation_changed', catalog, { fields });
    }
    if (asked?.status !== 'succeeded' || after.success === null) return events;
    for (const [address, pair] of Object.entries(after.pairs)) {
      const earlier = before?.pairs[address];
      const code = this.#stores.get(address)?.line.inventory_store_code ?? null;
      const store = { address, code };
      const previous =
        earlier && earlier.state !== 'unchecked' ? rowOf(earlier) : { state: 'row_absent', reported_quantity: null };
      const current = rowOf(pair);
      if (pair.state === 'unchecked' || text(previous) === text(current)) continue;
      if (!hadRow.has(address)) say('store_inventory_first_observed', after.success, { current }, store);
      else {
        const [was, is] = [previous.reported_quantity, current.reported_quantity];
        const difference = was === null || is === null ? null : is - was;
        say('store_inventory_changed', after.success, { previous, current, difference }, store);
      }
    }
    if (before?.sums && after.sums && text(before.sums) !== text(after.sums)) {
      const difference = after.sums.reported_quantity - before.sums.reported_quantity;
      say('aggregate_inventory_changed', after.success, { previous: before.sums, current: after.sums, difference });
    }
    return events;
  }
}

function newMemory(line: ProductLine, catalog: Times): Memory {
  const nothing = { attempt: null, success: null, lastPositiveAt: null };
  const lists = { prices: [], rows: new Map(), everReported: new Set<string>() };
  return { line, catalog, isListed: true, firstObservedAt: catalog.retrieved_at, ...nothing, ...lists };
}

function timesOf(times: Retrieval | null, published_at: string): Times {
  if (times === null) throw new Error('a part without its times');
  return { source_updated_at: times.source_updated_at, retrieved_at: times.retrieved_at, published_at };
}

function pairOf(
  { lifecycle }: ProductLine,
  { line, presence }: StoreMemory,
  row: { quantity: number | null; retrievedAt: string } | undefined,
  isFresh: (at: string) => boolean,
) {
  if (!row) return { state: 'unchecked', quantity: null, eligibility: null, retrievedAt: null, meetsPolicy: false };
  const { quantity, retrievedAt } = row;
  const times = { retrievedAt, meetsPolicy: isFresh(retrievedAt) };
  if (quantity === null) return { state: 'row_absent', quantity, eligibility: null, ...times };
  if (quantity === 0) return { state: 'reported_zero', quantity, eligibility: null, ...times };
  const isOffered = lifecycle === 'active' || lifecycle === 'discontinued';
  const isPlace =
    ['consumer_state_store', 'package_agency'].includes(line.access_type) &&
    ['open', 'unknown'].includes(line.operational_status.state) &&
    presence?.state !== 'reviewed_retired';
  const eligibility = lifecycle === 'restricted' ? 'restricted' : isOffered && isPlace ? 'eligible' : 'not_eligible';
  return { state: 'reported_positive', quantity, eligibility, ...times };
}

/** Names of this world are spelled like their brands, so they match without folding. */
function shortened(name: string, brandNames: readonly string[]): string {
  const leading = brandNames
    .filter((brand) => `${name} `.startsWith(`${brand} `))
    .sort((a, b) => b.length - a.length)[0];
  return leading === undefined || leading === name ? name : name.slice(leading.length + 1);
}

function baselineOf(product: ExpectedProduct) {
  const { milliliters, display, normalization_state } = product.package as Record<string, unknown>;
  return {
    name: product.name,
    brand: product.brand?.name ?? null,
    price: priceOf(product),
    status: product.status,
    package_size: { milliliters, display, normalization_state },
  };
}

function priceOf({ price }: ExpectedProduct) {
  return price && { amount_minor: price.amount, currency: 'USD', display: `$${(price.amount / 100).toFixed(2)}` };
}

function rowOf({ state, quantity }: ExpectedProduct['pairs'][string]) {
  return { state, reported_quantity: quantity };
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

function mapped<V, R>(map: ReadonlyMap<string, V>, describe: (value: V, key: string) => R): Record<string, R> {
  return Object.fromEntries([...map].map(([key, value]) => [key, describe(value, key)]));
}

/** Values compare by their JSON. Each is made in one place, so that its keys are in one order. */
function text(value: unknown): string {
  return JSON.stringify(value);
}
