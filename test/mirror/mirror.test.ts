import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import { RunningServer } from '../serve/running-server.ts';
import { SmallSites } from '../support/small-sites.ts';
import { readSite } from '../units/site-tree.ts';
import { faultsIn, mirror, readContent } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

const sites = SmallSites.use(3);

test.each(['', '/v1/'])('from serve.ts at its root and %j: file by file the same, then one request', async (end) => {
  await using server = await RunningServer.start([sites.at('dist-3')]);
  const url = `http://${server.host}:${server.port}${end}`;
  const folder = sites.fresh();
  const first = await mirror(url, folder);
  expect(first.changed).toBe(true);
  expect(readContent(folder)).toEqual(readContent(sites.at('dist-3')));
  expect(await faultsIn(folder)).toEqual([]);
  expect(await mirror(url, folder)).toMatchObject({ changed: false, requests: 1, downloaded: 0 });
});

test('a new publication costs its new objects, and what is no longer kept is deleted', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  await mirror(host.url, folder);
  host.taken();
  host.folder = sites.at('dist-3');
  const standing = new Set(readContent(folder).keys());
  const { downloaded, kept, requests } = await mirror(host.url, folder);
  const objects = [...readContent(sites.at('dist-3')).keys()].filter((name) => name.startsWith('objects/'));
  const lacking = objects.filter((name) => !standing.has(name));
  expect(host.taken().sort()).toEqual(
    ['/current.json', '/current.json.sig', ...lacking.map((name) => `/${name}`)].sort(),
  );
  expect([downloaded, kept, requests]).toEqual([lacking.length, objects.length - lacking.length, lacking.length + 2]);
  // The mirror keeps Parquet files of publications that it has already, and downloads the new days.
  const { routes, pointer } = readSite(folder);
  const first = pointer.publications.at(-1)?.revision;
  const isLacking = (path: string) => lacking.includes(objectPath(routes.get(path)?.sha256 ?? ''));
  const tables = ['products', 'stores', 'inventory', 'daily'];
  expect(tables.map((table) => isLacking(`/v1/exports/${first}/${table}.parquet`))).toEqual(tables.map(() => false));
  expect(['daily', 'changes/newest'].map((name) => isLacking(`/v1/exports/${name}.parquet`))).toEqual([true, true]);
  expect(readContent(folder)).toEqual(readContent(sites.at('dist-3')));
  expect(await faultsIn(folder)).toEqual([]);
});

test('what a broken run downloaded is not downloaded again, and half an object does not count', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  let answered = 0;
  host.intercept = (request, response) => {
    answered += 1;
    if (answered < 60) return false;
    response.writeHead(403).end();
    return request.url !== '';
  };
  await expect(mirror(host.url, folder)).rejects.toThrow('expected a file of a site, got status 403');
  const standing = [...readContent(folder).keys()].filter((name) => name.startsWith('objects/'));
  expect(standing.length).toBeGreaterThan(20);
  expect([...readContent(folder).keys()]).not.toContain('current.json');
  const [half = ''] = standing;
  writeFileSync(join(folder, half), '');
  host.intercept = () => false;
  host.taken();
  await mirror(host.url, folder);
  const asked = host.taken();
  expect(asked).toContain(`/${half}`);
  for (const name of standing.slice(1)) expect(asked).not.toContain(`/${name}`);
  expect(readContent(folder)).toEqual(readContent(sites.at('dist-1')));
});

/** Amazon S3 answers 403 for a missing key to readers who may not list the bucket. */
test.each([404, 403])('a site that drops what it kept while it is read is followed: %i', async (status) => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = sites.fresh();
  let objects = 0;
  host.intercept = ({ url = '' }, response) => {
    if (url.startsWith('/objects/')) objects += 1;
    if (url === '/current.json' && objects > 0) host.folder = sites.at('dist-3');
    const isGone = url.startsWith('/objects/') && objects > 10 && host.folder === sites.at('dist-1');
    return (isGone || !host.has(url)) && Boolean(response.writeHead(status).end());
  };
  expect((await mirror(host.url, folder)).pointer.sequence).toBe(3);
  expect(await faultsIn(folder)).toEqual([]);
});

test('a missing object is named', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const { pointer } = readSite(sites.at('dist-1'));
  const path = `/${objectPath(pointer.routes.sha256)}`;
  host.intercept = (request, response) => request.url === path && Boolean(response.writeHead(404).end());
  await expect(mirror(host.url, sites.fresh())).rejects.toThrow(`${host.url}${path}: expected`);
});

test('an older publication is refused without force', async () => {
  await using host = await StaticHost.start(sites.at('dist-3'));
  const folder = sites.fresh();
  await mirror(host.url, folder);
  const before = readContent(folder);
  host.folder = sites.at('dist-2');
  await expect(mirror(host.url, folder)).rejects.toThrow(
    'expected publication 3 or a later one, got the older publication 2; pass --force to accept it',
  );
  expect(readContent(folder)).toEqual(before);
  expect((await mirror(host.url, folder, { force: true })).pointer.sequence).toBe(2);
  expect(readContent(folder)).toEqual(readContent(sites.at('dist-2')));
});

test('force checks everything that is there, and repairs it', async () => {
  await using host = await StaticHost.start(sites.at('dist-2'));
  const folder = sites.fresh();
  await mirror(host.url, folder);
  const [object = ''] = [...readContent(folder).keys()].filter((name) => name.startsWith('objects/'));
  writeFileSync(join(folder, object), 'damaged');
  expect((await mirror(host.url, folder)).changed).toBe(false);
  expect((await mirror(host.url, folder, { force: true })).downloaded).toBe(1);
  expect(await faultsIn(folder)).toEqual([]);
});
