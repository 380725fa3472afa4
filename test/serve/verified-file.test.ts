import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { chunkSize, VerifiedStream, verifyContent } from '../../shim/node/verified-file.ts';
import { UnreadableError } from '../../shim/site/verified-objects.ts';
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
      fc.asyncProperty(position, position, fc.boolean(), async (a, b, isAhead) => {
        const [start, end] = [Math.min(a, b), Math.max(a, b)];
        const stream = new VerifiedStream(await open(path), content, start, end);
        if (isAhead) await stream.readAhead();
        expect((await buffer(stream)).equals(bytes.subarray(start, end + 1))).toBe(true);
        expect(stream.bytesRead).toBe(end - start + 1);
      }),
      { numRuns: 15 },
    );
  });

  test('gives no byte of a chunk in which one bit is another, and is doubted from then on', async () => {
    const bytes = largeExport.subarray(0, 4 * chunkSize + 100);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(7), async (position, bit) => {
        const content = await verified(bytes);
        const damaged = Uint8Array.from(bytes);
        damaged[position] = (damaged[position] as number) ^ (1 << bit);
        writeFileSync(path, damaged);
        const stream = new VerifiedStream(await open(path), content, 0, bytes.length - 1);
        const received: Buffer[] = [];
        stream.on('data', (part: Buffer) => received.push(part));
        const error = await new Promise((resolve) => stream.once('error', resolve));
        expect(error).toBeInstanceOf(UnreadableError);
        const whole = Math.floor(position / chunkSize) * chunkSize;
        expect(Buffer.concat(received).equals(bytes.subarray(0, whole))).toBe(true);
        expect(content.isDoubted).toBe(true);
      }),
      { numRuns: 10 },
    );
  });
});
