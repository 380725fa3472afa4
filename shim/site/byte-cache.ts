/** A value, and how many bytes of memory it counts for. */
type Made<Value> = { readonly value: Value; readonly bytes: number };

/** How many recently used values one call spares at most, so that no call looks at thousands. */
const mostSpared = 256;

/**
 * Keeps recently used values, up to `maxBytes` in all, by the clock algorithm: a value stays if it was used since the
 * last look at it. Moving each value in the map whenever it is used would take most of the time of a comparison.
 */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  /** The values, in the order in which they are looked at. */
  readonly #entries = new Map<string, Made<Value> & { isUsed: boolean }>();
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
    if (!(bytes <= this.#maxBytes)) return;
    this.#entries.set(key, { value, bytes, isUsed: false });
    this.#bytes += bytes;
    let spared = 0;
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      const stays = oldest === key || (entry.isUsed && spared++ < mostSpared);
      if (stays) this.#entries.set(oldest, { ...entry, isUsed: false });
      else this.#bytes -= entry.bytes;
    }
  }

  /**
   * The kept value, or else a new one. `isShared`: callers that need it meanwhile wait for the same one, which an edge
   * host does not allow.
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
