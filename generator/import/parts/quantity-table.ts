/** A quantity of a product in a store and where it was reported. */
export type Quantity = {
  readonly store: number;
  readonly quantity: number;
  readonly file: number;
  readonly row: number;
};

/**
 * Reported quantities in any order, 20 bytes each: a million rows are 20 MB, and at most three times that while the
 * table grows. It gives them back by product.
 */
export class QuantityTable {
  #length = 0;
  #skus = new Uint32Array(1024);
  #stores = new Uint16Array(1024);
  #quantities = new Float64Array(1024);
  #rows = new Uint32Array(1024);
  #files = new Uint16Array(1024);

  get length(): number {
    return this.#length;
  }

  add(sku: string, { store, quantity, file, row }: Quantity): void {
    if (this.#length === this.#skus.length) this.#grow();
    this.#skus[this.#length] = Number(sku);
    this.#stores[this.#length] = store;
    this.#quantities[this.#length] = quantity;
    this.#rows[this.#length] = row;
    this.#files[this.#length] = file;
    this.#length += 1;
  }

  /** The quantities of a product by store. Rows that name the same store follow each other in their own order. */
  grouped(): (sku: string) => Quantity[] {
    // A counting sort: where the rows of each sku begin in one list of all rows.
    const ends = new Uint32Array(1_000_001);
    for (let index = 0; index < this.#length; index += 1) count(ends, (this.#skus[index] ?? 0) + 1);
    for (let sku = 1; sku < ends.length; sku += 1) ends[sku] = (ends[sku] ?? 0) + (ends[sku - 1] ?? 0);
    const order = new Uint32Array(this.#length);
    for (let index = 0; index < this.#length; index += 1) {
      const sku = this.#skus[index] ?? 0;
      order[ends[sku] ?? 0] = index;
      count(ends, sku);
    }
    return (text) => {
      const sku = Number(text);
      const rows = order.subarray(sku === 0 ? 0 : (ends[sku - 1] ?? 0), ends[sku]);
      return Array.from(rows, (index) => this.#at(index)).sort((a, b) => a.store - b.store);
    };
  }

  #at(index: number): Quantity {
    return {
      store: this.#stores[index] ?? 0,
      quantity: this.#quantities[index] ?? 0,
      file: this.#files[index] ?? 0,
      row: this.#rows[index] ?? 0,
    };
  }

  #grow(): void {
    const length = this.#skus.length * 2;
    this.#skus = grown(this.#skus, new Uint32Array(length));
    this.#stores = grown(this.#stores, new Uint16Array(length));
    this.#quantities = grown(this.#quantities, new Float64Array(length));
    this.#rows = grown(this.#rows, new Uint32Array(length));
    this.#files = grown(this.#files, new Uint16Array(length));
  }
}

function count(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

function grown<Column extends Uint16Array | Uint32Array | Float64Array>(before: Column, larger: Column): Column {
  larger.set(before);
  return larger;
}
