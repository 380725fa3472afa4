type Entry<Value> = { readonly value: Value; bytes: number; isUsed: boolean };

/**
 * Keeps the values used lately, as long as the bytes they were made from add up to at most `maxBytes`. A value that was
 * used since it was last looked at stays when others must go (the clock algorithm), so that to get one only marks it.
 * Values that can do with less memory are made smaller before any value goes.
 */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  readonly #shrink: ((value: Value) => number | null) | null;
  /** In the order in which they are looked at. */
  readonly #entries = new Map<string, Entry<Value>>();
  /** Those that may be made smaller, in the order in which they are looked at. */
  readonly #whole = new Map<string, Entry<Value>>();
  #bytes = 0;

  /** `shrink`: makes a value smaller, and returns the bytes that are left; null where it cannot. */
  constructor(maxBytes: number, shrink: ((value: Value) => number | null) | null = null) {
    this.#maxBytes = maxBytes;
    this.#shrink = shrink;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.isUsed = true;
    return entry.value;
  }

  /** A value that is too large for the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.#remove(key);
    if (bytes > this.#maxBytes) return;
    const added = { value, bytes, isUsed: false };
    this.#entries.set(key, added);
    this.#bytes += bytes;
    if (this.#shrink) this.#whole.set(key, added);
    this.#lookAt(this.#whole, added, (oldest, entry) => this.#makeSmaller(oldest, entry));
    this.#lookAt(this.#entries, added, (oldest) => this.#remove(oldest));
  }

  /** Gives up unused entries, the oldest first, until the rest fits. An entry put at the end again is looked at again. */
  #lookAt(
    entries: Map<string, Entry<Value>>,
    added: Entry<Value>,
    giveUp: (key: string, entry: Entry<Value>) => void,
  ): void {
    for (const [oldest, entry] of entries) {
      if (this.#bytes <= this.#maxBytes || (entries.size === 1 && entry === added)) break;
      if (entry.isUsed || entry === added) {
        entries.delete(oldest);
        entries.set(oldest, entry);
        entry.isUsed = false;
      } else giveUp(oldest, entry);
    }
  }

  #makeSmaller(key: string, entry: Entry<Value>): void {
    this.#whole.delete(key);
    const left = this.#shrink?.(entry.value) ?? null;
    if (left === null) return;
    this.#bytes -= entry.bytes - left;
    entry.bytes = left;
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
    this.#whole.delete(key);
  }
}
