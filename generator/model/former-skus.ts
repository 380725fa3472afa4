import type { FormerSkuRow } from '../database/state-reader.ts';

/** Codes that products had before, at a publication. A code that a product has today is never one of them. */
export class FormerSkus {
  readonly #bySku = new Map<string, FormerSkuRow[]>();
  readonly #owners = new Map<string, number>();
  readonly #taken = new Set<string>();

  constructor(rows: readonly FormerSkuRow[]) {
    for (const row of rows) {
      this.#bySku.set(row.sku, [...(this.#bySku.get(row.sku) ?? []), row]);
      this.#owners.set(row.former_sku, (this.#owners.get(row.former_sku) ?? 0) + 1);
      if (row.taken === 1) this.#taken.add(row.former_sku);
    }
  }

  /** Every code a product had, ascending. */
  of(sku: string): string[] {
    return (this.#bySku.get(sku) ?? []).map(({ former_sku }) => former_sku);
  }

  /** Of these the ones that name this product alone, and no product of today. */
  resolvingTo(sku: string): string[] {
    return this.of(sku).filter((code) => this.#owners.get(code) === 1 && !this.#taken.has(code));
  }

  /** Codes that name several products, ascending. */
  get ambiguous(): string[] {
    return [...this.#owners].flatMap(([code, owners]) => (owners > 1 && !this.#taken.has(code) ? [code] : [])).sort();
  }
}
