import type { ProductColumn } from './product-columns.tsx';

/** The order of products by each column, computed on first use. */
export class Orders {
  readonly #columns: readonly ProductColumn[];
  readonly #first: Int32Array;
  readonly #kept = new Map<string, Int32Array>();

  /** `first`: the order of products with equal values. */
  constructor(columns: readonly ProductColumn[], first: Int32Array) {
    this.#columns = columns;
    this.#first = first;
  }

  /** The order for `price` or, descending, `-price`; the default order for an unknown name. */
  by(sort: string): Int32Array {
    const kept = this.#kept.get(sort) ?? this.#compute(sort);
    this.#kept.set(sort, kept);
    return kept;
  }

  #compute(sort: string): Int32Array {
    const isDescending = sort.startsWith('-');
    const column = this.#columns.find(({ name }) => name === (isDescending ? sort.slice(1) : sort));
    if (!column) return this.#first;
    const sortKey = column.rank ?? column.value;
    const sign = isDescending ? -1 : 1;
    const keyed = Array.from(this.#first, (product) => ({ product, key: sortKey(product) }));
    keyed.sort(({ key: x }, { key: y }) => {
      if (x === y) return 0;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y ? -sign : sign;
    });
    return Int32Array.from(keyed, ({ product }) => product);
  }
}
