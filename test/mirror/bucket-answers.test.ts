import { afterAll, beforeAll, expect, test } from 'vitest';
import { SmallSites } from '../support/small-sites.ts';
import { faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

/* Amazon S3 answers 403 for a key that is not there to readers who may not list the bucket. */

let sites: SmallSites;
beforeAll(async () => {
  sites = await SmallSites.build(2);
});
afterAll(() => sites.remove());

/** A host over a folder that answers 403 in place of 404. */
async function bucketOf(folder: string): Promise<StaticHost> {
  const host = await StaticHost.start(folder);
  host.intercept = ({ url = '' }, response) => {
    if (host.has(url)) return false;
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    return true;
  };
  return host;
}

test('an unsigned site is mirrored', async () => {
  await using host = await bucketOf(sites.at('dist-1'));
  const folder = sites.at('unsigned');
  expect(await mirror(host.url, folder)).toMatchObject({ changed: true });
  expect(await faultsIn(folder)).toEqual([]);
});

test('a mirror goes on with the next publication when objects are gone', async () => {
  await using host = await bucketOf(sites.at('dist-1'));
  const folder = sites.at('moved');
  const { intercept } = host;
  let objects = 0;
  host.intercept = (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/objects/')) objects += 1;
    if (url === '/current.json' && objects > 0) host.folder = sites.at('dist-2');
    const isGone = url.startsWith('/objects/') && objects > 10 && host.folder === sites.at('dist-1');
    if (!isGone) return intercept(request, response);
    response.writeHead(403).end();
    return true;
  };
  const { pointer } = await mirror(host.url, folder);
  expect(pointer.sequence).toBe(2);
  expect(await faultsIn(folder)).toEqual([]);
});
