import type { ChangeType } from '../contract/documents/change.ts';
import type { Connection, Statement } from './connection.ts';
import { type EventProductRow, eventProduct } from './events.ts';

/** How many events of a type a publication brought. */
export type TypeCountRow = { readonly publication: number; readonly type: ChangeType; readonly events: number };

/** A product, as its newest event names it, with how many events it has. */
export type ProductCountRow = EventProductRow & { readonly events: number };

/** A price that changed from one amount to another. */
export type PriceMoveRow = EventProductRow & { readonly previous: number; readonly current: number };

type Run = [first: number, last: number];

/** Sums over runs of events, given by the numbers of their first and last event, both included. */
export class ActivityReader {
  readonly #types: Statement<Run, TypeCountRow>;
  readonly #products: Statement<[...Run, number], ProductCountRow>;
  readonly #prices: Statement<Run, PriceMoveRow>;

  constructor(connection: Connection) {
    this.#types = connection.prepare(`
      SELECT publication, type, count(*) AS events FROM event WHERE number BETWEEN ? AND ?
      GROUP BY publication, type ORDER BY publication, type`);
    this.#products = connection.prepare(`
      SELECT ${eventProduct}, events FROM (
        SELECT product, max(product_version) AS product_version, count(*) AS events FROM event
        WHERE number BETWEEN ? AND ? AND type NOT IN ('product_first_observed', 'store_inventory_first_observed')
        GROUP BY product ORDER BY events DESC, product LIMIT ?) AS event
        JOIN product_version ON product_version.version = event.product_version
        JOIN product ON product.product = event.product
      ORDER BY events DESC, event.product`);
    this.#prices = connection.prepare(`
      SELECT ${eventProduct}, change ->> '$.previous.amount_minor' AS previous,
        change ->> '$.current.amount_minor' AS current
      FROM event JOIN product_version ON product_version.version = event.product_version
        JOIN product ON product.product = event.product
      WHERE number BETWEEN ? AND ? AND type = 'price_changed' AND previous <> current ORDER BY number`);
  }

  types(first: number, last: number): TypeCountRow[] {
    return this.#types.all(first, last);
  }

  /** The products with the most events. First observations are not counted: they are no changes. */
  products(first: number, last: number, limit: number): ProductCountRow[] {
    return this.#products.all(first, last, limit);
  }

  /** Prices that changed between two amounts. */
  prices(first: number, last: number): PriceMoveRow[] {
    return this.#prices.all(first, last);
  }
}
