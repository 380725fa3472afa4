import { earlierOf } from '../../contract/instant.ts';
import type { Connection } from '../../generator/database/connection.ts';
import { eventReader } from '../../generator/database/events.ts';
import { pairAt, readAvailability } from '../../generator/documents/availability.ts';
import type { Product } from '../../generator/documents/product.ts';
import { type State, stateAt } from '../../generator/documents/state.ts';
import type { ExpectedEvent } from './expected-world.ts';

/** Reads a database into the form of the expected world: ids become slugs again. */
export class PublishedWorld {
  readonly #connection: Connection;
  readonly #slugs: ReadonlyMap<string, string>;

  constructor(connection: Connection) {
    this.#connection = connection;
    const named = connection.prepare<[], { id: string; slug: string }>(`
      SELECT DISTINCT id, slug FROM brand_version UNION ALL SELECT DISTINCT id, slug FROM family_version ORDER BY id`);
    this.#slugs = new Map(named.all().map(({ id, slug }) => [id, slug]));
  }

  /** The events of a publication, in the order of the log. */
  events(publication: number): ExpectedEvent[] {
    const reader = eventReader(this.#connection);
    const addresses = this.#connection
      .prepare<[number], string>(
        'SELECT line1 FROM event JOIN store_version ON version = store_version WHERE number = ?',
      )
      .pluck();
    const numbers = this.#connection
      .prepare<[number], number>('SELECT number FROM event WHERE publication = ? ORDER BY number')
      .pluck()
      .all(publication);
    if (numbers.length === 0) return [];
    return reader.range(numbers[0] ?? 0, numbers[numbers.length - 1] ?? 0).map((row) => {
      const { sku, product_name: name, brand_name } = row.product;
      return {
        type: row.type,
        product: { sku, name, brand: brand_name },
        store: row.store && { address: addresses.get(row.number) ?? '', code: row.store.inventory_store_code },
        retrieved_at: row.retrieved_at,
        source_updated_at: row.source_updated_at,
        change: this.#withSlugs(JSON.parse(row.change)),
      };
    });
  }

  /** The state at a publication, read as documents read it. */
  state(sequence: number) {
    const state = stateAt(this.#connection, sequence);
    const { warnings, product_count, store_count, inventory_pair_count } = state.publication;
    const products = state.products.map((product) => [product.sku, this.#productOf(product, state)]);
    return {
      warnings,
      counts: { products: product_count, stores: store_count, pairs: inventory_pair_count },
      products: Object.fromEntries(products),
      stores: Object.fromEntries(
        state.stores.map(({ inScope, detail }) => [
          detail.address.line1,
          {
            code: detail.source_ids.inventory_store_code,
            directoryId: detail.source_ids.directory_id,
            inScope,
            presence: detail.directory_presence,
            times: detail.details_times,
          },
        ]),
      ),
    };
  }

  #productOf(product: Product, state: State) {
    const availability = readAvailability(state, product);
    const { summary } = availability;
    const pairs = state.stores.map((store) => pairAt(state, availability, store));
    const { price, status, attempted_at, attempt_status, inventory_retrieved_at: retrieved_at } = product;
    const counted = pairs.filter((_, index) => state.stores[index]?.inScope);
    const count = (wanted: string) => counted.filter((pair) => pair.state === wanted).length;
    const { scope_store_count, reported_positive_store_count, reported_zero_store_count, ...others } = summary;
    const counts = [scope_store_count, reported_positive_store_count, reported_zero_store_count];
    counts.push(others.row_absent_store_count, others.unchecked_store_count);
    const states = ['reported_positive', 'reported_zero', 'row_absent', 'unchecked'];
    if (String(counts) !== String([counted.length, ...states.map(count)]))
      throw new Error(`the summary of ${product.sku} does not count its pairs: ${JSON.stringify(summary)}`);
    return {
      isListed: product.catalog_presence === 'listed',
      name: product.name,
      brand: this.#named(product.brand_id, product.brand),
      family: this.#familyOf(product, state),
      category: product.category_id,
      package: product.package_size,
      price: price && { amount: price.amount_minor, source: price.source, times: price.times },
      status: { code: status.code, label: status.label, lifecycle: status.lifecycle },
      rawStatus: status.source_raw,
      lowestPrice: product.lowest_price_minor,
      highestPrice: product.highest_price_minor,
      firstObservedAt: earlierOf(product.first_observed_at, product.first_retrieved_at),
      catalogRetrievedAt: product.catalog_retrieved_at,
      lastPositiveAt: product.last_positive_at,
      attempt: attempted_at === null ? null : { attempted_at, status: attempt_status },
      success: retrieved_at === null ? null : { retrieved_at, source_updated_at: product.inventory_source_updated_at },
      sums: this.#sumsOf(product),
      pairs: Object.fromEntries(
        pairs.map((pair, index) => [
          state.stores[index]?.detail.address.line1,
          {
            state: pair.state,
            quantity: pair.reported_quantity,
            eligibility: pair.purchase_eligibility,
            retrievedAt: pair.retrieved_at,
            meetsPolicy: pair.meets_retrieval_policy,
          },
        ]),
      ),
    };
  }

  /** The family in the product's row. Readers see it only while the product is listed, which this checks. */
  #familyOf({ sku, catalog_presence, family_id, version }: Product, state: State) {
    const row = this.#connection
      .prepare<[number], { family_id: string | null; family_name: string | null }>(
        'SELECT family_id, family_name FROM product_version WHERE version = ?',
      )
      .get(version);
    if (family_id !== (catalog_presence === 'listed' ? (row?.family_id ?? null) : null)) {
      throw new Error(`${sku} shows family ${family_id} at publication ${state.publication.sequence}`);
    }
    return this.#named(row?.family_id ?? null, row?.family_name ?? null);
  }

  #sumsOf({ key, inventory_publication }: Product) {
    if (inventory_publication === null) return null;
    const columns = 'reported_quantity, reported_positive_store_count';
    const sums = this.#connection.prepare(`SELECT ${columns} FROM retrieval WHERE product = ? AND publication = ?`);
    return sums.get(key, inventory_publication) ?? null;
  }

  #named(id: string | null, name: string | null): { id: string; name: string } | null {
    return id === null || name === null ? null : { id: this.#slugs.get(id) ?? id, name };
  }

  #withSlugs(change: unknown): unknown {
    return JSON.parse(JSON.stringify(change), (key, value) =>
      key === 'id' ? (this.#slugs.get(value) ?? value) : value,
    );
  }
}
