import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ConnectionError, openSite, PublicationChangedError } from '../../client/open-site.ts';

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

test('it asks a busy host again, after the time that the host names, and no more often than it may', async () => {
  let left = 2;
  await using host = await ScriptedHost.start((_, response) => {
    if (left-- > 0) response.writeHead(left === 1 ? 503 : 429, { 'Retry-After': '0' }).end();
    else response.writeHead(200, { 'X-Publication-Revision': 'a' }).end(metadata('a'));
  });
  expect((await openSite(host.url, { firstWaitMs: 1 })).publication.revision).toBe('a');
  expect(host.targets).toEqual(Array(3).fill('/below/v1/metadata'));
  left = 100;
  await expect(openSite(host.url, { firstWaitMs: 1, attempts: 2 })).rejects.toMatchObject({ status: 429, code: null });
  expect(host.targets).toHaveLength(5);
});

test('it does not wait longer than it may', async () => {
  await using host = await ScriptedHost.start((_, response) =>
    response.writeHead(503, { 'Retry-After': '3600' }).end(),
  );
  await expect(openSite(host.url)).rejects.toMatchObject({ status: 503 });
  expect(host.targets).toHaveLength(1);
});

test('it asks again after a broken connection', async () => {
  let left = 2;
  await using host = await ScriptedHost.start((request, response) => {
    if (left-- > 0) request.socket.destroy();
    else response.end(metadata('a'));
  });
  expect((await openSite(host.url, { firstWaitMs: 1 })).publication.revision).toBe('a');
  left = 100;
  await expect(openSite(host.url, { firstWaitMs: 1, attempts: 2 })).rejects.toThrow(ConnectionError);
});

test('a signal ends it, also while it waits', async () => {
  await using host = await ScriptedHost.start((_, response) => response.writeHead(503, { 'Retry-After': '10' }).end());
  const controller = new AbortController();
  const opening = openSite(host.url, { signal: controller.signal });
  const reason = new Error('enough');
  setTimeout(() => controller.abort(reason), 20);
  await expect(opening).rejects.toBe(reason);
  await expect(openSite(host.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a signal ends the question of its own, and not what others wait for', async () => {
  const reason = new Error('enough');
  const controller = new AbortController();
  const index = JSON.stringify({ publication_revision: crypto.randomUUID(), warnings: [], entries: [] });
  await using host = await ScriptedHost.start(({ url }, response) => {
    if (url !== '/below/v1/search/index.json') response.end(metadata('a'));
    else {
      controller.abort(reason);
      setTimeout(() => response.end(index), 20);
    }
  });
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
  await expect(read()).rejects.toThrow(/stores\.ndjson\.gz: expected NDJSON, got a line that is no JSON/);
});

test('questions that begin together find out once whether the host computes', async () => {
  await using host = await ScriptedHost.start(({ url }, response) => {
    response.end(url?.includes('/search') ? '{"data":[],"meta":{"total":0}}' : metadata('a'));
  });
  const site = await openSite(host.url);
  await Promise.all([site.search({ q: 'x' }), site.search({ q: 'y' })]);
  expect(host.targets.filter((target) => target.endsWith('?q=a&limit=1'))).toHaveLength(1);
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
