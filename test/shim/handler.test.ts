import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addresser } from '../../generator/contract/paths.ts';
import { problem } from '../../generator/contract/problem.ts';
import type { Answer, ProblemAnswer, ShimLog } from '../../shim/host.ts';
import { CurrentPublication } from '../../shim/site/current-publication.ts';
import { handlerOver } from './asking.ts';
import { MemoryReader } from './memory-reader.ts';
import { etagOf, lastModifiedDate, tinyExport, tinySite } from './tiny-site.ts';

const revision = '11111111-1111-4111-8111-111111111111';
const exported = '22222222-2222-4222-8222-222222222222';
const known = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
const requestId = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';
const unknown = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';
const exportPath = `/v1/exports/${exported}/stores.ndjson.gz`;
const exportBytes = Buffer.from('0123456789');

const site = tinySite({
  revision,
  documents: {
    '/v1': { body: 'index' },
    [`/v1/products/${known}`]: { body: 'product' },
    '/v1/products/former-skus.json': { body: '{"ambiguous":["000777"]}' },
    '/v1/changes/pages/1.json': { body: 'page', cache: 'immutable' },
    [exportPath]: tinyExport(exportBytes),
  },
});

function serve(reader = new MemoryReader(site), baseUrl: string | null = null) {
  const messages: string[] = [];
  const log: ShimLog = (_level, message, fields) => void messages.push(`${message} ${JSON.stringify(fields)}`);
  const publication = new CurrentPublication({ reader, log, checkEveryMs: 0 });
  const handler = handlerOver(publication, { address: addresser(baseUrl), log });
  const ask = async (target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
    handler.answer({ id: requestId, method, target, headers: new Headers(headers), client: '192.0.2.1' });
  return { ask, messages };
}

function codeOf(answer: Answer): string {
  return problem.parse(JSON.parse((answer as ProblemAnswer).body)).code;
}

describe('contract 5: a precomputed file', () => {
  test('carries its validators, policy and revision', async () => {
    expect(await serve().ask('/v1')).toMatchObject({
      kind: 'file',
      status: 200,
      range: null,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': '5',
        ETag: etagOf(Buffer.from('index')),
        'Last-Modified': lastModifiedDate,
        'Cache-Control': 'public, max-age=60, stale-while-revalidate=600',
        'X-Publication-Revision': revision,
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
      },
    });
  });

  test('/v1/ is /v1, and a question mark alone is no query', async () => {
    const { ask } = serve();
    expect(await ask('/v1/')).toEqual(await ask('/v1'));
    expect(await ask('/v1?')).toEqual(await ask('/v1'));
    expect((await ask('/v1?limit=1')).status).toBe(400);
  });

  test('a page is immutable', async () => {
    const { headers } = await serve().ask('/v1/changes/pages/1.json');
    expect(headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
  });

  test('an export is of its own revision, gzip whether asked for or not, and can be had in parts', async () => {
    expect((await serve().ask(exportPath)).headers).toMatchObject({
      'Content-Type': 'application/x-ndjson',
      'Content-Encoding': 'gzip',
      'Accept-Ranges': 'bytes',
      'Cache-Control': 'public, max-age=31536000, immutable, no-transform',
      'X-Publication-Revision': exported,
    });
  });

  test('a 304 carries the validators and nothing about a body', async () => {
    const { ask } = serve();
    const { status, headers } = await ask('/v1', { 'If-Modified-Since': lastModifiedDate });
    expect(status).toBe(304);
    expect(
      Object.keys(headers)
        .filter((name) => !/^(Access-Control|X-Content)/.test(name))
        .sort(),
    ).toEqual(['Cache-Control', 'ETag', 'Last-Modified', 'X-Publication-Revision']);
    expect((await ask(exportPath, { 'If-Modified-Since': lastModifiedDate })).status).toBe(200);
    expect((await ask(exportPath, { 'If-None-Match': etagOf(exportBytes) })).status).toBe(304);
  });
});

describe('RFC 9110 14: ranges, of exports only', () => {
  test('a part', async () => {
    expect(await serve().ask(exportPath, { Range: 'bytes=2-4' })).toMatchObject({
      status: 206,
      range: { start: 2, end: 4 },
      headers: { 'Content-Range': 'bytes 2-4/10', 'Content-Length': '3', ETag: etagOf(exportBytes) },
    });
  });

  test('a range that cannot be satisfied', async () => {
    const answer = await serve().ask(exportPath, { Range: 'bytes=10-' });
    expect(answer).toMatchObject({ status: 416, headers: { 'Content-Range': 'bytes */10' } });
    expect(codeOf(answer)).toBe('RANGE_NOT_SATISFIABLE');
    expect(JSON.parse((answer as ProblemAnswer).body)).toMatchObject({ status: 416 });
  });

  test('304 goes before a range (13.2.2); HEAD and documents take none (14.2)', async () => {
    const { ask } = serve();
    const Range = 'bytes=2-4';
    expect((await ask(exportPath, { Range, 'If-None-Match': '*' })).status).toBe(304);
    expect((await ask(exportPath, { Range }, 'HEAD')).status).toBe(200);
    expect((await ask('/v1', { Range })).status).toBe(200);
    expect((await ask(exportPath, { Range, 'If-Range': '"other"' })).status).toBe(200);
  });
});

describe('contract 6: problems', () => {
  test.each([
    ['/v1/nothing', 'RESOURCE_NOT_FOUND'],
    ['/', 'RESOURCE_NOT_FOUND'],
    ['', 'RESOURCE_NOT_FOUND'],
    ['*', 'RESOURCE_NOT_FOUND'],
    ['//', 'RESOURCE_NOT_FOUND'],
    ['/v11', 'RESOURCE_NOT_FOUND'],
    ['/V1', 'RESOURCE_NOT_FOUND'],
    ['/v1//', 'RESOURCE_NOT_FOUND'],
    ['//v1', 'RESOURCE_NOT_FOUND'],
    ['/v1/.', 'RESOURCE_NOT_FOUND'],
    ['/v1/x/..', 'RESOURCE_NOT_FOUND'],
    ['/v1#x', 'RESOURCE_NOT_FOUND'],
    ['http://example.org/v1', 'RESOURCE_NOT_FOUND'],
    [`/v1/products/${known}/`, 'RESOURCE_NOT_FOUND'],
    [`/v1//products/${known}`, 'RESOURCE_NOT_FOUND'],
    [`/v1/%70roducts/${known}`, 'RESOURCE_NOT_FOUND'],
    [`/v1/products/${known.toUpperCase()}`, 'RESOURCE_NOT_FOUND'],
    [`/v1/products/${known}/changes/pages/9.json`, 'RESOURCE_NOT_FOUND'],
    [`/v1/products/${unknown}`, 'PRODUCT_NOT_FOUND'],
    [`/v1/products/${unknown}/availability`, 'PRODUCT_NOT_FOUND'],
    [`/v1/products/${unknown}/changes?limit=1`, 'PRODUCT_NOT_FOUND'],
    [`/v1/products/${unknown}/`, 'RESOURCE_NOT_FOUND'],
    ['/v1/products/by-sku/000001', 'SKU_NOT_FOUND'],
    ['/v1/products/by-sku/000777', 'SKU_AMBIGUOUS'],
    ['/v1/products/by-sku/0007770', 'RESOURCE_NOT_FOUND'],
  ])('%s is %s', async (target, code) => {
    const answer = await serve().ask(target);
    expect([answer.status, codeOf(answer)]).toEqual([404, code]);
  });

  test('without a list of former SKUs, an unknown SKU is not found', async () => {
    const reader = new MemoryReader(tinySite({ revision, documents: { '/v1': { body: '' } } }));
    expect(codeOf(await serve(reader).ask('/v1/products/by-sku/000777'))).toBe('SKU_NOT_FOUND');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'QUERY'])('%s is refused whatever the path', async (method) => {
    for (const target of ['/v1', '/nowhere', `/v1/${'x'.repeat(9000)}`]) {
      const answer = await serve().ask(target, {}, method);
      expect([answer.status, answer.headers.Allow, codeOf(answer)]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        'METHOD_NOT_ALLOWED',
      ]);
    }
  });

  test('a target over 8192 characters; its problem repeats the path only', async () => {
    const { ask } = serve();
    expect((await ask(`/v1?${'x'.repeat(8192 - 4)}`)).status).toBe(400);
    const answer = await ask(`/v1?${'x'.repeat(8192 - 3)}`);
    expect([answer.status, codeOf(answer)]).toEqual([414, 'URI_TOO_LONG']);
    expect(JSON.parse((answer as ProblemAnswer).body).instance).toBe('/v1');
  });

  test('nothing published, or a damaged shard: 503 and when to come back', async () => {
    const reader = new MemoryReader(site);
    for (const { sha256 } of site.shards) reader.objects.delete(sha256);
    for (const { ask } of [serve(new MemoryReader()), serve(reader)]) {
      const answer = await ask('/v1');
      expect([answer.status, codeOf(answer), answer.headers['Retry-After']]).toEqual([503, 'NO_PUBLICATION', '10']);
    }
  });

  test('an unexpected error is withheld and logged under its request id', async () => {
    const { ask, messages } = serve(failingAfterRoot());
    const answer = (await ask('/v1')) as ProblemAnswer;
    expect([answer.status, codeOf(answer)]).toEqual([500, 'INTERNAL']);
    expect(answer.body).not.toContain('secret');
    expect(messages.join()).toContain(answer.headers['X-Request-ID'] as string);
    expect(messages.join()).toContain('a secret');
  });

  test('the body, its headers and the addresses in it', async () => {
    const answer = (await serve(undefined, 'https://example.org/api/v1').ask('/v1/a?b=c')) as ProblemAnswer;
    const body = problem.parse(JSON.parse(answer.body));
    expect(body.type).toBe('https://example.org/api/v1/problems/RESOURCE_NOT_FOUND');
    expect(body.instance).toBe('/v1/a?b=c');
    expect(answer.headers).toMatchObject({
      'Content-Type': 'application/problem+json',
      'Content-Length': String(Buffer.byteLength(answer.body)),
      'Cache-Control': 'no-store',
      'X-Request-ID': body.request_id,
      'Access-Control-Allow-Origin': '*',
    });
    expect(JSON.parse(((await serve().ask('/v1/a')) as ProblemAnswer).body).type).toBe(
      '/v1/problems/RESOURCE_NOT_FOUND',
    );
  });

  test('whatever is asked for, the answer is a problem and its instance a URI reference', async () => {
    const { ask } = serve();
    const anyTarget = fc.string({
      unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
    });
    await fc.assert(
      fc.asyncProperty(anyTarget, async (rest) => {
        const answer = (await ask(`/v1/none/${rest}`)) as ProblemAnswer;
        expect(answer.status).toBe(404);
        expect(answer.headers['Content-Length']).toBe(String(Buffer.byteLength(answer.body)));
        expect(JSON.parse(answer.body).instance).toMatch(/^([\w\-.~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/);
      }),
    );
  });
});

test('contract 5: OPTIONS answers a preflight whatever the path, with or without a publication', async () => {
  for (const target of ['/v1', '*', '/nowhere', '//']) {
    expect(await serve(new MemoryReader()).ask(target, {}, 'OPTIONS')).toMatchObject({
      kind: 'no_content',
      status: 204,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
        'Access-Control-Allow-Headers':
          'If-None-Match, If-Modified-Since, If-Match, If-Unmodified-Since, If-Range, Range',
      },
    });
  }
});

/** A reader whose disk fails after the root of the route table was read. */
function failingAfterRoot(): MemoryReader {
  const reader = new MemoryReader(site);
  const { readObject } = MemoryReader.prototype;
  reader.readObject = (reference) =>
    reference.sha256 === site.pointer.routes.sha256
      ? readObject.call(reader, reference)
      : Promise.reject(new Error('a secret'));
  return reader;
}
