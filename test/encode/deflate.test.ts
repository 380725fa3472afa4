import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { Deflate, deflateSync } from 'fflate';
import { expect, test } from 'vitest';
import { Deflater, deflateWhole } from '../../generator/encode/deflate.ts';

const options = { level: 6, mem: 8 } as const;

function ourStream(pieces: readonly Uint8Array[], last: Uint8Array): Buffer {
  const deflater = new Deflater();
  for (const piece of pieces) deflater.push(piece);
  return Buffer.from(deflater.end(last));
}

function theirStream(pieces: readonly Uint8Array[], last: Uint8Array): Buffer {
  const chunks: Uint8Array[] = [];
  const deflate = new Deflate(options, (chunk) => chunks.push(chunk));
  for (const piece of pieces) deflate.push(Buffer.from(piece));
  deflate.push(Buffer.from(last), true);
  return Buffer.concat(chunks);
}

/** A repeatable sequence of numbers below 1. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Bytes of so many kinds, in runs: each is new or repeats bytes from before, from near or from beyond the reach of a
 * match.
 */
function bytesOf(seed: number, length: number, kinds: number, repetition: number): Buffer {
  const random = randomOf(seed);
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const run = Math.min(length - filled, 1 + Math.floor(random() ** 3 * 400));
    if (filled > 0 && random() < repetition) {
      const from = filled - 1 - Math.floor(random() * Math.min(filled, 70_000));
      for (let index = 0; index < run; index += 1) bytes[filled + index] = bytes[from + index] ?? 0;
    } else for (let index = 0; index < run; index += 1) bytes[filled + index] = Math.floor(random() * kinds);
    filled += run;
  }
  return bytes;
}

const anyBytes = fc
  .tuple(
    fc.integer(),
    fc.oneof(fc.nat(600), fc.nat(200_000)),
    fc.constantFrom(1, 2, 5, 16, 64, 256),
    fc.constantFrom(0, 0.5, 0.95),
  )
  .map(([seed, length, kinds, repetition]) => bytesOf(seed, length, kinds, repetition));

test('compresses to the bytes of fflate, in one go', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const compressed = Buffer.from(deflateWhole(bytes));
      expect(compressed.equals(deflateSync(bytes, options))).toBe(true);
      expect(inflateRawSync(compressed).equals(bytes)).toBe(true);
    }),
  );
});

test('compresses streams of any pieces to the bytes of fflate', () => {
  fc.assert(
    fc.property(fc.array(anyBytes, { maxLength: 6 }), anyBytes, (pieces, last) => {
      const compressed = ourStream(pieces, last);
      expect(compressed.equals(theirStream(pieces, last))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each([0, 1, 1000, 2 ** 20])(
  'compresses whole pieces and a last one of %d bytes to the bytes of fflate',
  (size) => {
    const piece = 2 ** 20;
    const bytes = bytesOf(size, 3 * piece + size, 64, 0.95);
    const pieces = [0, 1, 2].map((index) => bytes.subarray(index * piece, (index + 1) * piece));
    const last = bytes.subarray(3 * piece);
    const compressed = ourStream(pieces, last);
    expect(compressed.equals(theirStream(pieces, last))).toBe(true);
    expect(inflateRawSync(compressed).equals(bytes)).toBe(true);
  },
);
