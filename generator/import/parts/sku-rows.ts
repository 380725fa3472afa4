import type { Table } from '../tables/input.ts';

/** Where each sku stands, in 5 MB: there are a million skus of six digits. */
export class SkuRows {
  readonly #rows = new Uint32Array(1_000_000);
  readonly #fileOf = new Uint16Array(1_000_000);
  readonly #files: string[] = [];

  /** Adds a sku. Returns the place that it has already, such as `row 12`, or null if it is new. */
  add(sku: string, { file, unit }: Pick<Table, 'file' | 'unit'>, row: number): string | null {
    const index = Number(sku);
    const before = this.#rows[index] ?? 0;
    if (this.#files.at(-1) !== file) this.#files.push(file);
    if (before > 0) {
      const where = this.#files[this.#fileOf[index] ?? 0] ?? file;
      return where === file ? `${unit} ${before}` : `${unit} ${before} of ${where}`;
    }
    this.#rows[index] = row;
    this.#fileOf[index] = this.#files.length - 1;
    return null;
  }

  has(sku: string): boolean {
    return (this.#rows[Number(sku)] ?? 0) > 0;
  }

  /** All skus, in order. */
  *[Symbol.iterator](): Generator<string> {
    for (const [index, row] of this.#rows.entries()) if (row > 0) yield String(index).padStart(6, '0');
  }
}
