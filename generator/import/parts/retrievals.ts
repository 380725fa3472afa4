/** One retrieval of a product's inventory, as the lines of a snapshot have it. */
export type Retrieval = {
  readonly status: string;
  readonly attempted_at: string;
  readonly retrieved_at: string | null;
  readonly source_updated_at: string | null;
};

/** The retrieval of each product. Most products share one, so each different one is kept once. */
export class Retrievals {
  readonly #of = new Uint32Array(1_000_000);
  readonly #rows = new Uint32Array(1_000_000);
  readonly #list: Retrieval[] = [];
  readonly #known = new Map<string, number>();

  /** Adds what a row says of a retrieval. Returns the row that said otherwise, or null. */
  add(sku: string, retrieval: Retrieval, row: number): number | null {
    const index = Number(sku);
    const before = this.of(sku);
    if (before !== null) return isSame(before, retrieval) ? null : (this.#rows[index] ?? 0);
    const key = JSON.stringify([
      retrieval.status,
      retrieval.attempted_at,
      retrieval.retrieved_at,
      retrieval.source_updated_at,
    ]);
    const known = this.#known.get(key) ?? this.#list.push(retrieval);
    this.#known.set(key, known);
    this.#of[index] = known;
    this.#rows[index] = row;
    return null;
  }

  of(sku: string): Retrieval | null {
    return this.#list[(this.#of[Number(sku)] ?? 0) - 1] ?? null;
  }

  rowOf(sku: string): number {
    return this.#rows[Number(sku)] ?? 0;
  }

  /** All products that were asked for, in the order of their skus. */
  *skus(): Generator<string> {
    for (const [index, retrieval] of this.#of.entries()) if (retrieval > 0) yield String(index).padStart(6, '0');
  }
}

function isSame(a: Retrieval, b: Retrieval): boolean {
  return (
    a.status === b.status &&
    a.attempted_at === b.attempted_at &&
    a.retrieved_at === b.retrieved_at &&
    a.source_updated_at === b.source_updated_at
  );
}
