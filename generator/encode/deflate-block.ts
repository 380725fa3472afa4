import type { BitWriter } from './bit-writer.ts';
import { codeLengths, codesOf } from './huffman.ts';

/** Extra bits of the codes of lengths of 3 to 258 bytes, and of distances up to 32 KiB (RFC 1951, 3.2.5). */
const lengthExtra = [...new Array(8).fill(0), ...[1, 2, 3, 4, 5].flatMap((bits) => new Array(4).fill(bits)), 0];
const distanceExtra = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1));

/** For each length or distance: its code, and the value of its extra bits from bit 5 on. */
const lengthCode = codeTable(lengthExtra, 3, 258);
const distanceCode = codeTable(distanceExtra, 1, 32_768);

function codeTable(extraBits: readonly number[], first: number, last: number): Int32Array {
  const table = new Int32Array(last + 1);
  let value = first;
  for (const [code, bits] of extraBits.entries()) {
    // The longest length has a code of its own, and leaves one value of the code before it unused.
    if (code === 28 && last === 258) value = last;
    for (let extra = 0; extra < 1 << bits && value <= last; extra += 1) {
      table[value] = (extra << 5) | code;
      value += 1;
    }
  }
  return table;
}

const endOfBlock = 256;
const isMatch = 1 << 28;

/** The order in which the lengths of the codes for lengths are written (RFC 1951, 3.2.7). */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

type Codes = { readonly lengths: Uint8Array; readonly codes: Uint16Array };

const fixedLiterals = withCodes(
  Uint8Array.from({ length: 288 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8)),
);
const fixedDistances = withCodes(new Uint8Array(32).fill(5));

function withCodes(lengths: Uint8Array): Codes {
  return { lengths, codes: codesOf(lengths) };
}

/** Bits of a literal or match with its extra bits, in bytes, rounded up. */
const largestSymbol = 7;
/** Bytes of a block's head, at most: about 320 lengths of codes. */
const largestHead = 1024;

/** A literal or match is a symbol. The block that is being collected ends before there are more symbols than this. */
const mostSymbols = 25_000;

/** The symbols of a block, from which it is written. Chooses between the three kinds of blocks as fflate does. */
export class DeflateBlock {
  readonly #symbols = new Int32Array(mostSymbols);
  readonly #literals = new Uint16Array(288);
  readonly #distances = new Uint16Array(32);
  #count = 0;
  #matches = 0;
  #extra = 0;

  /** Whether the next symbol begins another block. */
  get isFull(): boolean {
    return this.#matches > 7_000 || this.#count > 24_576;
  }

  addLiteral(byte: number): void {
    this.#symbols[this.#count] = byte;
    this.#count += 1;
    this.#literals[byte] = (this.#literals[byte] as number) + 1;
  }

  addMatch(length: number, distance: number): void {
    const [coded, codedDistance] = [lengthCode[length] as number, distanceCode[distance] as number];
    const [symbol, distanceSymbol] = [257 + (coded & 31), codedDistance & 31];
    this.#symbols[this.#count] = isMatch | (coded << 18) | codedDistance;
    this.#count += 1;
    this.#matches += 1;
    this.#extra += (lengthExtra[coded & 31] as number) + (distanceExtra[distanceSymbol] as number);
    this.#literals[symbol] = (this.#literals[symbol] as number) + 1;
    this.#distances[distanceSymbol] = (this.#distances[distanceSymbol] as number) + 1;
  }

