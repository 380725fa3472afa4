import type { InventoryLine } from '../../generator/snapshot/format.ts';
import { integer, type Random } from '../../test/support/random.ts';

/** The share of all pairs of a retrieved product and a store that have a row. */
const filled = 0.2;
/** The share of quantities that change in a day. */
const changing = 0.25;
const notCarried = -1;
const roundSeconds = 5 * 3600;

/** The inventory: a quantity for every retrieved product in every store of the scope. */
export class SyntheticInventory {
  readonly #random: Random;
  readonly #skus: readonly string[];
  readonly #scope: readonly string[];
  readonly #quantities: Int16Array;

  constructor(random: Random, skus: readonly string[], scope: readonly string[]) {
    this.#random = random;
    this.#skus = skus;
    this.#scope = scope;
    this.#quantities = new Int16Array(skus.length * scope.length).fill(notCarried);
    // A few products are in nearly all stores and most in a few. The cube of a uniform number averages a quarter, hence
    // the 4.
    for (let product = 0; product < skus.length; product += 1) {
      const share = Math.min(1, random() ** 3 * 4 * filled);
      for (let store = 0; store < scope.length; store += 1) {
        if (random() < share) this.#quantities[product * scope.length + store] = integer(random, 1, 24);
      }
    }
  }

  /** Applies the changes of a day: most quantities that change fall a little, and low ones rise again. */
  advance(): void {
    const random = this.#random;
    for (const [index, quantity] of this.#quantities.entries()) {
      if (quantity === notCarried || random() >= changing) continue;
      const isFilled = random() < (quantity === 0 ? 0.8 : quantity < 3 ? 0.6 : 0.02);
      this.#quantities[index] = isFilled
        ? quantity + integer(random, 6, 24)
        : Math.max(0, quantity - integer(random, 1, 3));
    }
  }

  /** One line for each product that is retrieved before `publishedAt`, which is in seconds since 1970. */
  lines(publishedAt: number): InventoryLine[] {
    return this.#skus.map((sku, product): InventoryLine => {
      const attempted = publishedAt - roundSeconds + Math.floor((product / this.#skus.length) * (roundSeconds - 60));
      const attempt = { sku, attempted_at: instantOf(attempted), source_updated_at: null };
      if (product % 200 === 13) return { ...attempt, status: 'failed', retrieved_at: null, rows: [] };
      return { ...attempt, status: 'succeeded', retrieved_at: instantOf(attempted + 2), rows: this.#rows(product) };
    });
  }

  /** The rows of a product. Of the pairs with nothing left, half have an explicit zero and the others no row. */
  #rows(product: number): InventoryLine['rows'] {
    return this.#scope.flatMap((code, store): InventoryLine['rows'] => {
      const quantity = this.#quantities[product * this.#scope.length + store] ?? notCarried;
      return quantity > 0 || (quantity === 0 && (product + store) % 2 === 0) ? [[code, quantity]] : [];
    });
  }
}

/** The date-time of a number of seconds since 1970. */
export function instantOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
