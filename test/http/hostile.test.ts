import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from '../../contract/problem.ts';
import { problem } from '../../contract/schemas/problem.ts';
import type { RunningServer } from '../serve/running-server.ts';
import { pathTricks } from './path-tricks.ts';
import type { RawReply } from './raw-connection.ts';
import { Servers } from './servers.ts';
import { SoundClient } from './sound-client.ts';

let servers: Servers;
let server: RunningServer;
let client: SoundClient;

beforeAll(async () => {
  servers = await Servers.prepare();
  server = await servers.named('main');
  client = new SoundClient(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await servers[Symbol.asyncDispose]();
});

function parseProblem({ body }: RawReply): Problem {
  return JSON.parse(body.toString());
}

function offenders(reply: RawReply): string[] {
  return (parseProblem(reply).invalid_params ?? []).map(({ name }) => name);
}

describe('paths that try to leave the site lead nowhere', () => {
  test.each(pathTricks)('GET %j', async (target) => {
    const reply = await client.get(target);
    expect([400, 404]).toContain(reply.status);
    expect(reply.body.toString()).not.toMatch(/root:|shelfpress-site|"data"/);
  });
});

describe('no part of a request becomes a header', () => {
  test.each([
    '/v1/categories%0d%0aX-Evil:%201',
    '/v1/nothing?x=%0d%0aX-Evil:%201%0d%0a%0d%0a<html>',
    '/v1/changes?cursor=%0d%0aX-Evil:%201',
    '/v1/search?q=%0aX-Evil:%201',
    '/v1/categories\r\nX-Evil: 1',
    '/v1/categories\nX-Evil: 1',
    '/v1/categories HTTP/1.1\r\nX-Evil: 1\r\nHost: evil',
  ])('GET %j', async (target) => {
    const { head } = await client.get(target);
    expect(head.split('\r\n').filter((line) => /^x-evil/i.test(line))).toEqual([]);
    expect(head).not.toMatch(/(^|[^\r])\n|\r[^\n]/);
  });

  test('a URL that Host or X-Forwarded-Host claims is repeated nowhere', async () => {
    const fields = [
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'https'],
      ['Forwarded', 'host=evil.example'],
      ['X-Original-URL', '/v1/evil'],
    ] as const;
    const replies = [
      await client.get('/v1', fields),
      await client.get('/v1/changes?limit=1', fields),
      await client.get('/v1/no', fields),
    ];
    for (const { head, body } of replies) expect(head + body.toString()).not.toMatch(/evil|example\.org/);
  });
});

test('RFC 9110 5.3: a list can be sent in several lines', async () => {
  const { etag } = servers.site.route('/v1/categories');
  const lines = [
    ['If-None-Match', '"a"'],
    ['If-None-Match', `"b", ${etag}`],
  ] as const;
  expect((await client.get('/v1/categories', lines)).status).toBe(304);
});

describe('requests that could pass for two requests', () => {
  const line = 'GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  test.each([
    ['two lengths', `${line}Content-Length: 3\r\nContent-Length: 30\r\n\r\nabcGET /v1/evil HTTP/1.1\r\n\r\n`],
    ['a length and a coding', `${line}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /v1/evil`],
    ['an unknown coding', `${line}Transfer-Encoding: xchunked\r\n\r\nGET /v1/evil HTTP/1.1\r\n\r\n`],
    ['a folded field', `${line}X: a\r\n Transfer-Encoding: chunked\r\n\r\n`],
    ['a field without a name', `${line}: x\r\n\r\n`],
    ['a blank before the colon', `${line}Content-Length : 5\r\n\r\nhello`],
    ['no host', 'GET /v1 HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two hosts', `${line}Host: y\r\n\r\n`],
    ['bare line feeds', 'GET /v1 HTTP/1.1\nHost: x\nConnection: close\n\n'],
  ])('%s: at most one answer, and the connection ends', async (_, bytes) => {
    const answers = (await server.raw(bytes)).split(/(?=HTTP\/1\.1 \d{3} )/).filter((answer) => answer !== '');
    expect(answers.length).toBeLessThanOrEqual(1);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
  });
});

