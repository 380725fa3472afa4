import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifySite } from '../../generator/verify/verify.ts';
import { treeOf } from '../build/site-tree.ts';
import { isCheck } from '../support/check-mode.ts';
import { SmallSites } from '../support/small-sites.ts';

const sites = SmallSites.use(2);
const site = sites.at('dist-2');

/** Flips bits of one byte under one name only, as if the checkout were a copy, while the site is verified. */
async function countFaults(file: string, offset: number, mask: number): Promise<number> {
  const original = readFileSync(file);
  const bytes = Buffer.from(original);
  bytes[offset] = (bytes[offset] as number) ^ mask;
  renameSync(file, `${site}.aside`);
  writeFileSync(file, bytes);
  try {
    return (await verifySite(site)).counts.faults;
  } finally {
    renameSync(`${site}.aside`, file);
  }
}

test('any flipped byte of any file is found', async () => {
  // The build's lock and cache are not part of the site.
  const files = [...treeOf(site).keys()].filter((name) => /^(objects|checkouts|current\.json)/.test(name));
  const flip = fc.record({
    // The pointer, which no hash covers, is chosen as often as all other files together.
    file: fc.oneof(fc.constant('current.json'), fc.constantFrom(...files)),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    mask: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(flip, async ({ file, place, mask }) => {
      const path = join(site, file);
      expect(await countFaults(path, Math.floor(place * statSync(path).size), mask)).toBeGreaterThan(0);
    }),
    { seed: 20250605, numRuns: isCheck ? 20 : 10 },
  );
  expect((await verifySite(site)).counts.faults).toBe(0);
});
