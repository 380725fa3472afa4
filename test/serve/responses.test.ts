import { describe, expect, test } from 'vitest';
import { problem } from '../../contract/schemas/problem.ts';
import { lastModifiedDate, md5Tag } from '../shim/tiny-site.ts';
import type { Reply } from '../support/http-client.ts';
import {
  exampleSite,
  largeDocument,
  largeExport,
  largeExportPath,
  revisions,
  smallExport,
  smallExportPath,
} from './example-site.ts';
import { servedExample } from './served-example.ts';

const server = await servedExample(exampleSite(revisions.first));

/** Every header except those about the connection. */
function ownFields({ headers }: Reply): Record<string, unknown> {
  const { connection: _, 'keep-alive': __, date: ___, ...fields } = headers;
  return fields;
}

const common = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Last-Modified, X-Publication-Revision, X-Request-ID, Retry-After, Content-Disposition, Accept-Ranges, Content-Range, RateLimit, RateLimit-Policy',
  'x-content-type-options': 'nosniff',
};

const files = [
  ['/v1', Buffer.from(JSON.stringify({ data: { name: 'index', revision: revisions.first } })), {}],
  ['/v1/openapi.json', Buffer.from(largeDocument), {}],
  [smallExportPath, smallExport, { export: true }],
  [largeExportPath, largeExport, { export: true }],
] as const;

describe.each(files)('contract 5: GET %s', (path, bytes, kind) => {
  const isExport = 'export' in kind;
  const validators = {
    etag: md5Tag(bytes),
    'last-modified': lastModifiedDate,
    'cache-control': isExport
      ? 'public, max-age=31536000, immutable, no-transform'
      : 'public, max-age=60, stale-while-revalidate=600',
    'x-publication-revision': revisions.first,
  };
  const exportFields = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename="${path.includes('inventory') ? 'inventory' : 'stores'}-2025-04-01.ndjson"`,
  };
  const content = {
    ...(isExport ? exportFields : { 'content-type': 'application/json' }),
    'content-length': String(bytes.length),
  };

  test('sends these bytes and these headers, each once and no other', async () => {
    const reply = await server.get(path, { Accept: 'text/html', 'Accept-Encoding': 'identity' });
    expect(reply.status).toBe(200);
    expect(reply.body.equals(bytes)).toBe(true);
    expect(ownFields(reply)).toEqual({ ...common, ...validators, ...content });
  });

  test('HEAD is GET without its body, RFC 9110 9.3.2', async () => {
    const reply = await server.get(path, {}, 'HEAD');
    expect([reply.status, reply.body.length]).toEqual([200, 0]);
    expect(ownFields(reply)).toEqual({ ...common, ...validators, ...content });
  });

  test.each(['GET', 'HEAD'])('%s with its ETag is a 304 without a body', async (method) => {
    const reply = await server.get(path, { 'If-None-Match': `"x", W/${md5Tag(bytes)}` }, method);
    expect([reply.status, reply.body.length]).toEqual([304, 0]);
    expect(ownFields(reply)).toEqual({ ...common, ...validators });
  });
});

describe('RFC 9110 14: ranges of a file that is not kept in memory', () => {
  const size = largeExport.length;
  test.each([
    ['bytes=0-0', 0, 0],
    [`bytes=${size - 4}-`, size - 4, size - 1],
    ['bytes=-5', size - 5, size - 1],
    [`bytes=7-${size * 2}`, 7, size - 1],
  ])('%s is a 206', async (range, start, end) => {
    const reply = await server.get(largeExportPath, { Range: range });
    expect([reply.status, reply.headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${size}`]);
    expect(reply.body.equals(largeExport.subarray(start, end + 1))).toBe(true);
  });
});

describe('RFC 9112 3: request lines', () => {
  const rest = ' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  test.each([
    ['GET *', '404'],
    ['OPTIONS *', '204'],
    ['GET //', '404'],
    ['GET //evil/../v1', '404'],
    ['GET /v1\\metadata', '404'],
    ['GET /v1/%', '404'],
    ['GET /v1/%ff%00', '404'],
    ['GET /v1/"<>^`{|}', '404'],
    ['GET /v1/\xc3\xa9', '400'],
    ['GET http://example.org/v1', '200'],
    ['GET http://example.org', '404'],
    ['GET /v1/./metadata', '404'],
    [`GET /${'x'.repeat(9000)}`, '414'],
    [`GET /${'x'.repeat(30_000)}`, '414'],
    ['CONNECT example.org:443', '405'],
    ['TRACE /v1', '405'],
    ['NONSENSE /v1', '405'],
    ['get /v1', '405'],
    ['(get) /v1', '400'],
    ['GET v1', '400'],
    ['GET /a b', '400'],
  ])('%s', async (line, status) => {
    const reply = await server.raw(line + rest);
    expect(reply.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    if (head.includes('problem+json')) {
      expect(() => problem.parse(JSON.parse(body))).not.toThrow();
      expect(head).toContain(`Content-Length: ${body.length}`);
    }
    if (['404', '405', '414'].includes(status)) expect(head).toContain('application/problem+json');
  });

  test.each([
    ['GET', '/v1/brands?q=caf\xc3\xa9&limit=5', ['q'], '/v1/brands?q=caf%C3%A9&limit=5'],
    ['GET', '/v1/search?kinds=\xff&q=\xc3\xa9&q=x', ['kinds', 'q'], '/v1/search?kinds=%FF&q=%C3%A9&q=x'],
    ['GET', '/v1/search?\xc3\xa9=1', ['é'], '/v1/search?%C3%A9=1'],
    ['HEAD', '/v1/brands?q=caf\xc3\xa9', [], ''],
  ])(
    '%s %j: bytes without percent-encoding are distinguished from bytes that are not a request',
    async (method, target, names, instance) => {
      const reply = await server.raw(`${method} ${target}${rest}`);
      const [head = '', body = ''] = reply.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nConnection: close$/);
      const id = /X-Request-ID: (\S+)/.exec(head)?.[1];
      expect(await server.logged({ id: id ?? '' })).toMatchObject({ msg: 'refused', status: 400 });
      if (method === 'HEAD') return;
      const parsed = problem.parse(JSON.parse(body));
      expect([parsed.code, parsed.instance, parsed.invalid_params?.map(({ name }) => name)]).toEqual([
        'INVALID_PARAMETER',
        instance,
        names,
      ]);
    },
  );

  test('bytes without percent-encoding in a path, or after another request, are not a request', async () => {
    expect(await server.raw(`GET /v1/\xc3\xa9?q=\xc3\xa9${rest}`)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*Content-Length: 0\r\n/,
    );
    const behind = await server.raw(`GET /v1 HTTP/1.1\r\nHost: x\r\n\r\nGET /v1/brands?q=\xc3\xa9${rest}`);
    expect(behind).not.toContain('INVALID_PARAMETER');
  });

  test('headers over the limit are refused, and the server goes on', async () => {
    expect(await server.raw(`GET /v1 HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 431/,
    );
    expect((await server.get('/v1')).status).toBe(200);
    expect(server.complaints).toEqual([]);
  });
});
