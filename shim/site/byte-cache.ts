/** A value, and how many bytes of memory it counts. */
type Made<Value> = { readonly value: Value; readonly bytes: number };

type Entry<Value> = { readonly value: Value; readonly bytes: number; isUsed: boolean };

/**
 * Keeps the values used lately, as long as their bytes add up to at most `maxBytes`. A value that was used since it was
 * last looked at stays when others must go (the clock algorithm).
 */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  /** In the order in which they are looked at. */
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #underWay = new Map<string, Promise<Value>>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry) entry.isUsed = true;
    return entry?.value;
  }

  /** A value that is too large for the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.remove(key);
    if (bytes > this.#maxBytes) return;
    const added = { value, bytes, isUsed: false };
    this.#entries.set(key, added);
    this.#bytes += bytes;
    // An entry that is put at the end again is looked at again.
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      if (entry.isUsed || entry === added) {
        this.#entries.delete(oldest);
        this.#entries.set(oldest, entry);
        entry.isUsed = false;
      } else this.remove(oldest);
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
