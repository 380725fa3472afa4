/** Keeps the values used last, as long as their bytes add up to at most `maxBytes`. */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** A value that is too large for the whole cache is not kept. */
  set(key: string, value: Value, bytes: number): void {
    this.#remove(key);
    if (bytes > this.#maxBytes) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
