/** How many versions are read at a time: those of neighbouring products and times stand side by side. */
const blockSize = 1_000;

/** How many names are kept at hand. */
const keptLimit = 50_000;

/** What events call a product or a store: its id, and all of it as JSON. */
export type EventName = { readonly id: string; readonly json: string };

type Versioned = { readonly version: number };

/** Names of products or stores by version, read in blocks and made once. */
export class EventNames<Row extends Versioned> {
  readonly #read: (first: number, last: number) => readonly Row[];
  readonly #make: (row: Row) => EventName;
  readonly #known = new Map<number, EventName>();

  constructor(read: (first: number, last: number) => readonly Row[], make: (row: Row) => EventName) {
    this.#read = read;
    this.#make = make;
  }

  of(version: number): EventName {
    const name = this.#known.get(version) ?? this.#readBlock(version).get(version);
    if (!name) throw new Error(`no version ${version} of what an event names`);
    return name;
  }

  #readBlock(version: number): ReadonlyMap<number, EventName> {
    if (this.#known.size >= keptLimit) this.#known.clear();
    const first = version - (version % blockSize);
    for (const row of this.#read(first, first + blockSize - 1)) this.#known.set(row.version, this.#make(row));
    return this.#known;
  }
}
