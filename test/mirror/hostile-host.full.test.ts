import { hash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { ObjectReference, Pointer, Route } from '../../contract/schemas/site-files.ts';
import { byteLimits } from '../../contract/site/byte-limits.ts';
import { redirectTarget } from '../../generator/http/urls.ts';
import { writeTable } from '../../generator/site/route-table.ts';
import { Storage } from '../../generator/site/storage.ts';
import { verifyLive } from '../../generator/verify/live-site.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readJson, readSite, readTree } from '../units/site-tree.ts';
import { copySite, hasty, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const patience = { ...hasty, attempts: 2 };

/** Patience for slow hosts, short enough for a test. */
const impatience = { ...patience, idleMs: 1500, windowMs: 400, leastBytesPerWindow: 200 };
const mebibyte = 1024 * 1024;

const sites = SmallSites.use(1);
const host = StaticHost.use(sites.at('dist-1'));

/** Changes a copy of the site, which the host then serves. */
function forged(change: (folder: string) => void = () => undefined): string {
  const folder = sites.fresh();
  copySite(sites.at('dist-1'), folder);
  change(folder);
  host.folder = folder;
  return folder;
}

/** Changes the routes of a site's current publication, and rewrites the route table and the pointer to match. */
function forgeRoutes(folder: string, change: (routes: Route[]) => readonly Route[]): void {
  const storage = new Storage(folder);
  const routes = change([...readSite(folder).routes.values()]);
  forgePointer(folder, writeTable(storage, new Map(routes.map((route) => [route.path, route]))).reference);
}

/** Makes the pointer name another route table for its current publication. */
function forgePointer(folder: string, routes: ObjectReference): void {
  const { pointer } = readSite(folder);
  const publications = pointer.publications.map((one) =>
    one.revision === pointer.revision ? { ...one, routes } : one,
  );
  const forged: Pointer = { ...pointer, routes, publications };
  writeFileSync(join(folder, 'current.json'), `${JSON.stringify(forged, null, 2)}\n`);
}

function putObject(folder: string, content: Uint8Array | object): ObjectReference {
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
  const sha256 = hash('sha256', bytes);
  new Storage(folder).create(objectPath(sha256), bytes);
  return { sha256, size: bytes.length };
}

/** Makes the host answer requests for one address in this way. */
function answering(path: string, answer: (response: ServerResponse) => void): void {
  host.intercept = ({ url }, response) => {
    if (url !== path) return false;
    answer(response);
    return true;
  };
}

function verify() {
  return verifyLive({ url: host.url, key: null, sample: null, bytesOnly: true, patience }, () => undefined);
}

/** Expects that mirroring and verifying the host both fail with this message. */
async function expectRefused(message: string | RegExp): Promise<void> {
  await expect(mirror(host.url, sites.fresh(), { patience })).rejects.toThrow(message);
  await expect(verify()).rejects.toThrow(message);
}

const readRouteTable = (folder: string) => readSite(folder).pointer.routes;
const objectsAsked = () => host.taken().filter((path) => path.startsWith('/objects/'));

describe('claims', () => {
  const huge = 2 ** 50;

  test('of a huge route table are refused before it is requested', async () => {
    forged((folder) => forgePointer(folder, { ...readRouteTable(folder), size: huge }));
    await expectRefused(`expected the root of a route table of at most 16777216 bytes, got a claim of ${huge}`);
    for (const [sizes, message] of [
      [[huge], `expected a shard of a route table of at most 16777216 bytes, got a claim of ${huge}`],
      [
        Array(64).fill(byteLimits.shard),
        'expected route tables of at most 536870912 bytes in all, got a claim of more',
      ],
    ] as const) {
      const shards = sizes.map((size: number) => ({ sha256: '0'.repeat(64), size }));
      const folder = forged();
      forgePointer(folder, putObject(folder, { route_count: 1, shard_bits: Math.log2(sizes.length), shards }));
      await expectRefused(message);
    }
    expect(objectsAsked().filter((path) => path.startsWith('/objects/00'))).toEqual([]);
  });

  test('of more publications or shards than a site can have are refused by their number', async () => {
    const folder = forged();
    const { pointer } = readSite(folder);
    const publications = Array(1_300_000).fill({});
    writeFileSync(join(folder, 'current.json'), JSON.stringify({ ...pointer, publications }));
    await expectRefused('expected at most 16384 entries at publications');
    writeFileSync(join(folder, 'current.json'), readFileSync(join(sites.at('dist-1'), 'current.json')));
    const shards = Array(2 ** 17 + 1).fill({});
    forgePointer(folder, putObject(folder, { route_count: 1, shard_bits: 17, shards }));
    await expectRefused('expected at most 131072 entries at shards in the route table, got');
  });

  const claiming = (size: number) => (routes: Route[]) => routes.map((route) => ({ ...route, size }));

  test('of huge objects are refused before one is requested', async () => {
    forged((folder) => forgeRoutes(folder, claiming(huge)));
    await expect(mirror(host.url, sites.fresh())).rejects.toThrow(
      `expected at most 4294967296 bytes, got a claim of ${huge}`,
    );
    expect(objectsAsked()).toHaveLength(2);
    const { counts, faults } = await verify();
    expect(counts.faults).toBe(counts.routes);
    expect(new Set(faults.map(({ got }) => got))).toEqual(new Set([`a claim of ${huge}`]));
    expect(host.taken().filter((path) => path.startsWith('/v1'))).toEqual([]);
  });

  test('of a little more than the limit', async () => {
    const { downloadedBytes } = await mirror(host.url, sites.fresh());
    await mirror(host.url, sites.fresh(), { maxBytes: downloadedBytes });
    await expect(mirror(host.url, sites.fresh(), { maxBytes: downloadedBytes - 1 })).rejects.toThrow(
      `expected at most ${downloadedBytes - 1} bytes in all, got a claim of ${downloadedBytes}; pass --max-bytes ${downloadedBytes} to accept it`,
    );
  });
});

describe('bodies without an end are cut off', () => {
  const table = () => `/${objectPath(readRouteTable(host.folder).sha256)}`;
  const piece = Buffer.alloc(64 * 1024, ' ');

  /** Answers an address without end, as fast as it is read. The returned function returns the number of bytes sent. */
  function endless(path: string, status = 200): () => number {
    let sent = 0;
    answering(path, (response) => {
      response.writeHead(status);
      const write = () => {
        while (!response.destroyed) {
          sent += piece.length;
          if (response.write(piece)) continue;
          response.once('drain', write);
          return;
        }
      };
      write();
    });
    return () => sent;
  }

  test('the pointer, its signature, a route table', async () => {
    for (const path of ['/current.json', '/current.json.sig', table()]) {
      const sent = endless(path);
      await expectRefused(/expected at most \d+ bytes, got more, 2 times$/);
      // Mirror and verify each read it twice. Each time, some more megabytes are under way.
      expect(sent()).toBeLessThan(4 * (byteLimits.pointer + 16 * mebibyte));
    }
  });

  test('a route table that is packed, once and a hundred times', async () => {
    // A body of spaces that is a thousand times as long when it is decompressed.
    const bomb = gzipSync(Buffer.alloc(64 * mebibyte, ' '));
    for (const layers of [1, 100]) {
      const coding = Array(layers).fill('gzip').join(', ');
      answering(table(), (response) => response.writeHead(200, { 'Content-Encoding': coding }).end(bomb));
      await expectRefused(layers === 1 ? /expected at most \d+ bytes, got more/ : /expected an answer, got /);
    }
  });

  test('an address of a verified site, which is a fault', async () => {
    const sent = endless('/v1/brands');
    const { faults } = await verify();
    expect(faults.find(({ path }) => path === '/v1/brands')).toMatchObject({ code: 'live_bytes', got: 'more' });
    expect(sent()).toBeLessThan(24 * mebibyte);
  });

  test('a problem that never ends still counts as an answer', async () => {
    endless('/current.json', 403);
    await expectRefused('expected a file of a site, got status 403');
  });
});

describe('slow answers', () => {
  test('an occasional byte is not enough', async () => {
    answering('/current.json', (response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    await expect(mirror(host.url, sites.fresh(), { patience: impatience })).rejects.toThrow(
      /current\.json: expected an answer, got \d+ bytes in 400 ms, fewer than 200, 2 times$/,
    );
  });

  test.each([
    ['a header that never ends', 'HTTP/1.1 200 OK\r\nX-A: '],
    ['an extension of a chunk that never ends', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;'],
  ])('%s', async (_, start) => {
    host.intercept = ({ socket }) => {
      socket.write(start);
      const timer = setInterval(() => socket.write('a'.repeat(8000)), 20);
      socket.on('close', () => clearInterval(timer));
      return true;
    };
    await expect(mirror(host.url, sites.fresh(), { patience: impatience })).rejects.toThrow(
      /current\.json: expected an answer, got .+, 2 times$/,
    );
  });
});

describe('redirects', () => {
  /** Makes the host redirect every request. */
  function redirecting(to: (path: string) => string, status = 302): void {
    host.intercept = ({ url = '' }, response) => {
      if (!url.startsWith('/moved')) return Boolean(response.writeHead(status, { Location: to(url) }).end());
      response.end(readFileSync(join(host.folder, url.slice('/moved'.length))));
      return true;
    };
  }

  test.each([301, 302, 303, 307, 308])('within the host are followed: %i', async (status) => {
    redirecting((path) => `/moved${path.replace('.sig', '')}`, status);
    await expect(mirror(host.url, sites.fresh())).rejects.toThrow('.sig: expected a line of JSON');
  });

  test('to another host are refused unless it is allowed, and nothing is requested there', async () => {
    await using other = await StaticHost.start(sites.at('dist-1'));
    redirecting((path) => `${other.url}${path}`);
    const name = new URL(other.url).host;
    await expectRefused(
      `expected a redirect within ${host.url}, got ${other.url}/current.json; pass --allow-redirects-to ${name} to follow it`,
    );
    expect(other.taken()).toEqual([]);
    expect((await mirror(host.url, sites.fresh(), { redirectsTo: [name] })).changed).toBe(true);
  });

  test.each([
    ['in a circle', (path: string) => path, 'expected at most 5 redirects, got more'],
    ['to a file', () => 'file:///etc/passwd', 'expected a redirect to an http or https URL, got file:'],
    ['to no URL', () => 'http://[', 'expected a redirect to a URL, got something else'],
    ['with a password', () => 'http://a:b@127.0.0.1/', 'expected a redirect without a password'],
  ])('%s are refused', async (_, to, message) => {
    redirecting(to);
    await expectRefused(message);
  });

  test('from http to https on the same host are followed, but never back', () => {
    const lead = (asked: string, to: string) => () =>
      redirectTarget(new URL(asked), new URL(asked), to, ['b.example']).href;
    expect(lead('http://a.example/x', 'https://a.example/y')()).toBe('https://a.example/y');
    for (const [asked, to] of [
      ['https://a.example/', 'http://a.example/'],
      ['https://a.example/', 'http://b.example/'],
      ['http://a.example/', 'https://b.a.example/'],
      ['http://a.example/', 'http://a.example:8080/'],
    ] as const) {
      expect(lead(asked, to)).toThrow('expected a redirect');
    }
  });
});

test('an address outside the contract names no file', async () => {
  const escaped = '/v1/../../escaped';
  forged((folder) => forgeRoutes(folder, ([first, ...more]) => [{ ...(first as Route), path: escaped }, ...more]));
  await expect(mirror(host.url, sites.fresh())).rejects.toThrow(`${escaped}: expected an address of the contract`);
});

test('JSON nested deep is refused, in the pointer and in a shard', async () => {
  const message = /JSON of at most 64 levels.*, got more/;
  const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
  forged((folder) => writeFileSync(join(folder, 'current.json'), deep));
  await expectRefused(message);
  forged((folder) => {
    const root = readJson(folder, readRouteTable(folder).sha256) as object;
    const shard = putObject(folder, Buffer.from(`{"routes":${deep}}`));
    forgePointer(folder, putObject(folder, { ...root, shards: [shard] }));
  });
  await expectRefused(message);
});

test('a large object arrives whole, and half of one leaves nothing', async () => {
  const bytes = randomBytes(24 * mebibyte);
  let path = '';
  forged((folder) => {
    const large = putObject(folder, bytes);
    path = `/${objectPath(large.sha256)}`;
    forgeRoutes(folder, (routes) =>
      routes.map((route) => (route.path.endsWith('/products.ndjson.gz') ? { ...route, ...large } : route)),
    );
  });
  const folder = sites.fresh();
  answering(path, (response) => response.write(bytes.subarray(0, 20 * mebibyte), () => response.destroy()));
  await expect(mirror(host.url, folder)).rejects.toThrow(`${host.url}${path}: expected an answer`);
  expect([...readTree(folder).keys()].filter((name) => name.includes('.tmp') || `/${name}` === path)).toEqual([]);
  answering(path, (response) => response.end(randomBytes(bytes.length)));
  await expect(mirror(host.url, folder)).rejects.toThrow('expected bytes with that SHA-256');
  host.intercept = () => false;
  await mirror(host.url, folder);
  expect(readFileSync(join(folder, path)).equals(bytes)).toBe(true);
});
