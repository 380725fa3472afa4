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

function variantOf(site: EditedSite, path: string, encoding: Variant['encoding']): Variant {
  const found = site.route(path).variants?.find((variant) => variant.encoding === encoding);
  if (!found) throw new Error(`the example site has no ${encoding} variant of ${path}`);
  return found;
}

/** Replaces a variant in every place. Only its decompressed bytes may differ from the document. */
function replaceVariant(site: EditedSite, path: string, encoding: Variant['encoding'], bytes: Buffer): void {
  const sha256 = hash('sha256', bytes);
  site.write(objectPath(sha256), bytes);
  site.write(site.checkoutOf(path, encoding), bytes);
  site.editRoute(path, ({ variants = [] }) => {
    const variant = { encoding, sha256, size: bytes.length, etag: `"${hash('md5', bytes)}"` };
    variants.splice(0, 2, ...[...variants.filter((other) => other.encoding !== encoding), variant]);
    variants.sort((a, b) => a.size - b.size);
  });
}

test('a flipped byte in a variant of each encoding', async () => {
  const site = new EditedSite(example.folder);
  const { revision } = site.pointer;
  const variants = { '/v1/brands': 'gzip', '/v1/categories': 'br' } as const;
  const files = Object.entries(variants).map(([path, encoding]) => ({
    object: objectPath(variantOf(site, path, encoding).sha256),
    checkout: site.checkoutOf(path, encoding),
  }));
  for (const { object } of files) site.flipByte(object);
  const faults = await site.faults();
  for (const { object } of files) expect(faults).toContain(`object_damaged ${object}`);
  expect(faults.filter((fault) => fault.includes(revision))).toEqual(
    files.map(({ checkout }) => `checkout_content ${checkout}`),
  );
});

test('variants of other bytes, and routes that say otherwise of theirs', async () => {
  const site = new EditedSite(example.folder);
  const contents: Record<string, [encoding: Variant['encoding'], make: (answer: Buffer) => Buffer]> = {
    // Another answer.
    '/v1/brands': ['gzip', (answer) => gzipSync(answer.subarray(1))],
    '/v1/brands/index.json': ['br', (answer) => brotliCompressSync(answer.subarray(1))],
    // The other encoding.
    '/v1/changes': ['br', (answer) => gzipSync(answer)],
    // Half the answer.
    '/v1/exports': ['gzip', (answer) => gzipSync(answer).subarray(0, -20)],
    // A byte after its end.
    '/v1/metadata': ['gzip', (answer) => Buffer.concat([gzipSync(answer), Buffer.alloc(1)])],
    '/v1/openapi.json': ['br', (answer) => Buffer.concat([brotliCompressSync(answer), Buffer.alloc(1)])],
    // Nothing.
    '/v1/search/index.json': ['br', () => Buffer.alloc(0)],
  };
  const statements: Record<string, [code: string, edit: (variants: Variant[]) => void]> = {
    // A wrong size.
    '/v1/products': ['route_size', ([, gzip]) => Object.assign(gzip as Variant, { size: (gzip as Variant).size + 1 })],
    // The ETag of other bytes.
    '/v1/product-families': ['route_etag', ([br]) => Object.assign(br as Variant, { etag: `"${'0'.repeat(32)}"` })],
    // The largest first.
    '/v1/stores': ['route_variant', (variants) => variants.reverse()],
    // An encoding twice.
    '/v1': ['route_variant', (variants) => variants.push(variants.at(-1) as Variant)],
  };
  const expected: string[] = [];
  for (const [at, [encoding, make]] of Object.entries(contents)) {
    replaceVariant(site, at, encoding, make(site.bytes(site.objectOf(at))));
    expected.push(`route_variant ${at}`);
  }
  for (const [at, [code, edit]] of Object.entries(statements)) {
    site.editRoute(at, ({ variants = [] }) => edit(variants));
    expected.push(`${code} ${at}`);
  }
  expected.push(`route_variant ${addVariantOfExport(site)}`);
  // The answer by another compressor is as good.
  replaceVariant(site, path, 'gzip', gzipSync(site.bytes(site.objectOf(path)), { level: 9 }));
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

/** Gives an export a variant, which none may have. Returns its address. */
function addVariantOfExport(site: EditedSite): string {
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
  return file;
}

test('an empty list of variants', async () => {
  const site = new EditedSite(example.folder);
  site.editRoute('/v1/problems/INTERNAL', (route) => Object.assign(route, { variants: [] }));
  expect((await site.faults()).some((fault) => fault.startsWith('table_unreadable'))).toBe(true);
});

test('a missing variant, in the objects and in the checkout, and a file beside an answer that has none', async () => {
  const site = new EditedSite(example.folder);
  const [object, file] = [objectPath(variantOf(site, path, 'br').sha256), site.checkoutOf(path, 'gzip')];
  const stray = site.checkoutOf('/v1/problems/INTERNAL', 'gzip');
  site.remove(object);
  site.remove(file);
  site.write(stray, gzipSync('{}'));
  const faults = await site.faults();
  expect(faults).toContain(`checkout_missing ${file}`);
  expect(faults).toContain(`object_missing ${object}`);
  expect(faults.filter((fault) => fault.startsWith('checkout_stray '))).toEqual([`checkout_stray ${stray}`]);
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