test('RFC 9112 3.2: a request for two hosts is refused', async () => {
  const answer = await server.raw('GET /v1 HTTP/1.1\r\nHost: x\r\nhOST: y\r\n\r\n');
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close\r\n/);
});

describe('queries that are not parameters', () => {
  test.each([
    ['/v1/brands?limit[]=5', ['limit[]']],
    ['/v1/brands?limit%5B0%5D=5', ['limit[0]']],
    ['/v1/brands?limit=5&limit=6', ['limit']],
    ['/v1/brands?limit=5&LIMIT=5', ['LIMIT']],
    ['/v1/brands?limit%00=5', ['limit\0']],
    ['/v1/brands?%ff=5', ['%ff']],
    ['/v1/changes?types[]=price_changed', ['types[]']],
    ['/v1/changes?types=price_changed;status_changed', ['types']],
    ['/v1/brands?__proto__=1', ['__proto__']],
    ['/v1/brands?__proto__[limit]=1', ['__proto__[limit]']],
    ['/v1/brands?constructor=1&toString=2&valueOf=3', ['constructor', 'toString', 'valueOf']],
    ['/v1/brands?hasOwnProperty', ['hasOwnProperty']],
    ['/v1/categories?__proto__=1', ['__proto__']],
    ['/v1/brands?sort=constructor', ['sort']],
    ['/v1/changes?types=__proto__', ['types']],
    ['/v1/search?q=gin&kinds=__proto__,constructor', ['kinds']],
    ['/v1/availability/comparison?skus=001204&lat=1&lng=1&strategies=toString', ['strategies']],
    ['/v1/brands?=5', ['']],
    ['/v1/brands?==', ['']],
  ])('%s', async (target, names) => {
    const reply = await client.get(target);
    expect([reply.status, offenders(reply)]).toEqual([400, names]);
  });

  test.each([
    '/v1/__proto__',
    '/v1/constructor',
    '/v1/problems/__proto__',
    '/v1/problems/toString',
    '/v1/products/by-sku/__proto__',
    '/v1/brands/by-slug/constructor',
    '/v1/stores/by-code/__proto__',
    '/v1/exports/__proto__/stores.ndjson.gz',
  ])('%s is nothing either', async (target) => {
    expect(parseProblem(await client.get(target)).code).toBe('RESOURCE_NOT_FOUND');
  });

  test('names of members that every object has are ordinary words', async () => {
    for (const word of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect((await client.get(`/v1/search?q=${word}`)).status).toBe(200);
      expect((await client.get(`/v1/brands?q=${word}`)).status).toBe(200);
    }
  });
});

/** The most bytes in a problem: its instance, its named parameters, and the rest. */
const mostProblemBytes = 8192 + 6 * 1024 + 1024;

