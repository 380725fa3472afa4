import { hash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleSite } from '../../generator/bundle/bundle.ts';
import { objectPath } from '../../generator/contract/paths.ts';
import { readPrivateKey, readPublicKey, type SigningKey, writeKeyPair } from '../../generator/site/keys.ts';
import { verifySite } from '../../generator/verify/verify.ts';
import { readSite } from '../build/site-tree.ts';
import { SmallSites } from '../support/small-sites.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copySite, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const keys = temporaryFolder();
let sites: SmallSites;
let key: SigningKey;
let stranger: SigningKey;
beforeAll(async () => {
  for (const name of ['site.key', 'other.key']) writeKeyPair(join(keys, name));
  key = readPublicKey(join(keys, 'site.key.pub'));
  stranger = readPublicKey(join(keys, 'other.key.pub'));
  sites = await SmallSites.build(2, readPrivateKey(join(keys, 'site.key')));
});
afterAll(() => {
  sites.remove();
  rmSync(keys, { recursive: true });
});

/** A changed copy of the first publication's site. */
function changed(change: (folder: string) => void): string {
  const folder = sites.fresh();
  copySite(sites.at('dist-1'), folder);
  change(folder);
  return folder;
}

test('a signed site is mirrored with its signature, which the next reader can verify', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  await mirror(host.url, folder, { key });
  host.folder = sites.at('dist-2');
  await mirror(host.url, folder, { key });
  expect((await verifySite(folder, () => undefined, key)).faults).toEqual([]);
  expect(await mirror(host.url, folder, { key })).toMatchObject({ changed: false, requests: 1 });
});

test('mirrors that came to a publication in other ways make the same bundle', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const [along, atOnce] = [sites.fresh(), sites.fresh()];
  await mirror(host.url, along);
  host.folder = sites.at('dist-2');
  for (const folder of [along, atOnce]) await mirror(host.url, folder);
  const bundles = [sites.at('dist-2'), along, atOnce].map((folder) => {
    bundleSite(folder, `${folder}.zip`, () => undefined);
    return hash('sha256', readFileSync(`${folder}.zip`));
  });
  expect(new Set(bundles).size).toBe(1);
});

test('a mirror that was made without asking for a key is asked again with one', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  await mirror(host.url, folder);
  await expect(mirror(host.url, folder, { key: stranger })).rejects.toThrow(
    `current.json.sig: expected a signature of key ${stranger.fingerprint}, got one of ${key.fingerprint}`,
  );
});

test('a tampered pointer is refused, with or without a key', async () => {
  const site = changed((folder) => {
    const file = join(folder, 'current.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"sequence": 1', '"sequence": 9'));
  });
  await using host = await StaticHost.start(site);
  for (const asked of [key, null]) {
    await expect(mirror(host.url, sites.fresh(), { key: asked })).rejects.toThrow(
      'current.json.sig: expected a signature of the pointer with SHA-256',
    );
  }
});

test('new pointer, old signature: both are asked for again until they fit', async () => {
  await using host = await StaticHost.start(sites.at('dist-2'));
  let isStale = true;
  host.intercept = (request, response) => {
    if (request.url !== '/current.json.sig' || !isStale) return false;
    isStale = false;
    return Boolean(response.end(readFileSync(sites.at('dist-1/current.json.sig'))));
  };
  expect((await mirror(host.url, sites.fresh(), { key })).pointer.sequence).toBe(2);
  expect(host.taken().filter((path) => path === '/current.json')).toHaveLength(2);
});

test('an address that is none of the contract names no file', async () => {
  const { pointer, routes } = readSite(sites.at('dist-1'));
  const [route] = routes.values();
  const files = new Map<string, string>();
  const put = (value: unknown) => {
    const text = `${JSON.stringify(value)}\n`;
    files.set(`/${objectPath(hash('sha256', text))}`, text);
    return { sha256: hash('sha256', text), size: text.length };
  };
  const shard = put({ routes: [{ ...route, path: '/v1/../../escaped' }] });
  const root = put({ route_count: 1, shard_bits: 0, shards: [shard] });
  const publications = pointer.publications.map((one) => ({ ...one, routes: root }));
  files.set('/current.json', `${JSON.stringify({ ...pointer, routes: root, publications }, null, 2)}\n`);
  await using host = await StaticHost.start(sites.at('nothing'));
  host.intercept = ({ url = '' }, response) => files.has(url) && Boolean(response.end(files.get(url)));
  await expect(mirror(host.url, sites.fresh())).rejects.toThrow(
    '/v1/../../escaped: expected an address of the contract',
  );
});
