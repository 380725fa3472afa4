import { BitWriter } from './bit-writer.ts';
import { DeflateBlock } from './deflate-block.ts';

/** How far back a match may begin, in bytes. Positions are remembered modulo this number. */
const reach = 32_768;
const positionMask = reach - 1;

/** Candidates for a match that are looked at, at most, plus one. */
const mostCandidates = 128;
/** A match of more bytes than this ends the search. */
const niceLength = 127;
const longestMatch = 258;

/** Three bytes make a hash of 20 bits. */
const hashMask = 0xfffff;

/** The last of a stream's blocks is not split when fewer bytes than this are left. */
const lastBytes = 424;

/** The size of a stream's window before the first piece that does not fit. */
const firstSize = 98_304;

/** Bytes that may be read after the end of a window. */
const padding = 4;

/** The bytes compressed in one go, as fflate's `deflateSync` does. */
export function deflateWhole(bytes: Uint8Array): Uint8Array {
  const window = windowOf(bytes.length);
  window.bytes.set(bytes);
  const run = new DeflateRun();
  run.write(window, bytes.length, 0, 0, true);
  return run.take();
}

/**
 * Compresses a stream with DEFLATE (RFC 1951), to the same bytes as the package fflate at level 6 with `mem` 8, in
 * less time. Compressed files keep their bytes for ever, so the search for matches, the choice of blocks and the
 * places where pieces are cut follow fflate in everything that shows.
 */
export class Deflater {
  readonly #run = new DeflateRun();
  #window = windowOf(firstSize);
  /** Where the bytes in the window end, and where the next run begins: to remember positions, to write symbols. */
  #end = reach;
  #remember = reach;
  #write = reach;

  /** Adds a piece of a stream. The compressed bytes depend on how the stream is cut into pieces. */
  push(piece: Uint8Array): void {
    this.#take(piece);
    if (this.#end > this.#write + 8_191) this.#compress(false);
  }

  /** Adds the last piece. Returns all compressed bytes. */
  end(piece: Uint8Array): Uint8Array {
    this.#take(piece);
    this.#compress(true);
    return this.#run.take();
  }

  /** Puts a piece into the window. A full window is compressed first, and keeps what is within reach. */
  #take(piece: Uint8Array): void {
    const needed = this.#end + piece.length;
    if (needed <= this.#window.size) {
      this.#window.bytes.set(piece, this.#end);
      this.#end = needed;
      return;
    }
    if (needed > 2 * this.#window.size - reach) {
      const larger = windowOf(needed - (needed % reach));
      larger.bytes.set(this.#window.bytes.subarray(0, this.#end));
      this.#window = larger;
    }
    const { bytes, size } = this.#window;
    const fitting = size - this.#end;
    bytes.set(piece.subarray(0, fitting), this.#end);
    this.#end = size;
    this.#compress(false);
    bytes.copyWithin(0, size - reach, size);
    bytes.set(piece.subarray(fitting), reach);
    this.#end = reach + piece.length - fitting;
    this.#remember = reach - 2;
    this.#write = reach;
  }

  #compress(isLast: boolean): void {
    this.#run.write(this.#window, this.#end, this.#remember, this.#write, isLast);
    this.#write = this.#end;
    this.#remember = this.#end - 2;
  }
}

/** Blocks one after another, and the positions that matches may begin at. */
class DeflateRun {
  readonly #out = new BitWriter();
  readonly #block = new DeflateBlock();
  /** The last position of each hash, and of each position the one before with its hash. */
  readonly #last = new Uint16Array(hashMask + 1);
  readonly #before = new Uint16Array(reach);