describe('contract 6: no problem is much longer than its request', () => {
  const uuids = Array.from({ length: 25 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`);
  const fill = (path: string, pair: (n: number) => string) => {
    let target = `${path}?`;
    for (let n = 0; target.length + pair(n).length <= 8192; n += 1) target += pair(n);
    return target;
  };
  test.each([
    ['unknown names', fill('/v1/changes', (n) => `${n.toString(36)}&`), 400],
    ['unknown names of an address without parameters', fill('/v1/categories', (n) => `${n.toString(36)}&`), 400],
    ['names of control characters', fill('/v1/search', (n) => `${'%00'.repeat(20)}${n}&`), 400],
    ['names of raw bytes', fill('/v1/search', (n) => `${'\xe9'.repeat(20)}${n}&`), 400],
    ['one long name of raw UTF-8', fill('/v1/changes', () => '\xf0\x9f\x8d\xb7'), 400],
    ['a value of raw UTF-8', `/v1/brands?q=${'\xc3\xa9'.repeat(4089)}`, 400],
    ['one long name', fill('/v1/changes', () => 'x'), 400],
    ['a value of quotes', `/v1/brands?q=${'"'.repeat(8178)}`, 400],
    ['a path of quotes', `/v1/${'"'.repeat(8188)}`, 404],
    ['a path that is too long', `/v1/${'"'.repeat(15_000)}`, 414],
    ['a path that is too long for a header', `/v1/${'"'.repeat(60_000)}`, 414],
    ['a query that is too long for a header', `/v1/brands?q=${'"'.repeat(60_000)}`, 414],
    ['repeated values', fill('/v1/brands', () => 'limit=1&'), 400],
    ['a repeated long value', `/v1/brands?category_ids=cat_${'x'.repeat(4000)},cat_${'x'.repeat(4000)}`, 400],
    ['a cursor of quotes', `/v1/brands?cursor=${'"'.repeat(8000)}`, 400],
    ['25 unknown ids', `/v1/availability/comparison?lat=1&lng=1&product_ids=${uuids.join()}`, 404],
  ])('%s', async (_, target, status) => {
    const reply = await client.get(target);
    expect(reply.status).toBe(status);
    expect(reply.body.length).toBeLessThanOrEqual(mostProblemBytes);
    expect(problem.safeParse(parseProblem(reply)).success).toBe(true);
  });

  test('an unknown method, and a tunnel', async () => {
    for (const method of ['BREW', 'CONNECT']) {
      const answer = await server.raw(`${method} /${'"'.repeat(8000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(answer.slice(0, 12)).toBe('HTTP/1.1 405');
      expect(answer.length).toBeLessThanOrEqual(mostProblemBytes + 1024);
    }
  });

  test('parameters that are left out are counted', async () => {
    const reply = await client.get(fill('/v1/categories', (n) => `a${n}&`));
    const { detail, invalid_params: named = [] } = parseProblem(reply);
    const count = Number(/ names the first 32 of (\d+)\.$/.exec(detail)?.[1]);
    expect([named.length, named[0]?.name, named[31]?.name]).toEqual([32, 'a0', 'a31']);
    expect(count).toBeGreaterThan(1000);
    const all = parseProblem(
      await client.get(`/v1/categories?${Array.from({ length: 32 }, (_, n) => `a${n}`).join('&')}`),
    );
    expect([all.invalid_params?.length, all.detail.includes('invalid_params')]).toEqual([32, false]);
  });
});

describe('cursors that the service did not issue', () => {
  test('one character added, removed or changed anywhere', async () => {
    const first = JSON.parse((await client.get('/v1/brands?limit=5')).body.toString());
    const cursor: string = first.meta.page.next_cursor;
    const ask = async (changed: string) => parseProblem(await client.get(`/v1/brands?limit=5&cursor=${changed}`)).code;
    for (let i = 0; i < cursor.length; i += 1) {
      const other = cursor[i] === 'A' ? 'B' : 'A';
      expect(await ask(cursor.slice(0, i) + other + cursor.slice(i + 1)), `another character at ${i}`).toBe(
        'CURSOR_INVALID',
      );
      expect(await ask(cursor.slice(0, i) + cursor.slice(i + 1)), `none at ${i}`).toBe('CURSOR_INVALID');
    }
    for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
      if (cursor.endsWith(last)) continue;
      expect(await ask(cursor.slice(0, -1) + last), `${last} at the end`).toBe('CURSOR_INVALID');
    }
    for (const more of ['=', '==', '.', '%20', '%00', '%0a', cursor]) {
      expect(await ask(cursor + more), `${more} more`).toBe('CURSOR_INVALID');
    }
  });

  test.each([
    ['of a megabyte', 'a'.repeat(1_000_000), [414, 431]],
    ['of a megabyte of escapes', '%00'.repeat(350_000), [414, 431]],
    ['as long as a target can be', 'a'.repeat(8_000), [400]],
    ['of as many points', '.'.repeat(8_000), [400]],
    ['that is JSON', encodeURIComponent('{"__proto__":{"x":1}}'), [400]],
    ['that is a token of nobody', 'eyJhbGciOiJub25lIn0.e30.', [400]],
    ['that is an object signed by nobody', `${Buffer.from('{}').toString('base64url')}.AAAA`, [400]],
  ])('one %s', async (_, cursor, statuses) => {
    expect(statuses).toContain((await client.get(`/v1/changes?cursor=${cursor}`)).status);
  });
});

/** Shortens a text for the name of a test. */
function shortened(text: string): string {
  return text.length <= 70 ? text : `${text.slice(0, 70)}… (${text.length})`;
}

describe('inputs that take some programs for ever', () => {
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
