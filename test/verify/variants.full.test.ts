import { hash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { Variant } from '../../contract/schemas/site-files.ts';
import { EditedSite } from './edited-site.ts';
import { useExampleSite } from './example-site.ts';

const example = useExampleSite(2);

const path = '/v1/categories';

/** Replaces a variant in every place. Only its decompressed bytes may differ from the document. */
function replaceVariant(site: EditedSite, path: string, encoding: Variant['encoding'], bytes: Buffer): void {
  const sha256 = hash('sha256', bytes);
  site.write(objectPath(sha256), bytes);
  site.write(site.checkoutOf(path, encoding), bytes);
  site.editRoute(path, (route) => {
    const variant = { encoding, sha256, size: bytes.length, etag: `"${hash('md5', bytes)}"` };
    const others = route.variants?.filter((other) => other.encoding !== encoding) ?? [];
    route.variants = [...others, variant].sort((a, b) => a.size - b.size);
  });
}

test('variants with other bytes, and routes that state something else about them', async () => {
  const site = new EditedSite(example.folder);
  const contents: Record<string, [encoding: Variant['encoding'], make: (answer: Buffer) => Buffer]> = {
    // Another answer.
    '/v1/brands': ['gzip', (answer) => gzipSync(answer.subarray(1))],
    '/v1/brands/index.json': ['gzip', (answer) => gzipSync(answer.subarray(1))],
    // The other encoding.
    '/v1/changes': ['gzip', (answer) => brotliCompressSync(answer)],
    // Half the answer.
    '/v1/exports': ['gzip', (answer) => gzipSync(answer).subarray(0, -20)],
    // A byte after its end.
    '/v1/metadata': ['gzip', (answer) => Buffer.concat([gzipSync(answer), Buffer.alloc(1)])],
    // Nothing.
    '/v1/search/index.json': ['br', () => Buffer.alloc(0)],
  };
  const statements: Record<string, [code: string, edit: (variants: Variant[]) => void]> = {
    // A wrong size.
    '/v1/products': ['route_size', ([gzip]) => Object.assign(gzip as Variant, { size: (gzip as Variant).size + 1 })],
    // The ETag of other bytes.
    '/v1/product-families': ['route_etag', ([gzip]) => Object.assign(gzip as Variant, { etag: `"${'0'.repeat(32)}"` })],
    // The largest first.
    '/v1/openapi.json': ['route_variant', (variants) => variants.reverse()],
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
  // An export has none.
  const file = `/v1/exports/${site.pointer.revision}/stores.ndjson.gz`;
  replaceVariant(site, file, 'gzip', gzipSync(site.bytes(site.objectOf(file))));
  expected.push(`route_variant ${file}`);
  // The answer from another compressor is just as good.
  replaceVariant(site, path, 'gzip', gzipSync(site.bytes(site.objectOf(path)), { level: 9 }));
  expect((await site.faults()).sort()).toEqual(expected.sort());
});

test('a missing variant, in the objects and in the checkout, and a file beside an answer that has none', async () => {
  const site = new EditedSite(example.folder);
  const brotli = site.route(path).variants?.find(({ encoding }) => encoding === 'gzip');
  const [object, file] = [objectPath(brotli?.sha256 ?? ''), site.checkoutOf(path, 'gzip')];
  const stray = site.checkoutOf('/v1/problems/INTERNAL', 'gzip');
  site.remove(object);
  site.remove(file);
  site.write(stray, gzipSync('{}'));
  const faults = await site.faults();
  expect(faults).toContain(`checkout_missing ${file}`);
  expect(faults).toContain(`object_missing ${object}`);
  expect(faults.filter((fault) => fault.startsWith('checkout_stray '))).toEqual([`checkout_stray ${stray}`]);
});
