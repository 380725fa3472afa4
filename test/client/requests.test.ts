import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import * as errors from '../../client/errors.ts';
import {
  ConnectionError,
  type OpenOptions,
  openSite,
  ProblemError,
  PublicationChangedError,
} from '../../client/open-site.ts';

/** Starts a host that answers as the test says. */
async function startHost(answer: RequestListener) {
  const targets: string[] = [];
  const server = createServer((request, response) => {
    targets.push(request.url ?? '');
    answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    targets,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

const metadata = (revision: string) => JSON.stringify({ data: { publication: { revision, sequence: 1 } }, meta: {} });

/** The error that a question fails with. */
const errorFrom = (asked: Promise<unknown>): Promise<unknown> => asked.then(() => null).catch((reason) => reason);

/** The error that reading all records of an export fails with. */
async function errorFromRecords(url: string, options: OpenOptions = {}): Promise<unknown> {
  const site = await openSite(url, options);
  const read = async () => {
    for await (const _ of site.records({ url: '/v1/exports/a/stores.ndjson.gz' }));
  };
  return errorFrom(read());
}

/** Expects a ConnectionError with this text. */
function expectConnectionError(failure: unknown, text: string): void {
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(String(failure)).toContain(text);
}

test('each error has the name of its class', () => {
  const { ProblemError, PublicationChangedError, ...rest } = errors;
  const url = 'https://example.org';
  const made = [
    new ProblemError(url, 404, null, null),
    new PublicationChangedError(url, 'a', 'b'),
    ...Object.values(rest).map((Class) => new Class(url, 'expected an answer')),
  ];
  expect(made.map(({ name }) => name).sort()).toEqual(Object.keys(errors).sort());
});

test('it asks again after a busy host or a broken connection, when the host says so, and no more often than allowed', async () => {
  let failures: readonly (number | 'broken')[] = [429, 503, 'broken'];
  let retryAfter = '0';
  await using host = await startHost((request, response) => {
    const [failure] = failures;
    failures = failures.slice(1);
    if (failure === 'broken') request.socket.destroy();
    else if (failure !== undefined) response.writeHead(failure, { 'Retry-After': retryAfter }).end();
    else response.end(metadata('a'));
  });
  const options = { firstWaitMs: 1, attempts: 4 };
  expect((await openSite(host.url, options)).publication.revision).toBe('a');
  expect(host.targets).toEqual(Array(4).fill('/below/v1/metadata'));
  failures = Array(4).fill(429);
  await expect(openSite(host.url, options)).rejects.toMatchObject({ status: 429, code: null });
  failures = Array(4).fill('broken');
  await expect(openSite(host.url, options)).rejects.toThrow(ConnectionError);
  expect(host.targets).toHaveLength(12);
  [failures, retryAfter] = [[503], '3600'];
  await expect(openSite(host.url, options)).rejects.toMatchObject({ status: 503 });
  expect(host.targets).toHaveLength(13);
});

test('a signal ends its own question, even while it waits, and not what others wait for', async () => {
  const reason = new Error('enough');
  let controller = new AbortController();
  const index = JSON.stringify({ publication_revision: crypto.randomUUID(), warnings: [], entries: [] });
  let isBusy = true;
  await using host = await startHost(({ url }, response) => {
    if (isBusy) {
      response.writeHead(503, { 'Retry-After': '10' }).end();
      setTimeout(() => controller.abort(reason), 20);
    } else if (url !== '/below/v1/search/index.json') response.end(metadata('a'));
    else {
      controller.abort(reason);
      setTimeout(() => response.end(index), 20);
    }
  });
  expect(await errorFrom(openSite(host.url, { signal: controller.signal }))).toBe(reason);
  expect(await errorFrom(openSite(host.url, { signal: controller.signal }))).toBe(reason);
  [isBusy, controller] = [false, new AbortController()];
  const site = await openSite(host.url, { computes: false });
  const [stopped, other] = await Promise.allSettled([
    site.search({ q: 'x' }, { signal: controller.signal }),
    site.search({ q: 'x' }),
  ]);
  expect(stopped).toEqual({ status: 'rejected', reason });
  expect(other).toMatchObject({ status: 'fulfilled', value: { data: [] } });
  expect(host.targets.filter((target) => target.endsWith('index.json'))).toHaveLength(1);
});

test('it asks with the tag of the answer that it keeps', async () => {
  const conditions: unknown[] = [];
  await using host = await startHost(({ headers }, response) => {
    conditions.push(headers['if-none-match']);
    if (headers['if-none-match'] === '"t"') response.writeHead(304, { 'Cache-Control': 'max-age=0' }).end();
    else response.writeHead(200, { ETag: '"t"', 'Cache-Control': 'max-age=0' }).end(metadata('a'));
  });
  const site = await openSite(host.url);
  const { data } = await site.metadata();
  expect(data.publication.revision).toBe('a');
  expect(conditions).toEqual([undefined, '"t"']);
  const forgetful = await openSite(host.url, { cacheBytes: 0 });
  await forgetful.metadata();
  expect(conditions.slice(2)).toEqual([undefined, undefined]);
});

test('links can be URLs below the address that the site was built for', async () => {
  await using host = await startHost(({ url }, response) => {
    const page = (id: string, next: string | null) => JSON.stringify({ data: [{ id }], meta: {}, links: { next } });
    if (url === '/below/v1/brands') response.end(page('1', 'https://built.example/v1/utah/v1/brands/pages/a.json'));
    else if (url === '/below/v1/brands/pages/a.json') response.end(page('2', null));
    else response.end(metadata('a'));
  });
  const site = await openSite(host.url);
  expect(await site.brands().take(9)).toEqual([{ id: '1' }, { id: '2' }]);
  expect(site.addressOf('brands', {}, { q: 'a b', category_ids: ['c', 'd'] })).toBe(
    `${host.url}/v1/brands?q=a%20b&category_ids=c,d`,
  );
  await expect(site.at('https://elsewhere.example/brands')).rejects.toThrow('expected an address of the site');
});

test('an export that breaks off is not taken for a complete one', async () => {
  const lines = '{"record_type":"header","header":{"record_count":2}}\n{"record_type":"store","id":"1"}\n';
  let bytes: Uint8Array = Buffer.from(lines);
  await using host = await startHost(({ url }, response) => {
    response.end(url === '/below/v1/exports/a/stores.ndjson.gz' ? bytes : metadata('a'));
  });
  expectConnectionError(await errorFromRecords(host.url), 'expected 2 records, got 1');
  bytes = gzipSync(`${lines}{"record_type":"store","id":"2"}\n`);
  expect(await errorFromRecords(host.url)).toBeNull();
  bytes = bytes.subarray(0, -10);
  expectConnectionError(await errorFromRecords(host.url), 'the file broke off');
});

test.each([
  ['says how long they are fresh', { 'Cache-Control': 'max-age=60' }],
  ['does not say how long they are fresh', {}],
])('pinned, it refuses answers of another publication by their header, from a host that %s', async (_, policy) => {
  let [revision, stale] = ['a', ''];
  await using host = await startHost(({ headers }, response) => {
    // A cache that asks its host when told to.
    const isFromCache = stale !== '' && headers['cache-control'] !== 'no-cache';
    const shown = isFromCache ? stale : revision;
    response.writeHead(200, { ...policy, 'X-Publication-Revision': shown }).end(metadata(shown));
  });
  const [pinned, loose] = [await openSite(host.url, { pinned: true }), await openSite(host.url)];
  stale = 'z';
  expect((await pinned.metadata()).data.publication.revision).toBe('a');
  [revision, stale] = ['b', ''];
  const changed = await errorFrom(pinned.metadata());
  expect(changed).toBeInstanceOf(PublicationChangedError);
  expect(changed).toMatchObject({ expected: 'a', got: 'b' });
  expect((await loose.metadata()).data.publication.revision).toBe('b');
  expect(loose.opened.data.publication.revision).toBe('a');
});

test('a wrong answer at an address that never changes is not kept', async () => {
  const head = { data: [], meta: {}, links: { next: '/v1/changes/pages/1.json' } };
  const page = { data: [{ id: 'one' }], meta: {}, links: { next: null } };
  let isWrong = true;
  await using host = await startHost(({ url = '' }, response) => {
    if (!url.endsWith('1.json')) response.end(url.endsWith('metadata') ? metadata('a') : JSON.stringify(head));
    else response.writeHead(200, { ETag: '"1"' }).end(isWrong ? '<html>please log in</html>' : JSON.stringify(page));
  });
  const site = await openSite(host.url);
  await expect(site.changes().take(1)).rejects.toThrow('expected JSON');
  isWrong = false;
  expect(await site.changes().take(1)).toEqual([{ id: 'one' }]);
  const asked = host.targets.filter((target) => target.endsWith('1.json')).length;
  await site.changes().take(1);
  expect(host.targets.filter((target) => target.endsWith('1.json'))).toHaveLength(asked);
});

test.each(['..', '.', '', 'a/b'])('an id %j stays one segment of its address', async (id) => {
  await using host = await startHost(({ url = '' }, response) => {
    if (url.endsWith('metadata')) response.end(metadata('a'));
    else response.writeHead(404).end();
  });
  const site = await openSite(host.url);
  await expect(site.product.byId(id)).rejects.toMatchObject({ status: 404 });
  await expect(site.productChanges(id).take(1)).rejects.toMatchObject({ status: 404 });
  expect(host.targets.filter((target) => !/metadata$|^\/below\/v1\/products\/[^/]*(\/changes)?$/.test(target))).toEqual(
    [],
  );
});

describe('a hostile host', () => {
  const mebibyte = 1024 * 1024;

  /** A host with valid metadata, which answers as the test says at all other addresses. */
  const hostWithMetadata = (answer: (url: string, response: ServerResponse) => void) =>
    startHost(({ url = '' }, response) => {
      if (url === '/below/v1/metadata') response.end(metadata('a'));
      else answer(url, response);
    });

  /** Sends a piece again and again, as fast as it is read, up to a quarter of a gibibyte after decompression. */
  function sendOn(response: ServerResponse, piece: Uint8Array, times: number): void {
    let left = times;
    const write = () => {
      while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', write);
      response.end();
    };
    write();
  }

  test.each([
    ['plain', {}, () => Buffer.alloc(mebibyte, ' '), 256],
    ['packed', { 'Content-Encoding': 'gzip' }, () => gzipSync(Buffer.alloc(64 * mebibyte)), 4],
  ] as const)('with an endless document, %s, is not read to the end', async (_, headers, piece, times) => {
    const bytes = piece();
    let isEnded: Promise<unknown> | null = null;
    await using host = await startHost((_, response) => {
      isEnded = once(response.writeHead(200, headers), 'close');
      sendOn(response, bytes, times);
    });
    expectConnectionError(await errorFrom(openSite(host.url)), 'expected at most 33554432 bytes, got more');
    await isEnded;
    expect(host.targets).toHaveLength(1);
  });

  test('whose next page was already read, or whose pages are all empty, is not read for ever', async () => {
    let next = (_: number) => '/v1/products?cursor=a';
    let count = 0;
    await using host = await hostWithMetadata((_, response) => {
      count += 1;
      response.end(JSON.stringify({ data: [], meta: {}, links: { next: next(count) } }));
    });
    const site = await openSite(host.url);
    expectConnectionError(
      await errorFrom(site.products().take(5)),
      'expected the next page to be one that has not been read yet',
    );
    expect(count).toBe(2);
    next = (number) => `/v1/products?cursor=${number}`;
    expectConnectionError(await errorFrom(site.products().take(5)), 'expected a row within 250 pages, got none');
    expect(count).toBe(2 + 251);
  });

  test('with an export of a single line, or of more records than it says, is not read to the end', async () => {
    let piece = Buffer.alloc(mebibyte, 'x');
    await using host = await hostWithMetadata((_, response) => sendOn(response, piece, 256));
    expectConnectionError(await errorFromRecords(host.url), 'expected lines of at most 4194304 bytes, got more');
    piece = gzipSync(Buffer.alloc(64 * mebibyte));
    expectConnectionError(await errorFromRecords(host.url), 'expected lines of at most 4194304 bytes, got more');
    piece = Buffer.from('{"record_type":"header","header":{"record_count":2}}\n');
    expectConnectionError(await errorFromRecords(host.url), 'expected 2 records, got 3');
  });

  test('that falls silent is given up, before an answer or in the middle of one', async () => {
    const options = { timeoutMs: 300, attempts: 1 };
    let begin = (_: ServerResponse) => {};
    await using host = await hostWithMetadata((_, response) => begin(response));
    const site = await openSite(host.url, options);
    for (const start of ['', '{"data":', '{"record_type":"header"}\n{}']) {
      begin = (response) => {
        if (start !== '') response.write(start);
      };
      for (const failed of [errorFrom(site.categories()), errorFromRecords(host.url, options)]) {
        expectConnectionError(await failed, 'nothing within 300 ms');
      }
    }
  });

  test.each([
    'null',
    '5',
    '[]',
    '{}',
    '{"data":null}',
    '{"data":{"files":null}}',
    '{"data":[null],"meta":null,"links":null}',
    '{"data":[],"meta":{},"links":{"next":5}}',
    `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ])("that answers %.50s causes only the client's own errors", async (text) => {
    await using host = await hostWithMetadata((url, response) => {
      const isProblem = url.includes('problems') || url.includes('by-sku');
      if (isProblem)
        response.writeHead(url.includes('problems') ? 400 : 404, { 'Content-Type': 'application/problem+json' });
      response.end(isProblem ? text.replace('"data"', '"invalid_params"') : text);
    });
    for (const computes of [true, false]) {
      const site = await openSite(host.url, { computes });
      const questions = [
        () => site.changes().take(5),
        () => site.changes({ types: ['price_changed'] }).take(5),
        () => site.brands({ sort: '-name' }).take(5),
        () => site.records('stores')[Symbol.asyncIterator]().next(),
        () => site.records({ url: '/v1/exports/a/b.ndjson.gz' })[Symbol.asyncIterator]().next(),
        () => site.compare({ skus: ['014100'], lat: 40, lng: -111 }),
        () => site.search({ q: 'x' }),
        () => site.problem('SKU_NOT_FOUND'),
        () => site.product.bySku('014100'),
      ];
      for (const ask of questions) {
        const error = await errorFrom(ask());
        const isOwn = error === null || error instanceof ConnectionError || error instanceof ProblemError;
        expect(isOwn, `${ask} ${error}`).toBe(true);
      }
      const isDocument = /^\{(?!"data":(?:null|\[\[))/.test(text);
      if (!isDocument) await expect(site.categories()).rejects.toThrow(ConnectionError);
      await expect(openSite(`${host.url}/v1/categories`)).rejects.toThrow(ConnectionError);
    }
  });

  test('that redirects cannot lead to another host unless that is allowed', async () => {
    await using other = await startHost((_, response) => response.end(metadata('a')));
    let location = '/below/moved';
    await using host = await startHost(({ url }, response) => {
      if (url === '/below/moved') response.end(metadata('a'));
      else response.writeHead(302, { Location: location }).end();
    });
    expect((await openSite(host.url)).publication.revision).toBe('a');
    location = `${other.url}/v1/metadata`;
    const refused = await errorFrom(openSite(host.url));
    expectConnectionError(refused, `expected a redirect within the origin, got ${other.url}`);
    expect(other.targets).toEqual([]);
    const redirectsTo = [new URL(other.url).host];
    expect((await openSite(host.url, { redirectsTo })).publication.revision).toBe('a');
    // A browser follows redirects by itself, and says where the answer is from.
    const followed: OpenOptions['fetch'] = (url, init) => fetch(url, { ...init, redirect: 'follow' });
    await expect(openSite(host.url, { fetch: followed })).rejects.toThrow('expected a redirect within the origin');
    location = '/below/v1/metadata';
    await expect(openSite(host.url)).rejects.toThrow('expected at most 5 redirects, got more');
    location = 'http://[';
    await expect(openSite(host.url, { attempts: 1 })).rejects.toThrow(ConnectionError);
  });
});
