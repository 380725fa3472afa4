import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { readPrivateKey, writeKeyPair } from '../../generator/trust/keys.ts';
import { SmallSites } from '../support/small-sites.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const keys = temporaryFolder();
const [key, stranger] = [writeKeyPair(join(keys, 'site.key')), writeKeyPair(join(keys, 'other.key'))];
const sites = SmallSites.use(2, readPrivateKey(join(keys, 'site.key')));
afterAll(() => removeFolder(keys));

test('a signed site is mirrored with its signature, which the next reader can verify', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  await mirror(host.url, folder, { key });
  host.folder = sites.at('dist-2');
  await mirror(host.url, folder, { key });
  expect((await verifySite(folder, { key })).faults).toEqual([]);
  expect(await mirror(host.url, folder, { key })).toMatchObject({ changed: false, requests: 1 });
});

test('a mirror that was made without a key can ask again with one', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  await mirror(host.url, folder);
  await expect(mirror(host.url, folder, { key: stranger })).rejects.toThrow(
    `current.json.sig: expected a signature of key ${stranger.fingerprint}, got one of ${key.fingerprint}`,
  );
});

test('a tampered pointer is refused, with or without a key', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const tampered = readFileSync(sites.at('dist-1/current.json'), 'utf8').replace('"sequence": 1', '"sequence": 9');
  host.intercept = ({ url }, response) => url === '/current.json' && Boolean(response.end(tampered));
  for (const asked of [key, null]) {
    await expect(mirror(host.url, sites.fresh(), { key: asked })).rejects.toThrow(
      'current.json.sig: expected a signature of the pointer with SHA-256',
    );
  }
});

test('new pointer, old signature: both are requested again until they match', async () => {
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
