import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type TinyDocument, type TinySite, tinyExport, tinySite } from '../shim/tiny-site.ts';

export const revisions = {
  first: '11111111-1111-4111-8111-111111111111',
  second: '22222222-2222-4222-8222-222222222222',
} as const;

export const smallExport = gzipSync('{"record_type":"header"}\n');
/** An export that is too large to be kept in memory, and does not compress. */
export const largeExport = pseudoRandom(3_000_001);

/** An export larger than the buffers of a connection, so that its download stops if the client does not read. */
export const hugeExport = Buffer.alloc(32_000_000, largeExport);

export const smallExportPath = `/v1/exports/${revisions.first}/stores.ndjson.gz`;
export const largeExportPath = `/v1/exports/${revisions.first}/inventory.ndjson.gz`;
export const hugeExportPath = `/v1/exports/${revisions.first}/products.ndjson.gz`;
export const largeDocument = JSON.stringify({ data: 'x'.repeat(300_000) });

/** A site with a few documents whose bytes name their publication. */
export function exampleSite(revision: string, sequence = 1, more: Record<string, TinyDocument> = {}): TinySite {
  const document = (name: string, more: object = {}) => ({
    body: JSON.stringify({ data: { name, revision, ...more } }),
  });
  return tinySite({
    revision,
    sequence,
    documents: {
      '/v1': document('index'),
      '/v1/metadata': document('metadata', { service: {} }),
      '/v1/categories': document('categories'),
      '/v1/openapi.json': { body: largeDocument },
      '/v1/changes/pages/1.json': { body: '{"data":[]}', cache: 'immutable' },
      '/v1/products/former-skus.json': { body: '{"ambiguous":["000777"]}' },
      [smallExportPath]: tinyExport(smallExport),
      [largeExportPath]: tinyExport(largeExport),
      ...more,
    },
  });
}

/** The same bytes on every run. */
function pseudoRandom(size: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(size / 32) }, (_, i) => createHash('sha256').update(`${i}`).digest());
  return Buffer.concat(blocks).subarray(0, size);
}

export function siteWithHugeExport(): TinySite {
  return exampleSite(revisions.first, 1, { [hugeExportPath]: tinyExport(hugeExport) });
}

export function findRoute(site: TinySite, path: string) {
  const route = site.routes.find((candidate) => candidate.path === path);
  if (!route) throw new Error(`the example site has no route ${path}`);
  return route;
}
