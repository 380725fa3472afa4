import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  ConnectionError,
  type OpenOptions,
  openSite,
  ProblemError,
  PublicationChangedError,
} from '../../client/open-site.ts';

/** A host that answers as the test says. */
class ScriptedHost implements AsyncDisposable {
  readonly targets: string[] = [];
  readonly #server;

  private constructor(answer: RequestListener) {
    this.#server = createServer((request, response) => {
      this.targets.push(request.url ?? '');
      answer(request, response);
    });
  }

  static async start(answer: RequestListener): Promise<ScriptedHost> {
    const host = new ScriptedHost(answer);
    await new Promise<void>((resolve) => host.#server.listen(0, '127.0.0.1', resolve));
    return host;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/below`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const metadata = (revision: string) => JSON.stringify({ data: { publication: { revision, sequence: 1 } }, meta: {} });

/** What a question fails with. */
const failureOf = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => null,
    (reason: unknown) => reason,
  );

test('it asks a busy host and a broken connection again, after the time that the host names, and no more often than it may', async () => {
  let failures: readonly (number | 'broken')[] = [429, 503, 'broken'];
  let retryAfter = '0';
  await using host = await ScriptedHost.start((request, response) => {
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

test('a signal ends the question of its own, also while it waits, and not what others wait for', async () => {
  const reason = new Error('enough');
  let controller = new AbortController();
  const index = JSON.stringify({ publication_revision: crypto.randomUUID(), warnings: [], entries: [] });
  let isBusy = true;
  await using host = await ScriptedHost.start(({ url }, response) => {
    if (isBusy) {
      response.writeHead(503, { 'Retry-After': '10' }).end();
      setTimeout(() => controller.abort(reason), 20);
    } else if (url !== '/below/v1/search/index.json') response.end(metadata('a'));
    else {
      controller.abort(reason);
      setTimeout(() => response.end(index), 20);
    }
  });
  expect(await failureOf(openSite(host.url, { signal: controller.signal }))).toBe(reason);
  expect(await failureOf(openSite(host.url, { signal: controller.signal }))).toBe(reason);
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

test('it asks with the tag of what it keeps', async () => {
  const conditions: unknown[] = [];
  await using host = await ScriptedHost.start(({ headers }, response) => {
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

test('links may be URLs of the address that the site was built for', async () => {
  await using host = await ScriptedHost.start(({ url }, response) => {
    const page = (id: string, next: string | null) => JSON.stringify({ data: [{ id }], meta: {}, links: { next } });
    if (url === '/below/v1/brands') response.end(page('1', 'https://built.example/v1/utah/v1/brands/pages/a.json'));
    else if (url === '/below/v1/brands/pages/a.json') response.end(page('2', null));
    else response.end(metadata('a'));
  });
  const site = await openSite(host.url);
  expect(await site.brands().take(9)).toEqual([{ id: '1' }, { id: '2' }]);
  expect(() => site.addressOf('brands', {}, { q: 'a b', category_ids: ['c', 'd'] })).not.toThrow();
  expect(site.addressOf('brands', {}, { q: 'a b', category_ids: ['c', 'd'] })).toBe(
    `${host.url}/v1/brands?q=a%20b&category_ids=c,d`,
  );
  await expect(site.at('https://elsewhere.example/brands')).rejects.toThrow('expected an address of the site');
});

test('an export that breaks off is not taken for a whole one', async () => {
  const lines = ['{"record_type":"header","header":{"record_count":2}}', '{"record_type":"store","id":"1"}', ''].join(
    '\n',
  );
  let bytes: Uint8Array = Buffer.from(lines);
  await using host = await ScriptedHost.start(({ url }, response) => {
    response.end(url === '/below/v1/exports/a/stores.ndjson.gz' ? bytes : metadata('a'));
  });
  const site = await openSite(host.url);
  const read = async () => {
    const found: unknown[] = [];
    for await (const record of site.records({ url: '/v1/exports/a/stores.ndjson.gz' })) found.push(record);
    return found;
  };
  await expect(read()).rejects.toThrow('expected 2 records, got 1');
  bytes = gzipSync(`${lines}{"record_type":"store","id":"2"}\n`);
  expect(await read()).toHaveLength(2);
  bytes = bytes.subarray(0, -10);
  await expect(read()).rejects.toThrow('the file broke off');
  bytes = Buffer.from('PAR1\n\x15\x04\nPAR1');
  await expect(read()).rejects.toThrow(/stores\.ndjson\.gz: expected NDJSON, got 4 bytes that are none/);
});

test('pinned, it refuses answers of another publication, by their header', async () => {
  let [revision, stale] = ['a', ''];
  await using host = await ScriptedHost.start(({ headers }, response) => {
    // A cache on the way that asks its host when it is told to.
    const isOfCache = stale !== '' && headers['cache-control'] !== 'no-cache';
    const shown = isOfCache ? stale : revision;
    response.writeHead(200, { 'X-Publication-Revision': shown }).end(metadata(shown));
  });
  const [pinned, loose] = [await openSite(host.url, { pinned: true }), await openSite(host.url)];
  stale = 'z';
  expect((await pinned.metadata()).data.publication.revision).toBe('a');
  [revision, stale] = ['b', ''];
  await expect(pinned.metadata()).rejects.toThrow(PublicationChangedError);
  await expect(pinned.metadata()).rejects.toMatchObject({ expected: 'a', got: 'b' });
  expect((await loose.metadata()).data.publication.revision).toBe('b');
});

test('pinned, it compares the pointer where answers have no header', async () => {
  let revision = 'a';
  await using host = await ScriptedHost.start(({ url }, response) => {
    if (url === '/below/current.json') response.end(JSON.stringify({ revision, sequence: 1, published_at: '' }));
    else response.end(metadata('a'));
  });
  const site = await openSite(host.url, { pinned: true });
  await site.categories();
  revision = 'b';
  await expect(site.categories()).rejects.toMatchObject({ name: 'PublicationChangedError', expected: 'a', got: 'b' });
});

test('a wrong answer of an address that never changes is not kept', async () => {
  const head = { data: [], meta: {}, links: { next: '/v1/changes/pages/1.json' } };
  const page = { data: [{ id: 'one' }], meta: {}, links: { next: null } };
  let isWrong = true;
  await using host = await ScriptedHost.start(({ url = '' }, response) => {
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

test.each(['..', '.', '', 'a/b'])('an id %j stays a segment of its address', async (id) => {
  await using host = await ScriptedHost.start(({ url = '' }, response) => {
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
  const json = (value: unknown) => JSON.stringify(value);

  /** The host with metadata that hold, which answers as the test says at all other addresses. */
  const hostOf = (answer: (url: string, response: ServerResponse) => void) =>
    ScriptedHost.start(({ url = '' }, response) => {
      if (url === '/below/v1/metadata') response.end(metadata('a'));
      else answer(url, response);
    });

  /** Sends a piece again and again, as fast as it is read, up to a quarter of a gibibyte as unpacked. */
  function sendOn(response: ServerResponse, piece: Uint8Array, times: number): void {
    let left = times;
    const write = () => {
      while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', write);
      response.end();
    };
    write();
  }

  async function recordsOf(url: string, options: OpenOptions = {}): Promise<unknown[]> {
    const found: unknown[] = [];
    const site = await openSite(url, options);
    for await (const record of site.records({ url: '/v1/exports/a/stores.ndjson.gz' })) found.push(record);
    return found;
  }

  test.each([
    ['plain', {}, () => Buffer.alloc(mebibyte, ' '), 256],
    ['packed', { 'Content-Encoding': 'gzip' }, () => gzipSync(Buffer.alloc(64 * mebibyte)), 4],
  ] as const)('with an endless document, %s, is not read on', async (_, headers, piece, times) => {
    const bytes = piece();
    let isEnded: Promise<unknown> | null = null;
    await using host = await ScriptedHost.start((_, response) => {
      isEnded = once(response.writeHead(200, headers), 'close');
      sendOn(response, bytes, times);
    });
    const error = await failureOf(openSite(host.url));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('expected at most 33554432 bytes, got more');
    await isEnded;
    expect(host.targets).toHaveLength(1);
  });

  test('with a next page that was read before, or none that has a row, is not walked for ever', async () => {
    let next = (_: number) => '/v1/products?cursor=a';
    let count = 0;
    await using host = await hostOf((_, response) => {
      count += 1;
      response.end(json({ data: [], meta: {}, links: { next: next(count) } }));
    });
    const site = await openSite(host.url);
    const refusal = async () => {
      count = 0;
      const error = await failureOf(site.products().take(5));
      expect(error).toBeInstanceOf(ConnectionError);
      return [count, String(error)];
    };
    expect(await refusal()).toEqual([2, expect.stringContaining('expected a page that was not read yet')]);
    next = (number) => `/v1/products?cursor=${number}`;
    expect(await refusal()).toEqual([251, expect.stringContaining('expected a row within 250 pages, got none')]);
  });

  test('with an export of one line, or of more records than it says, is not read on', async () => {
    let piece = Buffer.alloc(mebibyte, 'x');
    await using host = await hostOf((_, response) => sendOn(response, piece, 256));
    await expect(recordsOf(host.url)).rejects.toThrow('expected lines of at most 4194304 bytes, got more');
    piece = gzipSync(Buffer.alloc(64 * mebibyte));
    await expect(recordsOf(host.url)).rejects.toThrow('expected lines of at most 4194304 bytes, got more');
    piece = Buffer.from('{"record_type":"header","header":{"record_count":2}}\n');
    await expect(recordsOf(host.url)).rejects.toThrow('expected 2 records, got 3');
  });

  test('that falls silent is given up, before an answer and within', async () => {
    const options = { timeoutMs: 300, attempts: 1 };
    let begin = (_: ServerResponse) => {};
    await using host = await hostOf((_, response) => begin(response));
    const site = await openSite(host.url, options);
    for (const start of ['', '{"data":', '{"record_type":"header"}\n{}']) {
      begin = (response) => {
        if (start !== '') response.write(start);
      };
      for (const asked of [site.categories(), recordsOf(host.url, options)]) {
        const error = await failureOf(asked);
        expect(error).toBeInstanceOf(ConnectionError);
        expect(String(error)).toContain('nothing within 300 ms');
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
  ])('that answers %.50s has errors of the client alone', async (text) => {
    await using host = await hostOf((url, response) => {
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
        const error = await failureOf(ask());
        const isOwn = error === null || error instanceof ConnectionError || error instanceof ProblemError;
        expect(isOwn, `${ask} ${error}`).toBe(true);
      }
      const isDocument = /^\{(?!"data":(?:null|\[\[))/.test(text);
      if (!isDocument) await expect(site.categories()).rejects.toThrow(ConnectionError);
      await expect(openSite(`${host.url}/v1/categories`)).rejects.toThrow(ConnectionError);
    }
  });

  test('that redirects leads to no other host, unless it may', async () => {
    await using other = await ScriptedHost.start((_, response) => response.end(metadata('a')));
    let location = '/below/moved';
    await using host = await ScriptedHost.start(({ url }, response) => {
      if (url === '/below/moved') response.end(metadata('a'));
      else response.writeHead(302, { Location: location }).end();
    });
    expect((await openSite(host.url)).publication.revision).toBe('a');
    location = `${other.url}/v1/metadata`;
    const refused = await failureOf(openSite(host.url));
    expect(refused).toBeInstanceOf(ConnectionError);
    expect(String(refused)).toContain(`expected a redirect within the origin, got ${other.url}`);
    expect(other.targets).toEqual([]);
    const redirectsTo = [new URL(other.url).host];
    expect((await openSite(host.url, { redirectsTo })).publication.revision).toBe('a');
    // A browser follows by itself and says where the answer is from.
    const followed: OpenOptions['fetch'] = (url, init) => fetch(url, { ...init, redirect: 'follow' });
    await expect(openSite(host.url, { fetch: followed })).rejects.toThrow('expected a redirect within the origin');
    location = '/below/v1/metadata';
    await expect(openSite(host.url)).rejects.toThrow('expected at most 5 redirects, got more');
    location = 'http://[';
    await expect(openSite(host.url, { attempts: 1 })).rejects.toThrow(ConnectionError);
  });
});
