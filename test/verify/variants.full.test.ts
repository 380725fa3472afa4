import { hash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Variant } from '../../generator/contract/formats/site.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { EditedSite } from './edited-site.ts';
import { buildExampleSite, type ExampleSite } from './example-site.ts';

let example: ExampleSite;
beforeAll(async () => {
  example = await buildExampleSite(11, 12);
});
afterAll(() => example.remove());

const path = '/v1/categories';

function variantOf(site: EditedSite, encoding: Variant['encoding']): Variant {
  const found = site.route(path).variants?.find((variant) => variant.encoding === encoding);
  if (!found) throw new Error(`the example site has no ${encoding} variant of ${path}`);
  return found;
}

/** Replaces a variant in every place. Only its decompressed bytes may differ from the document. */
function replaceVariant(site: EditedSite, encoding: Variant['encoding'], bytes: Buffer): void {
  const sha256 = hash('sha256', bytes);
  site.write(objectPath(sha256), bytes);
  site.write(site.checkoutOf(path, encoding), bytes);
  site.editRoute(path, ({ variants = [] }) => {
    const variant = { encoding, sha256, size: bytes.length, etag: `"${hash('md5', bytes)}"` };
    variants.splice(0, 2, ...[...variants.filter((other) => other.encoding !== encoding), variant]);
    variants.sort((a, b) => a.size - b.size);
  });
}

test.each(['gzip', 'br'] as const)('a flipped byte in a %s variant', async (encoding) => {
  const site = new EditedSite(example.folder);
  const file = objectPath(variantOf(site, encoding).sha256);
  const { revision } = site.pointer;
  site.flipByte(file);
  expect(await site.faults()).toContain(`object_damaged ${file}`);
  expect((await site.faults()).filter((fault) => fault.includes(revision))).toEqual([
    `checkout_content ${site.checkoutOf(path, encoding)}`,
  ]);
});

test.each<[string, Variant['encoding'], (answer: Buffer) => Buffer]>([
  ['another answer', 'gzip', (answer) => gzipSync(answer.subarray(1))],
  ['another answer', 'br', (answer) => brotliCompressSync(answer.subarray(1))],
  ['the other encoding', 'br', (answer) => gzipSync(answer)],
  ['half the answer', 'gzip', (answer) => gzipSync(answer).subarray(0, -20)],
  ['a byte after its end', 'gzip', (answer) => Buffer.concat([gzipSync(answer), Buffer.alloc(1)])],
  ['a byte after its end', 'br', (answer) => Buffer.concat([brotliCompressSync(answer), Buffer.alloc(1)])],
  ['nothing', 'br', () => Buffer.alloc(0)],
])('%s as the %s variant', async (_, encoding, make) => {
  const site = new EditedSite(example.folder);
  replaceVariant(site, encoding, make(site.bytes(site.objectOf(path))));
  expect(await site.faults()).toEqual([`route_variant ${path}`]);
});

test('the answer by another compressor is as good', async () => {
  const site = new EditedSite(example.folder);
  replaceVariant(site, 'gzip', gzipSync(site.bytes(site.objectOf(path)), { level: 9 }));
  expect(await site.faults()).toEqual([]);
});

test.each<[string, string, (variants: Variant[]) => void]>([
  ['a wrong size', 'route_size', ([, gzip]) => Object.assign(gzip as Variant, { size: (gzip as Variant).size + 1 })],
  ['the ETag of other bytes', 'route_etag', ([br]) => Object.assign(br as Variant, { etag: `"${'0'.repeat(32)}"` })],
  ['the largest first', 'route_variant', (variants) => variants.reverse()],
  ['an encoding twice', 'route_variant', (variants) => variants.push(variants.at(-1) as Variant)],
])('variants with %s', async (_, code, edit) => {
  const site = new EditedSite(example.folder);
  site.editRoute(path, ({ variants = [] }) => edit(variants));
  expect(await site.faults()).toEqual([`${code} ${path}`]);
});

test('variants of an export', async () => {
  const site = new EditedSite(example.folder);
  const file = `/v1/exports/${site.pointer.revision}/stores.ndjson.gz`;
  const bytes = gzipSync(site.bytes(site.objectOf(file)));
  site.write(objectPath(hash('sha256', bytes)), bytes);
  site.write(site.checkoutOf(file, 'gzip'), bytes);
  const variant: Variant = {
    encoding: 'gzip',
    sha256: hash('sha256', bytes),
    size: bytes.length,
    etag: `"${hash('md5', bytes)}"`,
  };
  site.editRoute(file, (route) => Object.assign(route, { variants: [variant] }));
  expect(await site.faults()).toEqual([`route_variant ${file}`]);
});

test('an empty list of variants', async () => {
  const site = new EditedSite(example.folder);
  site.editRoute('/v1/problems/INTERNAL', (route) => Object.assign(route, { variants: [] }));
  expect((await site.faults()).some((fault) => fault.startsWith('table_unreadable'))).toBe(true);
});

test('a missing variant, in the objects and in the checkout', async () => {
  const site = new EditedSite(example.folder);
  const [object, file] = [objectPath(variantOf(site, 'br').sha256), site.checkoutOf(path, 'gzip')];
  site.remove(object);
  site.remove(file);
  const faults = await site.faults();
  expect(faults).toContain(`checkout_missing ${file}`);
  expect(faults).toContain(`object_missing ${object}`);
});

test('a file beside an answer that has no such variant', async () => {
  const site = new EditedSite(example.folder);
  const file = site.checkoutOf('/v1/problems/INTERNAL', 'gzip');
  site.write(file, gzipSync('{}'));
  expect(await site.faults()).toEqual([`checkout_stray ${file}`]);
});

test('a damaged variant that only a kept publication names', async () => {
  const site = new EditedSite(example.folder);
  const file = `checkouts/${site.pointer.publications[1]?.revision}/v1/search/index.json.br`;
  site.flipByte(file);
  const [first, second, ...more] = await site.faults();
  expect(first).toBe(`checkout_content ${file}`);
  expect(second).toMatch(/^object_damaged objects\//);
  expect(more).toEqual([]);
});

test('variants count as named objects', async () => {
  const site = new EditedSite(example.folder);
  const before = (await verifySite(site.folder)).counts;
  site.editRoute(path, (route) => delete route.variants);
  const after = (await verifySite(site.folder)).counts;
  expect(before.unnamed_objects).toBe(0);
  // The kept publication may still name the same bytes. Nothing names the former shard, root and variants.
  expect(after.unnamed_objects).toBeGreaterThanOrEqual(2);
});
