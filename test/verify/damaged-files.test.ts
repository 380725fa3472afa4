import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { isCheck } from '../support/check-mode.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readTree } from '../units/site-tree.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(2);

const exportPath = (site: EditedSite) => `/v1/exports/${site.pointer.revision}/inventory.ndjson.gz`;
const sealedPage = '/v1/changes/pages/1.json';

test('a flipped byte in an object', async () => {
  const site = new EditedSite(example.folder);
  const documents = ['/v1/metadata', '/v1/changes', sealedPage, '/v1/products', '/v1/openapi.json'];
  const table = exportPath(site).replace('ndjson.gz', 'parquet');
  const paths = [...documents, '/v1/changes/pages.json', exportPath(site), table];
  for (const path of paths) site.flipByte(site.objectOf(path));
  const expected = paths.flatMap((path) => [
    `checkout_content ${site.checkoutOf(path)}`,
    `object_damaged ${site.objectOf(path)}`,
  ]);
  for (const path of [exportPath(site), table]) {
    expected.push(`checkout_content ${site.checkoutOf(path.replace(site.pointer.revision, 'latest'))}`);
  }
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

test('a flipped byte in a shard is one fault, and so is a missing one, although its routes are lost', async () => {
  const site = new EditedSite(example.folder);
  const shard = objectPath(site.table.root.shards[0]?.sha256 ?? '');
  site.flipByte(shard);
  expect(await site.faults()).toEqual([`object_damaged ${shard}`]);
  site.remove(shard);
  expect(await site.faults()).toEqual([`object_missing ${shard}`]);
});

test('a flipped byte in the root is one fault, and the rest is still checked', async () => {
  const site = new EditedSite(example.folder);
  const root = objectPath(site.pointer.routes.sha256);
  const metadata = site.objectOf('/v1/metadata');
  site.flipByte(root);
  expect(await site.faults()).toEqual([`object_damaged ${root}`]);
  site.flipByte(metadata);
  expect((await site.faults()).sort()).toEqual([`object_damaged ${metadata}`, `object_damaged ${root}`].sort());
});

test('a missing object, and a missing export', async () => {
  const site = new EditedSite(example.folder);
  const files = ['/v1/brands', sealedPage, exportPath(site)].map((path) => site.objectOf(path));
  for (const file of files) site.remove(file);
  expect(await site.faults()).toEqual(files.map((file) => `object_missing ${file}`).sort());
});

test('without a pointer, objects are compared with their names', async () => {
  const site = new EditedSite(example.folder);
  const damaged = site.objectOf('/v1/stores');
  site.flipByte(damaged);
  site.remove('current.json');
  expect(await site.faults()).toEqual(['pointer_unreadable current.json', `object_damaged ${damaged}`]);
  site.write('current.json', '{"format":');
  expect(await site.faults()).toEqual(['pointer_unreadable current.json', `object_damaged ${damaged}`]);
});

test('an object that the system refuses to read', async () => {
  const site = new EditedSite(example.folder);
  const file = site.objectOf('/v1/categories');
  site.remove(file);
  mkdirSync(site.locate(file));
  expect(await site.faults()).toEqual([`object_unreadable ${file}`]);
});

const sites = SmallSites.use(2);
const small = sites.at('dist-2');

/** Flips bits of one byte under one name only, as if the checkout were a copy, while the site is verified. */
async function countFaults(file: string, offset: number, mask: number): Promise<number> {
  const original = readFileSync(file);
  const bytes = Buffer.from(original);
  bytes[offset] = (bytes[offset] as number) ^ mask;
  renameSync(file, `${small}.aside`);
  writeFileSync(file, bytes);
  try {
    return (await verifySite(small)).counts.faults;
  } finally {
    renameSync(`${small}.aside`, file);
  }
}

test('any flipped byte of any file is found', async () => {
  // The build's lock and cache are not part of the site.
  const files = [...readTree(small).keys()].filter((name) => /^(objects|checkouts|current\.json)/.test(name));
  const flip = fc.record({
    // The pointer, which no hash covers, is chosen as often as all other files together.
    file: fc.oneof(fc.constant('current.json'), fc.constantFrom(...files)),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    mask: fc.integer({ min: 1, max: 255 }),
  });
  await fc.assert(
    fc.asyncProperty(flip, async ({ file, place, mask }) => {
      const path = join(small, file);
      expect(await countFaults(path, Math.floor(place * statSync(path).size), mask)).toBeGreaterThan(0);
    }),
    { seed: 20250605, numRuns: isCheck ? 20 : 10 },
  );
  expect((await verifySite(small)).counts.faults).toBe(0);
});
