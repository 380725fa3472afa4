import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { digestUnpacked } from '../../generator/http/receivers.ts';
import { seededRandom } from '../support/random.ts';

const random = seededRandom(11);
const plain = Buffer.from(Uint32Array.from({ length: 300_000 }, () => random() * 2 ** 32).buffer);
const packed = gzipSync(plain);

/** Pieces as they come from a connection, more at a time than zlib takes. */
async function* split(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

test('a large body is unpacked to its end, or to the limit', async () => {
  const whole = { isTooLong: false, size: plain.length, sha256: hash('sha256', plain) };
  expect(await digestUnpacked(split(packed), plain.length)).toMatchObject(whole);
  expect(await digestUnpacked(split(packed), plain.length / 2)).toMatchObject({ isTooLong: true });
});

test('invalid data end a large body without an error', async () => {
  for (const at of [0, 1000, 600_000, packed.length - 6]) {
    const damaged = Buffer.from(packed);
    damaged.writeUInt32LE(~damaged.readUInt32LE(at) >>> 0, at);
    const { size, isTooLong } = await digestUnpacked(split(damaged), plain.length);
    expect({ isTooLong, isShort: size <= plain.length }).toEqual({ isTooLong: false, isShort: true });
  }
});
