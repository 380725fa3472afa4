import { isDeepStrictEqual } from 'node:util';
import type { ExpectedEvent, ExpectedProduct, ExpectedState } from './expected-world.ts';

type Change = Record<'previous' | 'current', unknown>;
type Row = { state: string; reported_quantity: number | null };
type ReplicaProduct = {
  presence: unknown;
  price: unknown;
  status: unknown;
  presentation: Record<string, unknown>;
  rows: Map<string, Row>;
};

/**
 * A reader's copy, maintained from the change events alone. The earlier values of an event must match the copy, and
 * after all events the copy must match the state. Baselines do not contain family, category and the whole package, so
 * the copy takes those from the state of the publication that first has the product.
 */
export class Replica {
  readonly #products = new Map<string, ReplicaProduct>();

  apply(events: readonly ExpectedEvent[], after: ExpectedState): void {
    const baselines = events.filter(({ type }) => type === 'product_first_observed');
    for (const event of baselines) this.#begin(event, after);
    const sums = new Map([...this.#products].map(([sku, { rows }]) => [sku, sumsOf(rows)]));
    const others = events.filter(
      ({ type }) => !['product_first_observed', 'aggregate_inventory_changed'].includes(type),
    );
    for (const event of others) this.#change(event);
    for (const event of events.filter(({ type }) => type === 'aggregate_inventory_changed')) {
      const { previous, current } = event.change as Change;
      demand('the sums before', sums.get(event.product.sku), previous);
      demand('the sums after', sumsOf(this.#product(event).rows), current);
    }
  }

  /** Throws when the copy differs from the state. */
  compareWith({ products }: ExpectedState): void {
    demand('the products', [...this.#products.keys()].sort(), Object.keys(products).sort());
    for (const [sku, held] of this.#products) {
      const expected = products[sku] as ExpectedProduct;
      demand(`the presence of ${sku}`, held.presence, expected.isListed ? 'listed' : 'absent');
      demand(`the price of ${sku}`, held.price, expected.price?.amount ?? null);
      demand(`the status of ${sku}`, held.status, statusOf(expected));
      demand(`the presentation of ${sku}`, held.presentation, presentationOf(expected));
      demand(
        `the sums of ${sku}`,
        sumsOf(held.rows),
        expected.sums ?? { reported_quantity: 0, reported_positive_store_count: 0 },
      );
      for (const [address, { state, quantity }] of Object.entries(expected.pairs)) {
        const row = held.rows.get(address) ?? { state: 'row_absent', reported_quantity: null };
        const isBare = state === 'unchecked' || state === 'row_absent';
        demand(`${sku} at ${address}`, row, { state: isBare ? 'row_absent' : state, reported_quantity: quantity });
      }
    }
  }

  #begin({ product: { sku }, change }: ExpectedEvent, { products }: ExpectedState): void {
    const { current } = change as { current: Record<string, unknown> };
    const state = products[sku] as ExpectedProduct;
    if (this.#products.has(sku)) throw new Error(`${sku} was first observed twice`);
    demand(`the first name of ${sku}`, current.name, state.name);
    demand(`the first brand of ${sku}`, current.brand, state.brand?.name ?? null);
    this.#products.set(sku, {
      presence: 'listed',
      price: amountOf(current.price),
      status: current.status,
      presentation: presentationOf(state),
      rows: new Map(),
    });
  }

  #change(event: ExpectedEvent): void {
    const { type, store } = event;
    const held = this.#product(event);
    const { previous, current } = event.change as Change;
    if (type === 'catalog_presence_changed') {
      demand('the presence before', held.presence, previous);
      held.presence = current;
    } else if (type === 'price_changed') {
      demand('the price before', held.price, amountOf(previous));
      held.price = amountOf(current);
    } else if (type === 'status_changed') {
      demand('the status before', held.status, previous);
      held.status = current;
    } else if (type === 'product_presentation_changed') {
      for (const { field, ...values } of (event.change as { fields: (Change & { field: string })[] }).fields) {
        demand(`the ${field} before`, held.presentation[field], values.previous);
        held.presentation[field] = values.current;
      }
    } else {
      const address = store?.address ?? '';
      const row = held.rows.get(address);
      if (type === 'store_inventory_first_observed') demand('a row before the first', row, undefined);
      else demand(`the row at ${address} before`, row ?? { state: 'row_absent', reported_quantity: null }, previous);
      held.rows.set(address, current as Row);
    }
  }

  #product({ product: { sku } }: ExpectedEvent): ReplicaProduct {
    const found = this.#products.get(sku);
    if (!found) throw new Error(`an event of ${sku} before it was first observed`);
    return found;
  }
}

function amountOf(price: unknown): unknown {
  return price === null ? null : (price as { amount_minor: number }).amount_minor;
}

function statusOf({ status: { code, label, lifecycle } }: ExpectedProduct) {
  return { code, label, lifecycle };
}

function presentationOf({ name, brand, family, category, packageSize }: ExpectedProduct) {
  return { name, brand, family, category, package: packageSize };
}

function sumsOf(rows: ReadonlyMap<string, Row>) {
  const quantities = [...rows.values()].map(({ reported_quantity }) => reported_quantity ?? 0);
  return {
    reported_quantity: quantities.reduce((sum, quantity) => sum + quantity, 0),
    reported_positive_store_count: quantities.filter((quantity) => quantity > 0).length,
  };
}

function demand(what: string, held: unknown, said: unknown): void {
  if (isDeepStrictEqual(held, said)) return;
  throw new Error(`${what}: held ${JSON.stringify(held)}, said ${JSON.stringify(said)}`);
}
