import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Servers } from './servers.ts';
import { SoundClient } from './sound-client.ts';

let servers: Servers;
let client: SoundClient;

beforeAll(async () => {
  servers = await Servers.prepare();
  client = new SoundClient(await servers.named('main'));
});

afterAll(async () => {
  client[Symbol.dispose]();
  await servers[Symbol.asyncDispose]();
});

/** Shortens a text for the name of a test. */
function shortened(text: string): string {
  return text.length <= 70 ? text : `${text.slice(0, 70)}… (${text.length})`;
}

describe('inputs that some programs take for ever over', () => {
  const queries = [
    '('.repeat(200),
    '(a+)+$'.repeat(33),
    '(a|a)*'.repeat(33),
    `${'a'.repeat(199)}!`,
    'a-'.repeat(100),
    '\\'.repeat(200),
    '.*'.repeat(100),
    "'".repeat(200),
    ' '.repeat(200),
    '\u0301'.repeat(200),
    `a${'\u0301'.repeat(199)}`,
    '\ufdfa'.repeat(200),
    '\u{1f468}\u200d'.repeat(66),
    'ß'.repeat(200),
    'İ'.repeat(200),
    'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(3).trim(),
    '0 00 000 0000 00000 000000',
  ];

  test.each(queries.map((q) => [shortened(q), q]))('q=%s', async (_, q) => {
    const target = encodeURIComponent(q).replaceAll("'", '%27');
    expect((await client.getQuickly(`/v1/search?q=${target}&limit=100`)).status).toBe(200);
    expect((await client.getQuickly(`/v1/brands?q=${target}`)).status).toBe(200);
  });

  test.each(
    [
      `/v1/changes?since=2025-06-05T00:00:00.${'0'.repeat(8000)}Z`,
      `/v1/changes?since=2025-06-05T00:00:00.${'9'.repeat(8000)}`,
      `/v1/brands?limit=${'9'.repeat(8000)}`,
      `/v1/brands?limit=${'0'.repeat(8000)}5`,
      `/v1/availability/comparison?skus=001204&lng=1&lat=1.${'0'.repeat(8000)}1`,
      `/v1/availability/comparison?skus=001204&lng=1&lat=${'1'.repeat(400)}`,
      `/v1/availability/comparison?lat=1&lng=1&skus=${','.repeat(8000)}`,
      `/v1/changes?types=${'price_changed,'.repeat(570)}`,
      `/v1/brands?category_ids=cat_${'a_'.repeat(4000)}`,
      `/v1/brands?${'a=1&'.repeat(2000)}`,
      `/v1/brands?${'&'.repeat(8000)}`,
      `/v1/brands?${'=&'.repeat(4000)}`,
      `/v1/brands?q=${'%'.repeat(8000)}`,
      `/v1/${'/'.repeat(8000)}`,
      `/v1/${'a/'.repeat(4000)}`,
      `/v1/products/${'0'.repeat(8000)}`,
      `/v1/brands/by-slug/${'-'.repeat(8000)}`,
    ].map((target) => [shortened(target), target]),
  )('GET %s', async (_, target = '') => {
    expect([200, 400, 404]).toContain((await client.getQuickly(target)).status);
  });

  test.each(
    [
      ['If-None-Match', '"a",'.repeat(3500)],
      ['If-None-Match', 'W/'.repeat(7000)],
      ['If-None-Match', '"'.repeat(14_000)],
      ['If-None-Match', `"a"${' '.repeat(14_000)}x`],
      ['If-None-Match', ' ,'.repeat(7000)],
      ['If-Modified-Since', `Thu, 01 Jan 2015 00:00:00 GMT${' '.repeat(14_000)}x`],
      ['If-Modified-Since', `Thu, ${'0'.repeat(14_000)}`],
      ['Accept-Encoding', 'gzip;q=0.5,'.repeat(1270)],
      ['Accept-Encoding', `gzip${' '.repeat(14_000)};q=x`],
      ['Accept-Encoding', `gzip;q=1${' '.repeat(14_000)}x`],
      ['Accept-Encoding', `gzip;${' '.repeat(14_000)}q=1`],
      ['Accept-Encoding', 'g'.repeat(14_000)],
      ['Accept-Encoding', ';q=1'.repeat(3500)],
      ['Range', `bytes=${'0-0,'.repeat(3500)}0-0`],
      ['Range', `bytes=${'9'.repeat(14_000)}-`],
      ['Range', `bytes=${' '.repeat(14_000)}0-0`],
      ['Range', `bytes=0-0${' '.repeat(14_000)}x`],
      ['If-Range', `"${'a'.repeat(14_000)}"`],
    ].map(([name = '', value = '']) => [name, shortened(value), value] as const),
  )('%s: %s', async (name, _, value) => {
    const range = name === 'If-Range' ? ([['Range', 'bytes=0-0']] as const) : [];
    const fields = [[name, value] as const, ...range];
    const { revision } = servers.site.pointer;
    expect((await client.getQuickly('/v1/categories', fields)).status).toBe(200);
    expect([200, 206, 416]).toContain(
      (await client.getQuickly(`/v1/exports/${revision}/stores.ndjson.gz`, fields)).status,
    );
  });
});
