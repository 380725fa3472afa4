import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressTable } from '../../contract/addresses.ts';
import { objectPath, parsePath } from '../../contract/paths.ts';
import type { Route } from '../../contract/schemas/site-files.ts';
import { brotliWhole, GzipWriter, gzipWhole } from '../../generator/tables/compression.ts';
import { Pieces } from '../../generator/tables/pieces.ts';
import { copyBuiltFixtures } from './built-fixtures.ts';
import { temporaryFolder } from './fixture-series.ts';
import { readSite } from './site-tree.ts';

const folder = temporaryFolder();
const dist = join(folder.path, 'dist');
let routes: Map<string, Route>;

beforeAll(async () => {
  await copyBuiltFixtures(dist, 12);
  routes = readSite(dist).routes;
});
afterAll(folder.remove);

const readObject = (sha256: string) => readFileSync(join(dist, objectPath(sha256)));
describe('variants', () => {
  test('exist for lists, indexes, the description and the feed', () => {
    const lists = ['products', 'product-families', 'brands', 'stores', 'categories', 'changes'];
    const indexes = ['products/browse', 'brands/index', 'search/index', 'availability/stores', 'changes/pages'];
    const names = [...lists, ...[...indexes, 'openapi'].map((name) => `${name}.json`), 'metadata/publications.atom'];
    const found = names.map((name) => [name, routes.get(`/v1/${name}`)?.variants?.map(({ encoding }) => encoding)]);
    const isDense = (name: string) => ['search/index.json', 'openapi.json'].includes(name);
    expect(found).toEqual(names.map((name) => [name, isDense(name) ? ['br', 'gzip'] : ['gzip']]));
  });

  test('do not exist for small answers, documents of products and families, sealed pages and exports', () => {
    const kinds = new Set<string>();
    for (const { path, size, variants = [] } of routes.values()) {
      for (const variant of variants) expect(variant.size, path).toBeLessThanOrEqual(size * 0.8);
      if (variants.length === 0) continue;
      expect(size, path).toBeGreaterThanOrEqual(1024);
      kinds.add(parsePath(path)?.kind ?? '');
    }
    expect([...kinds].filter((kind) => /^(product|family)(_|$)|changes_page|export$/.test(kind))).toEqual([]);
    expect(kinds.has('store_availability')).toBe(true);
  });

  test('are the answer in the codings of its address', () => {
    const encoders = { br: brotliWhole, gzip: gzipWhole };
    for (const { path, sha256, variants = [] } of routes.values()) {
      const kind = parsePath(path)?.kind;
      for (const { encoding, sha256: compressed } of variants) {
        expect(kind && addressTable[kind].codings, path).toContain(encoding);
        expect(hash('sha256', encoders[encoding](readObject(sha256))), path).toBe(compressed);
      }
    }
  });
});

describe('the compressors', () => {
  /** Text with near and distant repetitions, the same on every machine. */
  function sample(length: number): Buffer {
    const words = Array.from({ length: 200 }, (_, index) => `${(index * 7919).toString(36)}-${index % 7}`);
    let text = '';
    for (let index = 0; text.length < length; index += 1) text += `{"${words[(index * index) % 200]}":${index % 97}},`;
    return Buffer.from(text.slice(0, length));
  }

  test.each([0, (1 << 20) + 1])('compress %i bytes to the same result, whatever they compressed before', (length) => {
    const bytes = sample(length);
    for (const compress of [brotliWhole, gzipWhole]) {
      const first = compress(bytes);
      compress(sample(12_345));
      expect(Buffer.compare(compress(bytes), first)).toBe(0);
    }
    expect(gunzipSync(gzipWhole(bytes)).equals(bytes)).toBe(true);
    expect(brotliDecompressSync(brotliWhole(bytes)).equals(bytes)).toBe(true);
  });

  test('keep multibyte letters whole where two chunks meet', () => {
    const letters = '\u20ac\u{1f37e}'.repeat(10_000);
    for (const before of ['', 'a', 'ab']) {
      const pieces = new Pieces();
      const piecewise = new GzipWriter(pieces.add);
      piecewise.write(before);
      for (let times = 0; times < 30; times += 1) piecewise.write(letters);
      piecewise.end();
      expect(gunzipSync(pieces.bytes()).toString() === before + letters.repeat(30)).toBe(true);
    }
  });

  test.each([0, -1, 1])('join a table of 24 MiB and %i bytes, whole or as a stream', (more) => {
    const bytes = Buffer.alloc(24 * (1 << 20) + more, 'a row of a table\n');
    const pieces = new Pieces();
    const file = new GzipWriter(pieces.add);
    for (let start = 0; start < bytes.length; start += 1 << 22)
      file.write(bytes.toString('latin1', start, start + (1 << 22)));
    file.end();
    expect(gunzipSync(pieces.bytes()).equals(bytes)).toBe(true);
  });

  test('leave no listener behind that would change the exit code of a process that fails', () => {
    const script = "import { gzipWhole } from './generator/tables/compression.ts'; gzipWhole(Buffer.from('a'));";
    const args = ['--input-type=module', '--eval', `${script} throw new Error('thrown on purpose')`];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(stderr).toContain('thrown on purpose');
    expect(status).toBe(1);
  });

  test('still give these bytes: other packages would make other variants, with other ETags', () => {
    const bytes = sample(70_000);
    expect([brotliWhole, gzipWhole].map((compress) => hash('sha256', compress(bytes)))).toEqual([
      '55146c8940c193528ee7807c84f904a4b0999856e09ddbbcf1993c5974dfce53',
      'eae9079577661d12096f8ce8fe8be6569e1fe0c5312f872119d1f4ad12a44a0f',
    ]);
  });
});
