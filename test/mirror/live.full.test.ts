import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkoutPath } from '../../contract/paths.ts';
import { type LiveOptions, verifyLive } from '../../generator/verify/live-site.ts';
import { SmallSites } from '../support/small-sites.ts';
import { copySite, hasty } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const sites = SmallSites.use(2);

function check(url: string, options: Partial<LiveOptions> = {}) {
  const defaults = { key: null, sample: null, bytesOnly: false, patience: hasty };
  return verifyLive({ url, ...defaults, ...options }, () => undefined);
}

/** A host that serves addresses from the checkout, and the files for mirrors from the folder. */
async function plainHost(folder: string): Promise<StaticHost> {
  const host = await StaticHost.start(folder);
  host.intercept = ({ url = '' }, response) => {
    if (url.startsWith('/objects/') || url.startsWith('/current.json')) return false;
    response.end(readFileSync(join(host.folder, 'site', checkoutPath(url))));
    return true;
  };
  return host;
}

test('headers that a plain server does not send are faults', async () => {
  await using host = await plainHost(sites.at('dist-2'));
  const { faults } = await check(host.url, { sample: 1 });
  expect(new Set(faults.map(({ code }) => code))).toEqual(new Set(['live_header']));
  expect((await check(host.url, { bytesOnly: true })).counts).toMatchObject({ faults: 0 });
  const missing = faults.map(({ expected }) => expected).join('\n');
  for (const name of ['Content-Type', 'Cache-Control', 'X-Publication-Revision', 'ETag', 'Last-Modified']) {
    expect(missing).toMatch(new RegExp(`^${name}`, 'm'));
  }
});

test('so are other bytes, a missing answer, and a list without one row', async () => {
  await using host = await plainHost(sites.at('dist-2'));
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
  // Without the headers, all faults fit into the list.
  const { faults } = await check(host.url, { bytesOnly: true });
  expect(faults.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'live_bytes /v1/brands/index.json',
    'live_status /v1/categories',
    'live_bytes /v1/changes',
    'live_bytes /v1/exports/daily.parquet',
  ]);
});

test('so is the ETag of a compressed answer for a client that says nothing about codings', async () => {
  await using host = await plainHost(sites.at('dist-2'));
  const { faults } = await check(host.url);
  const missing = faults.find(({ path, expected }) => path === '/v1/metadata' && expected.startsWith('ETag'));
  const tag: string = JSON.parse(missing?.expected.slice('ETag '.length) ?? '');
  const { intercept } = host;
  const answerWith = (others: string) => {
    host.intercept = (request, response) => {
      if (request.url === '/v1/metadata')
        response.setHeader('ETag', request.headers['accept-encoding'] === 'identity' ? tag : others);
      return intercept(request, response);
    };
  };
  answerWith(tag);
  expect((await check(host.url)).faults.filter(({ code }) => code === 'live_coding')).toEqual([]);
  answerWith('"of-gzip"');
  expect((await check(host.url)).faults).toContainEqual({
    code: 'live_coding',
    path: '/v1/metadata',
    expected: `the plain bytes, with ETag ${tag}, for a client that sends no Accept-Encoding`,
    got: 'ETag "of-gzip", Content-Encoding null',
  });
});

test('a site that publishes meanwhile is checked again', async () => {
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
