import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkoutPath, objectPath } from '../../generator/contract/paths.ts';
import { readPrivateKey, readPublicKey, writeKeyPair } from '../../generator/site/keys.ts';
import { type LiveOptions, verifyLive } from '../../generator/verify/live-site.ts';
import { readSite } from '../build/site-tree.ts';
import { RunningServer } from '../serve/running-server.ts';
import { copySite, hasty, PublishedSites } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

let sites: PublishedSites;
let server: RunningServer;
beforeAll(async () => {
  sites = await PublishedSites.build(2);
  server = await RunningServer.start(['--dist', sites.at('dist-2')]);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  sites.remove();
});

function check(url: string, options: Partial<LiveOptions> = {}) {
  const defaults = { key: null, sample: null, bytesOnly: false, patience: hasty };
  return verifyLive({ url, ...defaults, ...options }, () => undefined);
}

function urlOf({ host, port }: RunningServer): string {
  return `http://${host}:${port}/v1`;
}

/** Verifies a static host, and leaves out faults in the contract's headers, which such a host does not send. */
async function faultsBeyondHeaders(host: StaticHost): Promise<string[]> {
  const { faults } = await check(host.url);
  return faults
    .filter(({ code }) => code !== 'live_header')
    .map(({ code, path, expected, got }) => `${code} ${path}: expected ${expected}, got ${got}`);
}

/** A host that serves addresses from the checkout, and the files for mirrors from the folder. */
async function plainHost(folder: string): Promise<StaticHost> {
  const host = await StaticHost.start(folder);
  host.intercept = ({ url = '' }, response) => {
    if (!url.startsWith('/v1')) return false;
    response.end(readFileSync(join(host.folder, 'site', checkoutPath(url))));
    return true;
  };
  return host;
}

test('every address of serve.ts is what the pointer says, lists with cursors too', async () => {
  const { counts, faults, pointer } = await check(urlOf(server));
  expect(faults).toEqual([]);
  expect([counts.asked, pointer.sequence]).toEqual([counts.routes, 2]);
  expect(counts.routes).toBe(readSite(sites.at('dist-2')).routes.size);
  const [first] = readSite(sites.at('dist-2')).routes.values();
  expect(first?.path).toBe('/v1');
});

test('a sample is the same for everyone, and of its size', async () => {
  await using host = await plainHost(sites.at('dist-2'));
  const asked = async () => {
    host.taken();
    const { counts } = await check(host.url, { sample: 7 });
    expect(counts.asked).toBe(7);
    return host
      .taken()
      .filter((path) => path.startsWith('/v1'))
      .sort();
  };
  const first = await asked();
  expect(first).toHaveLength(7);
  expect(await asked()).toEqual(first);
});

describe('each difference is a fault', () => {
  test('headers that a plain server does not send', async () => {
    await using host = await plainHost(sites.at('dist-2'));
    const { faults } = await check(host.url, { sample: 1 });
    expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['live_header']));
    expect((await check(host.url, { bytesOnly: true })).counts).toMatchObject({ faults: 0 });
    for (const name of ['Content-Type', 'Cache-Control', 'X-Publication-Revision', 'ETag', 'Last-Modified']) {
      expect(
        faults.some(({ expected }) => expected.startsWith(name)),
        name,
      ).toBe(true);
    }
  });

  test('other bytes, a missing answer, a list with a row less', async () => {
    await using host = await plainHost(sites.at('dist-2'));
    expect(await faultsBeyondHeaders(host)).toEqual([]);
    const { intercept } = host;
    host.intercept = (request, response) => {
      if (request.url === '/v1/brands/index.json') return Boolean(response.end('{}'));
      if (request.url === '/v1/categories') return Boolean(response.writeHead(404).end());
      if (request.url === '/v1/exports/daily.parquet') return Boolean(response.end('PAR1PAR1'));
      if (request.url !== '/v1/changes') return intercept(request, response);
      const list = JSON.parse(readFileSync(join(host.folder, 'site', 'v1/changes.json'), 'utf8'));
      list.data.pop();
      return Boolean(response.end(JSON.stringify(list)));
    };
    // Without headers, all faults fit into the list.
    const { faults } = await check(host.url, { bytesOnly: true });
    expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'live_bytes /v1/brands/index.json',
      'live_status /v1/categories',
      'live_bytes /v1/changes',
      'live_bytes /v1/exports/daily.parquet',
    ]);
  });

  test('an older publication behind a cache', async () => {
    await using host = await StaticHost.start(sites.at('dist-1'));
    await using old = await RunningServer.start(['--dist', sites.at('dist-1')]);
    host.folder = sites.at('dist-2');
    host.intercept = ({ url = '' }, response) => {
      if (!url.startsWith('/v1')) return false;
      void fetch(`http://${old.host}:${old.port}${url}`, { headers: { 'Accept-Encoding': 'identity' } }).then(
        async (reply) => {
          response.writeHead(reply.status, {
            'X-Publication-Revision': reply.headers.get('x-publication-revision') ?? '',
          });
          response.end(Buffer.from(await reply.arrayBuffer()));
        },
      );
      return true;
    };
    const { faults } = await check(host.url, { sample: 5 });
    const { revision } = readSite(sites.at('dist-2')).pointer;
    expect(faults.some(({ expected }) => expected === `X-Publication-Revision "${revision}"`)).toBe(true);
  });
});

test('a site that publishes meanwhile is looked at again', async () => {
  const folder = sites.at('moving');
  copySite(sites.at('dist-1'), folder);
  await using host = await plainHost(folder);
  const { intercept } = host;
  host.intercept = (request, response) => {
    if (request.url?.startsWith('/v1')) host.folder = sites.at('dist-2');
    return intercept(request, response);
  };
  const { pointer, faults } = await check(host.url);
  expect(pointer.sequence).toBe(2);
  expect(faults.filter(({ code }) => code !== 'live_header')).toEqual([]);
});

test('a signature is asked for', async () => {
  writeKeyPair(sites.at('site.key'));
  const key = readPublicKey(sites.at('site.key.pub'));
  await expect(check(urlOf(server), { key })).rejects.toThrow(
    `expected a signature of key ${key.fingerprint}, got none`,
  );
  const signed = await PublishedSites.build(1, readPrivateKey(sites.at('site.key')));
  await using signedServer = await RunningServer.start(['--dist', signed.at('dist-1')]);
  expect((await check(urlOf(signedServer), { key, sample: 3 })).faults).toEqual([]);
  signed.remove();
});

test('a damaged route table is named', async () => {
  const folder = sites.at('damaged');
  cpSync(sites.at('dist-2'), folder, { recursive: true, verbatimSymlinks: true });
  const path = objectPath(readSite(folder).pointer.routes.sha256);
  rmSync(join(folder, path));
  writeFileSync(join(folder, path), 'damaged');
  await using host = await StaticHost.start(folder);
  await expect(check(host.url)).rejects.toThrow(`${host.url}/${path}: expected`);
});