  /**
   * Writes blocks of the window's bytes from `write` to `end`, and remembers the positions from `remember` on. What the
   * first block could store as it is begins where the window does, as with fflate, so that it is never stored.
   */
  write({ bytes, words }: Window, end: number, remember: number, write: number, isLast: boolean): void {
    const [last, before, block, out] = [this.#last, this.#before, this.#block, this.#out];
    const hashed = end - 2;
    let blockStart = 0;
    let position = remember;
    let next = write;
    while (position < hashed) {
      if (position < next) {
        const until = Math.min(next, hashed);
        rememberRun(bytes, last, before, position, until);
        position = until;
        continue;
      }
      if (block.isFull && (end - position >= lastBytes || !isLast)) {
        block.write(out, bytes.subarray(blockStart, position), false);
        blockStart = position;
      }
      const match = searchAt(bytes, words, last, before, position, end);
      if (match === 0) {
        block.addLiteral(bytes[position] as number);
        next = position + 1;
      } else {
        block.addMatch(match >>> 16, match & 0xffff);
        next = position + (match >>> 16);
      }
      position += 1;
    }
    for (position = Math.max(position, next); position < end; position += 1) {
      block.addLiteral(bytes[position] as number);
    }
    block.write(out, bytes.subarray(blockStart, end), isLast);
  }

  /** All blocks. */
  take(): Uint8Array {
    return this.#out.take();
  }
}

/** Bytes, and the same as words, with the padding. `size`: without it. */
type Window = { readonly bytes: Uint8Array; readonly words: DataView; readonly size: number };

function windowOf(size: number): Window {
  const bytes = new Uint8Array(size + padding);
  return { bytes, words: new DataView(bytes.buffer), size };
}

function hashOf(a: number, b: number, c: number): number {
  return (a ^ (b << 7) ^ (c << 14)) & hashMask;
}

/** Remembers the positions from `first` to before `end`, within a match. This takes most of the time, so it is plain. */
function rememberRun(bytes: Uint8Array, last: Uint16Array, before: Uint16Array, first: number, end: number): void {
  let [a, b] = [bytes[first] as number, bytes[first + 1] as number];
  for (let position = first; position < end; position += 1) {
    const c = bytes[position + 2] as number;
    const hash = hashOf(a, b, c);
    before[position & positionMask] = last[hash] as number;
    last[hash] = position & positionMask;
    a = b;
    b = c;
  }
}

/**
 * Remembers a position, and looks for the longest match there: its length times 2^16 plus its distance; 0 for none.
 */
function searchAt(
  bytes: Uint8Array,
  words: DataView,
  last: Uint16Array,
  before: Uint16Array,
  position: number,
  end: number,
): number {
  const hash = hashOf(bytes[position] as number, bytes[position + 1] as number, bytes[position + 2] as number);
  const slot = position & positionMask;
  const candidate = last[hash] as number;
  before[slot] = candidate;
  last[hash] = slot;
  const distance = (slot - candidate) & positionMask;
  if (distance === 0 || distance > position) return 0;
  const from = position - distance;
  if (hashOf(bytes[from] as number, bytes[from + 1] as number, bytes[from + 2] as number) !== hash) return 0;
  return longestAt(bytes, words, before, position, end - position, distance, candidate);
}

/**
 * The longest match among the candidates, of more than two bytes. After each longer match it goes on from the position
 * within the match that has the farthest predecessor: sequences that are rare leave fewer candidates.
 */
function longestAt(
  bytes: Uint8Array,
  words: DataView,
  before: Uint16Array,
  position: number,
  left: number,
  firstDistance: number,
  firstCandidate: number,
): number {
  const most = Math.min(longestMatch, left);
  const nice = Math.min(niceLength, left - 1);
  const farthest = Math.min(positionMask, position);
  let [length, found, distance, slot] = [2, 0, firstDistance, firstCandidate];
  for (let candidates = mostCandidates - 1; candidates > 0 && distance <= farthest; candidates -= 1) {
    const from = position - distance;
    if (length < most && bytes[position + length] === bytes[from + length]) {
      const equal = equalBytes(bytes, words, from, position, most);
      if (equal > length) {
        length = equal;
        found = distance;
        if (equal > nice) break;
        const positions = Math.min(distance, equal - 2);
        let widest = 0;
        // Beyond this gap all further candidates are out of reach.
        const useful = farthest - distance;
        for (let offset = 0; offset < positions && widest <= useful; offset += 1) {
          const own = (from + offset) & positionMask;
          const gap = (own - (before[own] as number)) & positionMask;
          if (gap > widest) {
            widest = gap;
            slot = own;
          }
        }
        if (widest > useful) break;
      }
    }
    const next = before[slot] as number;
    if (next === slot) break;
    distance += (slot - next) & positionMask;
    slot = next;
  }
  return found === 0 ? 0 : (length << 16) | found;
}

/** How many bytes from two positions on are equal, at most `most`. Compares four at a time. */
function equalBytes(bytes: Uint8Array, words: DataView, from: number, position: number, most: number): number {
  let equal = 0;
  while (equal <= most - 4) {
    const difference = words.getInt32(from + equal, true) ^ words.getInt32(position + equal, true);
    if (difference !== 0) return equal + ((31 - Math.clz32(difference & -difference)) >> 3);
    equal += 4;
  }
  while (equal < most && bytes[from + equal] === bytes[position + equal]) equal += 1;
  return equal;
}
