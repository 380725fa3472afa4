import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { FixtureSite } from './fixture-site.ts';
import type { RawRequest } from './raw-connection.ts';
import { SoundClient } from './sound-client.ts';

const seed = 20_250_605;
const requestCount = 3_000;
const warmUpCount = 1000;
const allowedGrowthBytes = 150_000_000;

/** Pieces that mean something to some program. */
const tokens = [
  ...['%00', '%2e%2e%2f', '../', '..\\', '//', '/./', '%ff', '%c0%af', '%0d%0a', '%', '%2', '%%', '+', ' ', '\t', '\0'],
  ...['\x80', '\xff', '\r\n', '?', '&', '=', ',', ';', '#', '[]', '[0]', '{', '"', "'", '<', '\\', '|', '~', '$', '*'],
  ...['&limit=1', '&cursor=a', '&__proto__=1', 'constructor', '.json', '.gz', '/pages/1.json', 'null', 'NaN', '1e9'],
  ...['-1', '9'.repeat(40), 'é', '%CC%81', '%F0%9F%8D%B7', '00000000-0000-0000-0000-000000000000'],
];

/** Valid requests, one of each kind. */
async function validTargets(server: RunningServer, site: FixtureSite): Promise<string[]> {
  const product = site.fact('product', '001204');
  const family = site.fact('family', 'wrenmoor-aged-rye');
  const store = site.fact('store', '0001');
  const lists = ['/v1/changes?limit=5', '/v1/brands?limit=5', '/v1/products?limit=5', '/v1/stores?limit=3'];
  const pages = await Promise.all(lists.map(async (list) => JSON.parse((await server.get(list)).body.toString())));
  return [
    ...lists,
    ...pages.map((page) => page.links.next as string),
    '/v1',
    '/v1/categories',
    '/v1/changes/pages/3.json',
    `/v1/products/${product}/availability`,
    '/v1/products/by-sku/900101',
    `/v1/product-families/${family}/changes?types=price_changed,status_changed&limit=3`,
    `/v1/changes?store_id=${store}&since=2025-05-01T00:00:00Z&until=2025-06-01T00:00:00-06:00`,
    '/v1/brands?q=ch%C3%A2teau&category_ids=cat_wine,cat_gin&sort=-name',
    '/v1/search?q=straight+rye&kinds=product,brand&limit=10',
    '/v1/availability/comparison?skus=001204,003111&lat=43.2217&lng=-118.3048&radius_m=10000&max_stops=2',
    `/v1/availability/comparison?product_ids=${product}&lat=43&lng=-118&strategies=best_single_store&inventory_age=any_age`,
    `/v1/exports/${site.pointer.revision}/stores.ndjson.gz`,
    '/v1/problems/INTERNAL',
  ];
}

/** Fields that the service reads, each with a valid value. */
const validFields: readonly (readonly [name: string, value: string])[] = [
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"a", "b"'],
  ['If-Modified-Since', 'Thu, 05 Jun 2025 22:00:00 GMT'],
  ['Accept-Encoding', 'br, gzip;q=0.5'],
  ['Range', 'bytes=0-9'],
  ['Range', 'bytes=-5'],
  ['If-Range', '"a"'],
  ['X-Forwarded-For', '203.0.113.9, 198.51.100.1'],
  ['Origin', 'https://example.org'],
];

/** Texts after up to `most` changes: cuts, repetitions, odd bytes and pieces. */
function mutated(texts: fc.Arbitrary<string>, most: number): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat({ max: 400 }),
    length: fc.nat({ max: 12 }),
    piece: fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 6, arbitrary: fc.constantFrom(...tokens) },
      { weight: 3, arbitrary: fc.nat({ max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`) },
      // Node rejects most unescaped bytes before the service sees the request.
      { weight: 1, arbitrary: fc.nat({ max: 255 }).map((byte) => String.fromCharCode(byte)) },
    ),
    isDoubled: fc.boolean(),
  });
  return fc.tuple(texts, fc.array(change, { maxLength: most })).map(([text, changes]) =>
    changes.reduce((result, { at, length, piece, isDoubled }) => {
      const start = at % (result.length + 1);
      const cut = result.slice(start, start + length);
      return result.slice(0, start) + piece + (isDoubled ? cut + cut : '') + result.slice(start + length);
    }, text),
  );
}

function requests(targets: readonly string[]): fc.Arbitrary<RawRequest> {
  const field = fc
    .constantFrom(...validFields)
    .chain(([name, value]) => fc.tuple(fc.constant(name), mutated(fc.constant(value), 1)))
    // A line break in a value would end the request. Targets can have one; fields are tried with everything else.
    .map(([name, value]) => [name, value.replace(/[\r\n]/g, '')] as const);
  return fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
    target: mutated(fc.constantFrom(...targets), 3),
    fields: fc.array(field, { maxLength: 2 }),
  });
}

async function residentBytes({ output }: RunningServer): Promise<number> {
  // The log is written after a delay.
  await eventually(() => output.stderr.includes('metrics are at'));
  const url = /metrics are at (\S+)"/.exec(output.stderr)?.[1] ?? '';
  const text = await (await fetch(url)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

test(`contract 6: ${requestCount} mutated requests get sound answers, and leave the process as it was`, async () => {
  using site = await FixtureSite.build();
  const environment = { RATE_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'info' };
  await using server = await RunningServer.start([site.dist, '--metrics-port', '0'], environment);
  using client = new SoundClient(server);
  const arbitrary = requests(await validTargets(server, site));
  const statuses = new Set<number>();

  const ask = async (request: RawRequest) => {
    const { status } = await client.ask(request);
    statuses.add(status);
  };
  // The first requests warm up the caches and the compiler, so that growth after them is a leak.
  await fc.assert(fc.asyncProperty(arbitrary, ask), { seed, numRuns: warmUpCount });
  const [before, filesBefore] = [await residentBytes(server), server.openFiles()];
  await fc.assert(fc.asyncProperty(arbitrary, ask), { seed: seed + 1, numRuns: requestCount - warmUpCount });
  const [after, filesAfter] = [await residentBytes(server), server.openFiles()];

  expect(after - before).toBeLessThan(allowedGrowthBytes);
  expect(filesAfter - filesBefore).toBeLessThan(10);
  // Otherwise the mutations are too uniform to prove anything.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 206, 304, 400, 404, 405]));
  expect((await server.get('/v1')).status).toBe(200);
  expect(server.output.stderr).not.toMatch(/"level":"(error|fatal)"/);
});
