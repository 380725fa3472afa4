import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { UnreadableError } from '../../contract/site/source.ts';
import { chunkSize, verifiedBytes, verifyContent } from '../../shim/node/verified-file.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { largeExport } from './example-site.ts';

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'object');

/** A file with these bytes, and the result of verifying it. */
async function verified(bytes: Uint8Array) {
  writeFileSync(path, bytes);
  const file = await open(path);
  try {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return await verifyContent(file, { sha256, size: bytes.length });
  } finally {
    await file.close();
  }
}

describe('a verified file', () => {
  test.each([1, chunkSize - 1, chunkSize, 3 * chunkSize + 7])('of %i bytes gives every range of them', async (size) => {
    const bytes = largeExport.subarray(0, size);
    const content = await verified(bytes);
    const edges = [0, chunkSize - 1, chunkSize, 2 * chunkSize, size - 1].filter((position) => position < size);
    const position = fc.oneof(fc.constantFrom(...edges), fc.nat(size - 1));
    await fc.assert(
      fc.asyncProperty(position, position, async (a, b) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        await using file = await open(path);
        const sent = await buffer(verifiedBytes(file, content, start, end));
        expect(sent.equals(bytes.subarray(start, end + 1))).toBe(true);
      }),
      { numRuns: 15 },
    );
  });

  test('gives no byte of a chunk in which one bit has changed, and is not trusted from then on', async () => {
    const bytes = largeExport.subarray(0, 4 * chunkSize + 100);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (position, bit) => {
        const content = await verified(bytes);
        const damaged = Uint8Array.from(bytes);
        damaged[position] = (damaged[position] as number) ^ (1 << bit);
        writeFileSync(path, damaged);
        await using file = await open(path);
        const received: Uint8Array[] = [];
        const read = async () => {
          for await (const part of verifiedBytes(file, content, 0, bytes.length - 1)) received.push(part);
        };
        await expect(read()).rejects.toBeInstanceOf(UnreadableError);
        const whole = Math.floor(position / chunkSize) * chunkSize;
        expect(Buffer.concat(received).equals(bytes.subarray(0, whole))).toBe(true);
        expect(content.hasChanged).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});
