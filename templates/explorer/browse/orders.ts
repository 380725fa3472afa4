import type { BrowseColumn } from './columns.tsx';

/** The products in the order of each column. An order is computed when it is first asked for, and kept. */
export class Orders {
  readonly #columns: readonly BrowseColumn[];
  readonly #count: number;
  readonly #kept = new Map<string, Int32Array>();

  constructor(columns: readonly BrowseColumn[], count: number) {
    this.#columns = columns;
    this.#count = count;
  }

  /** The order that `price` or, from the largest, `-price` asks for; the catalog's own for anything unknown. */
  by(sort: string): Int32Array {
    const kept = this.#kept.get(sort) ?? this.#compute(sort);
    this.#kept.set(sort, kept);
    return kept;
  }

  #compute(sort: string): Int32Array {
    const own = Int32Array.from({ length: this.#count }, (_, product) => product);
    const isDescending = sort.startsWith('-');
    const column = this.#columns.find(({ name }) => name === (isDescending ? sort.slice(1) : sort));
    if (!column) return own;
    const keyOf = column.rank ?? column.value;
    const keys = Array.from(own, (product) => keyOf(product));
    const sign = isDescending ? -1 : 1;
    return own.sort((a, b) => {
      const [x, y] = [keys[a] ?? null, keys[b] ?? null];
      if (x === y) return a - b;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y ? -sign : sign;
    });
  }
}
