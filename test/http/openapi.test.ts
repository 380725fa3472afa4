import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AddressKind, addressTable } from '../../contract/addresses.ts';
import { isOutsideContract, parsePath, templates } from '../../contract/paths.ts';
import type { RunningServer } from '../serve/running-server.ts';
import { isCheck } from '../support/check-mode.ts';
import type { Reply } from '../support/http-client.ts';
import { DescribedAnswers, type Description } from './described-answers.ts';
import { violations } from './house-rules.ts';
import { Servers } from './servers.ts';

const kinds = (Object.keys(templates) as AddressKind[]).filter((kind) => !addressTable[kind].isOutsideContract);

/**
 * The fixtures are too small for these, which need more than 100 rows by name, or 10,000 events. Others need the URLs
 * of the site.
 */
const absentKinds: readonly AddressKind[] = [
  'brands_page',
  'change_piece',
  'change_piece_parquet',
  'changes_segment',
  'dcat',
  'families_page',
  'family_changes_segment',
  'iceberg_deletions',
  'iceberg_manifest',
  'iceberg_manifest_list',
  'iceberg_metadata',
  'iceberg_version',
  'product_changes_segment',
  'products_page',
  'publication_changes_parquet',
  'stores_page',
];

const noId = '11111111-1111-4111-8111-111111111111';

let servers: Servers;
let described: DescribedAnswers;
let description: Description;

beforeAll(async () => {
  servers = await Servers.prepare();
  description = servers.site.document<Description>('/v1/openapi.json');
  described = new DescribedAnswers(description);
});

afterAll(() => servers[Symbol.asyncDispose]());

/** Asks, and checks the answer against the house rules and the description. */
async function ask(target: string, headers: Record<string, string> = {}, name = 'main'): Promise<Reply> {
  const server: RunningServer = await servers.named(name);
  const reply = await server.get(target, headers);
  const found = [
    ...violations({ method: 'GET', target }, reply),
    ...described.violations({ method: 'GET', target }, reply),
  ];
  expect(found, `GET ${target.slice(0, 300)}`).toEqual([]);
  return reply;
}

/** An address of a kind in the fixtures, with its required parameters; null if there is none. */
function knownAddress(kind: AddressKind): string | null {
  if (kind === 'search') return '/v1/search?q=gin';
  if (kind === 'comparison') return '/v1/availability/comparison?skus=001204&lat=43.2217&lng=-118.3048';
  for (const path of servers.site.routes.keys()) if (parsePath(path)?.kind === kind) return path;
  return null;
}

function withQuery(address: string, query: string): string {
  return `${address}${address.includes('?') ? '&' : '?'}${query}`;
}

/** An address or query of the same kind that names something nonexistent; null if that is impossible. */
function missingAddress(kind: AddressKind): string | null {
  if (kind === 'changes') return `/v1/changes?product_id=${noId}`;
  if (kind === 'comparison') return `/v1/availability/comparison?product_ids=${noId}&lat=1&lng=1`;
  if (!templates[kind].includes('{')) return null;
  // Every site has all of these files, so only another name is missing.
  if (kind.startsWith('latest_')) return templates[kind].replace(/\{[a-z_]+\}/, 'nothing');
  return templates[kind].replace(/\{([a-z_]+)\}/g, (_, name: string) => absentValues[name] ?? noId);
}

const absentValues: Readonly<Record<string, string>> = {
  sku: '999999',
  code: '9999',
  slug: 'nobody',
  resource: 'stores',
  table: 'stores',
  problem: 'NOTHING_WRONG',
  number: '99999',
  digest: '0123456789abcdef',
  iceberg_table: 'stores',
};

test('every precomputed address is answered as described', async () => {
  const paths = [...servers.site.routes.keys()].filter((path) => !isOutsideContract(path));
  expect(paths.length).toBeGreaterThan(400);
  for (const path of paths.filter((_, i) => isCheck || i % 5 === 0)) expect((await ask(path)).status, path).toBe(200);
});

describe('every answer that is described can be obtained', () => {
  test('200 for everything that the fixtures have', async () => {
    const seen = kinds.filter((kind) => knownAddress(kind) !== null);
    for (const kind of seen) expect((await ask(knownAddress(kind) as string)).status, kind).toBe(200);
    expect(kinds.filter((kind) => !seen.includes(kind)).sort()).toEqual(absentKinds);
  });

  test.each(kinds)('%s', async (kind) => {
    const address = knownAddress(kind) ?? missingAddress(kind) ?? templates[kind];
    const hasParameters = addressTable[kind].query !== null;
    const statuses = new Set<string>();
    const expectStatus = async (status: number, target: string, headers = {}, server = 'main') => {
      const reply = await ask(target, headers, server);
      expect(reply.status, target.slice(0, 200)).toBe(status);
      statuses.add(String(status));
      return reply;
    };

    if (!absentKinds.includes(kind)) {
      const reply = await expectStatus(200, address);
      await expectStatus(412, address, { 'If-Match': '"another"' });
      const known = { 'If-None-Match': `${reply.headers.etag}` };
      // A cursor in the answer changes with the next minute, and with it the tag.
      const next = reply.body.includes('"next_cursor":"') ? (await ask(address)).headers.etag : undefined;
      await expectStatus(
        304,
        address,
        next === undefined ? known : { 'If-None-Match': `${reply.headers.etag}, ${next}` },
      );
    }
    await expectStatus(400, withQuery(address, 'nope=1'));
    const missing = missingAddress(kind);
    if (missing) await expectStatus(404, missing);
    await expectStatus(414, withQuery(address, `nope=${'x'.repeat(8192)}`));
    if (addressTable[kind].isDownload && !absentKinds.includes(kind)) {
      await expectStatus(206, address, { Range: 'bytes=0-4' });
      await expectStatus(416, address, { Range: 'bytes=99999999-' });
    }
    if (hasParameters) {
      const selection = withQuery(address, kind === 'comparison' ? 'max_stops=1' : 'limit=1');
      for (let i = 0; i < 3; i += 1) await ask(selection, {}, 'limited');
      await expectStatus(429, selection, {}, 'limited');
    }
    await expectStatus(503, address, {}, 'empty');

    const path = templates[kind].slice('/v1'.length) || '/';
    const promised = Object.keys(description.paths[path]?.get.responses ?? {});
    const unseen = promised.filter((status) => !statuses.has(status));
    // No client request can cause a 500.
    const ofAbsent = addressTable[kind].isDownload
      ? ['200', '206', '304', '412', '416', '500']
      : ['200', '304', '412', '500'];
    expect(unseen).toEqual(absentKinds.includes(kind) ? ofAbsent : ['500']);
  });
});
