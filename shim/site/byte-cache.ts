/** A value, and how many bytes of memory it counts. */
type Made<Value> = { readonly value: Value; readonly bytes: number };

/** Keeps the values that were used last, as long as their bytes add up to at most `maxBytes`. */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  /** The one that was used last is at the end. */
  readonly #entries = new Map<string, Made<Value>>();
  readonly #underWay = new Map<string, Promise<Value>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** A value that is too large for the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.remove(key);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.remove(oldest);
    }
  }

  /**
   * The value that is kept, else a new one. `isShared`: whether all who ask for it meanwhile wait for the same one. An edge
   * host does not allow that.
   */
  async getOrMake(key: string, isShared: boolean, make: () => Promise<Made<Value>>): Promise<Value> {
    const known = this.get(key) ?? this.#underWay.get(key);
    if (known !== undefined) return known;
    const making = make().then(({ value, bytes }) => {
      const meanwhile = this.get(key);
      if (meanwhile === undefined) this.set(key, value, bytes);
      return meanwhile ?? value;
    });
    if (!isShared) return making;
    this.#underWay.set(key, making);
    return making.finally(() => this.#underWay.delete(key));
  }

  remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