  /** Writes the block and begins the next. `bytes`: those that it stands for, to be stored where that is shorter. */
  write(out: BitWriter, bytes: Uint8Array, isLast: boolean): void {
    out.reserve(this.#count * largestSymbol + largestHead);
    this.#literals[endOfBlock] = 1;
    const head = new BlockHead(codeLengths(this.#literals, 15), codeLengths(this.#distances, 15));
    const fixed =
      bitsOf(this.#literals, fixedLiterals.lengths) + bitsOf(this.#distances, fixedDistances.lengths) + this.#extra;
    const dynamic =
      bitsOf(this.#literals, head.literals) + bitsOf(this.#distances, head.distances) + this.#extra + head.bits;
    const stored = (bytes.length + 5) * 8;
    out.write(isLast ? 1 : 0, 1);
    if (stored <= fixed && stored <= dynamic) writeStored(out, bytes);
    else if (dynamic < fixed) {
      out.write(2, 2);
      head.write(out);
      this.#writeSymbols(out, withCodes(head.literals), withCodes(head.distances));
    } else {
      out.write(1, 2);
      this.#writeSymbols(out, fixedLiterals, fixedDistances);
    }
    this.#clear();
  }

  #writeSymbols(out: BitWriter, literals: Codes, distances: Codes): void {
    const symbols = this.#symbols;
    const writeOne = ({ codes, lengths }: Codes, symbol: number) =>
      out.write(codes[symbol] as number, lengths[symbol] as number);
    for (let index = 0; index < this.#count; index += 1) {
      const symbol = symbols[index] as number;
      if (symbol < isMatch) {
        writeOne(literals, symbol);
        continue;
      }
      const length = (symbol >> 18) & 31;
      writeOne(literals, 257 + length);
      out.write((symbol >> 23) & 31, lengthExtra[length] as number);
      const distance = symbol & 31;
      writeOne(distances, distance);
      out.write((symbol >> 5) & 8191, distanceExtra[distance] as number);
    }
    writeOne(literals, endOfBlock);
  }

  #clear(): void {
    this.#literals.fill(0);
    this.#distances.fill(0);
    this.#count = 0;
    this.#matches = 0;
    this.#extra = 0;
  }
}

/** The lengths of a block's own codes, as they are written before its symbols (RFC 1951, 3.2.7). */
class BlockHead {
  readonly literals: Uint8Array;
  readonly distances: Uint8Array;
  readonly bits: number;
  readonly #runs: readonly Run[];
  readonly #codes: Codes;
  readonly #written: number;

  constructor(literals: Uint8Array, distances: Uint8Array) {
    this.literals = literals;
    this.distances = distances;
    this.#runs = [...runsOf(literals), ...runsOf(distances)];
    const counts = new Uint16Array(19);
    for (const { symbol } of this.#runs) counts[symbol] = (counts[symbol] as number) + 1;
    const lengths = codeLengths(counts, 7);
    this.#codes = withCodes(lengths);
    const used = lengthOrder.findLastIndex((symbol) => (lengths[symbol] ?? 0) > 0);
    this.#written = Math.max(4, used + 1);
    const extra = this.#runs.reduce((sum, run) => sum + run.bits, 0);
    this.bits = 14 + 3 * this.#written + bitsOf(counts, lengths) + extra;
  }

  write(out: BitWriter): void {
    const { lengths, codes } = this.#codes;
    out.write(this.literals.length - 257, 5);
    out.write(Math.max(1, this.distances.length) - 1, 5);
    out.write(this.#written - 4, 4);
    for (const symbol of lengthOrder.slice(0, this.#written)) out.write(lengths[symbol] ?? 0, 3);
    for (const { symbol, extra, bits } of this.#runs) {
      out.write(codes[symbol] as number, lengths[symbol] as number);
      out.write(extra, bits);
    }
  }
}

/** A length, or a run of equal lengths with `bits` bits that say how long it is. */
type Run = { readonly symbol: number; readonly extra: number; readonly bits: number };

function runsOf(lengths: Uint8Array): Run[] {
  const runs: Run[] = [];
  const add = (symbol: number, extra = 0, bits = 0) => runs.push({ symbol, extra, bits });
  // An empty list of distances is written as one unused distance.
  const all = lengths.length > 0 ? lengths : Uint8Array.of(0);
  for (let index = 0; index < all.length; ) {
    const length = all[index] as number;
    let left = 1;
    while (all[index + left] === length) left += 1;
    index += left;
    if (length === 0 && left > 2) {
      for (; left > 138; left -= 138) add(18, 127, 7);
      if (left > 10) add(18, left - 11, 7);
      else if (left > 2) add(17, left - 3, 3);
      if (left > 2) left = 0;
    } else if (length > 0 && left > 3) {
      add(length);
      left -= 1;
      for (; left > 6; left -= 6) add(16, 3, 2);
      if (left > 2) {
        add(16, left - 3, 2);
        left = 0;
      }
    }
    for (; left > 0; left -= 1) add(length);
  }
  return runs;
}

function bitsOf(counts: Uint16Array, lengths: Uint8Array): number {
  let bits = 0;
  for (let symbol = 0; symbol < lengths.length; symbol += 1) {
    bits += (counts[symbol] as number) * (lengths[symbol] as number);
  }
  return bits;
}

function writeStored(out: BitWriter, bytes: Uint8Array): void {
  const { length } = bytes;
  out.write(0, 2);
  out.writeBytes(Uint8Array.of(length, length >> 8, ~length, ~length >> 8));
  out.writeBytes(bytes);
}
