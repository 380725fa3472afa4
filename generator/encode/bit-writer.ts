const firstCapacity = 1 << 16;

/** A growing run of bits, written from the lowest bit of each byte on, as DEFLATE wants them. */
export class BitWriter {
  #bytes = new Uint8Array(firstCapacity);
  #length = 0;
  /** Bits that make no whole byte yet: fewer than 16 between two calls. */
  #held = 0;
  #count = 0;

  /** Makes room for so many bytes more. {@link write} does not check. */
  reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  /** `count`: of bits, at most 16. `value` has no others. */
  write(value: number, count: number): void {
    this.#held |= value << this.#count;
    this.#count += count;
    if (this.#count < 16) return;
    this.#bytes[this.#length] = this.#held;
    this.#bytes[this.#length + 1] = this.#held >>> 8;
    this.#length += 2;
    this.#held >>>= 16;
    this.#count -= 16;
  }

  /** Writes bytes from the next whole byte on. */
  writeBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length + 2);
    this.#align();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** All bits, filled up to whole bytes, as a copy. */
  take(): Uint8Array {
    this.reserve(2);
    this.#align();
    return this.#bytes.slice(0, this.#length);
  }

  #align(): void {
    for (; this.#count > 0; this.#count -= 8) {
      this.#bytes[this.#length] = this.#held;
      this.#length += 1;
      this.#held >>>= 8;
    }
    this.#held = 0;
    this.#count = 0;
  }
}
