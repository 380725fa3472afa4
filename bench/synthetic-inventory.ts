import type { InventoryLine } from '../generator/snapshot/format.ts';
import { integer, type Random } from '../test/support/random.ts';
import type { SeriesSize } from './synthetic-size.ts';

type Round = { readonly day: number; readonly publishedAt: number; readonly scope: readonly string[] };

const notCarried = -1;
const roundSeconds = 5 * 3600;

/** The inventory: a quantity for every retrieved product in every store in scope. */
export class SyntheticInventory {
  readonly #random: Random;
  readonly #size: SeriesSize;
  readonly #skus: readonly string[];
  readonly #quantities: Int16Array;

  constructor(random: Random, size: SeriesSize, skus: readonly string[]) {
    this.#random = random;
    this.#size = size;
    this.#skus = skus;
    this.#quantities = new Int16Array(skus.length * size.scopeStores).fill(notCarried);
    // A few products are in nearly all stores and most in a few. The cube of a uniform number averages a quarter, hence
    // the 4.
    for (let product = 0; product < skus.length; product += 1) {
      const share = Math.min(1, random() ** 3 * 4 * size.rowShare);
      for (let store = 0; store < size.scopeStores; store += 1) {
        if (random() < share) this.#quantities[product * size.scopeStores + store] = integer(random, 1, 24);
      }
    }
  }

  /** Applies the changes of a day: most quantities that change fall a little, and low ones rise again. */
  advance(): void {
    const random = this.#random;
    const [least, most] = this.#size.changeShare;
    const share = least + random() * (most - least);
    for (const [index, quantity] of this.#quantities.entries()) {
      if (quantity === notCarried || random() >= share) continue;
      const isFilled = random() < (quantity === 0 ? 0.8 : quantity < 3 ? 0.6 : 0.02);
      this.#quantities[index] = isFilled
        ? quantity + integer(random, 6, 24)
        : Math.max(0, quantity - integer(random, 1, 3));
    }
  }

  /** The lines of a round: one for every product that is retrieved on that day. */
  lines({ day, publishedAt, scope }: Round): InventoryLine[] {
    const { leftOutOneIn } = this.#size;
    return this.#skus.flatMap((sku, product): InventoryLine[] => {
      if (day % 7 !== 0 && product % leftOutOneIn === day % leftOutOneIn) return [];
      const attempted = publishedAt - roundSeconds + Math.floor((product / this.#skus.length) * (roundSeconds - 60));
      const attempt = { sku, attempted_at: instantOf(attempted), source_updated_at: null };
      if (product % 200 === 13 || this.#random() < 0.001) {
        return [{ ...attempt, status: 'failed', retrieved_at: null, rows: [] }];
      }
      const retrieved_at = instantOf(attempted + 2 + (product % 7));
      return [{ ...attempt, status: 'succeeded', retrieved_at, rows: this.#rows(product, scope) }];
    });
  }

  /** The rows of a product. Of the pairs with nothing left, half have an explicit zero and the others no row. */
  #rows(product: number, scope: readonly string[]): InventoryLine['rows'] {
    return scope.flatMap((code, store): InventoryLine['rows'] => {
      const quantity = this.#quantities[product * this.#size.scopeStores + store] ?? notCarried;
      if (quantity > 0) return [[code, quantity]];
      return quantity === 0 && (product + store) % 2 === 0 ? [[code, 0]] : [];
    });
  }
}

/** The date-time of a number of seconds since 1970. */
export function instantOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
