import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectPath } from '../../generator/contract/paths.ts';
import { readSite, treeOf } from '../build/site-tree.ts';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { isCheck } from '../support/check-mode.ts';
import { needing, program } from '../support/installed-programs.ts';
import { SmallSites } from '../support/small-sites.ts';
import { faultsIn, mirror } from './published-sites.ts';
import { StaticHost } from './static-host.ts';

let sites: SmallSites;
beforeAll(async () => {
  sites = await SmallSites.build(3);
});
afterAll(() => sites.remove());

let made = 0;
function fresh(): string {
  made += 1;
  return sites.at(`mirror-${made}`);
}

/** All files of a publication, without the private files of building and mirroring. */
function contentOf(folder: string): Map<string, string> {
  const own = /^(build\.lock|build-ledger\.json|mirror\.json|site\/)/;
  const files = [...treeOf(folder)].filter(([name]) => !own.test(name));
  return new Map(files.map(([name, { sha256 }]) => [name, sha256]));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test.each(isCheck ? ['', '/', '/v1', '/v1/'] : ['', '/v1'])(
  'from serve.ts at its root and %j: file by file the same, then one request',
  async (end) => {
    await using server = await RunningServer.start(['--dist', sites.at('dist-3')]);
    const url = `http://${server.host}:${server.port}${end}`;
    const folder = fresh();
    const first = await mirror(url, folder);
    expect(first.changed).toBe(true);
    expect(contentOf(folder)).toEqual(contentOf(sites.at('dist-3')));
    expect(await faultsIn(folder)).toEqual([]);
    expect(await mirror(url, folder)).toMatchObject({ changed: false, requests: 1, downloaded: 0 });
  },
);

test('from nginx over the folder', needing('nginx'), async () => {
  const work = fresh();
  mkdirSync(work);
  const port = await freePort();
  const config = `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${work}/pid; error_log ${work}/error.log;
    events {} http { access_log off; client_body_temp_path ${work}/a; proxy_temp_path ${work}/b; fastcgi_temp_path ${work}/c;
    uwsgi_temp_path ${work}/d; scgi_temp_path ${work}/e;
    server { listen 127.0.0.1:${port}; root ${sites.at('dist-3')}; } }`;
  writeFileSync(join(work, 'nginx.conf'), config);
  const nginx = spawn(program('nginx'), ['-e', join(work, 'error.log'), '-c', join(work, 'nginx.conf')], {
    stdio: 'ignore',
  });
  try {
    const url = `http://127.0.0.1:${port}`;
    await eventually(() =>
      fetch(url).then(
        () => true,
        () => false,
      ),
    );
    const folder = fresh();
    await mirror(url, folder);
    expect(contentOf(folder)).toEqual(contentOf(sites.at('dist-3')));
    expect(await mirror(url, folder)).toMatchObject({ changed: false, requests: 1 });
  } finally {
    nginx.kill();
  }
});

test('a mirror of a mirror is the same again', async () => {
  await using source = await StaticHost.start(sites.at('dist-2'));
  const folder = fresh();
  await mirror(source.url, folder);
  await using second = await StaticHost.start(folder);
  const again = fresh();
  await mirror(second.url, again);
  expect(contentOf(again)).toEqual(contentOf(sites.at('dist-2')));
});

test('a new publication costs its new objects, and what is past keeping goes', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = fresh();
  await mirror(host.url, folder);
  host.taken();
  host.folder = sites.at('dist-3');
  const standing = new Set(contentOf(folder).keys());
  const { downloaded, kept, requests } = await mirror(host.url, folder);
  const objects = [...contentOf(sites.at('dist-3')).keys()].filter((name) => name.startsWith('objects/'));
  const lacking = objects.filter((name) => !standing.has(name));
  expect(host.taken().sort()).toEqual(
    ['/current.json', '/current.json.sig', ...lacking.map((name) => `/${name}`)].sort(),
  );
  expect([downloaded, kept, requests]).toEqual([lacking.length, objects.length - lacking.length, lacking.length + 2]);
  // Parquet files of publications that the mirror has already are among what it keeps; the new days are not.
  const { routes, pointer } = readSite(folder);
  const first = pointer.publications.at(-1)?.revision;
  const isLacking = (path: string) => lacking.includes(objectPath(routes.get(path)?.sha256 ?? ''));
  const tables = ['products', 'stores', 'inventory', 'daily'];
  expect(tables.map((table) => isLacking(`/v1/exports/${first}/${table}.parquet`))).toEqual(tables.map(() => false));
  expect(['daily', 'changes/newest'].map((name) => isLacking(`/v1/exports/${name}.parquet`))).toEqual([true, true]);
  expect(contentOf(folder)).toEqual(contentOf(sites.at('dist-3')));
  expect(await faultsIn(folder)).toEqual([]);
});

test('what a broken run downloaded does not come again, and half an object is no object', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const folder = fresh();
  let answered = 0;
  host.intercept = (request, response) => {
    answered += 1;
    if (answered < 60) return false;
    response.writeHead(403).end();
    return request.url !== '';
  };
  await expect(mirror(host.url, folder)).rejects.toThrow('expected a file of a site, got status 403');
  const standing = [...contentOf(folder).keys()].filter((name) => name.startsWith('objects/'));
  expect(standing.length).toBeGreaterThan(20);
  expect([...contentOf(folder).keys()]).not.toContain('current.json');
  const [half = ''] = standing;
  writeFileSync(join(folder, half), '');
  host.intercept = () => false;
  host.taken();
  await mirror(host.url, folder);
  const asked = host.taken();
  expect(asked).toContain(`/${half}`);
  for (const name of standing.slice(1)) expect(asked).not.toContain(`/${name}`);
  expect(contentOf(folder)).toEqual(contentOf(sites.at('dist-1')));
});

test('a site that publishes while it is read, and drops what it kept, is followed', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const gone = sites.at('gone');
  const folder = fresh();
  host.intercept = (request) => {
    if (request.url?.startsWith('/objects/') && host.folder === sites.at('dist-1')) host.folder = gone;
    if (request.url === '/current.json' && host.folder === gone) host.folder = sites.at('dist-3');
    return false;
  };
  expect((await mirror(host.url, folder)).pointer.sequence).toBe(3);
  expect(await faultsIn(folder)).toEqual([]);
});

test('an object that is nowhere is named', async () => {
  await using host = await StaticHost.start(sites.at('dist-1'));
  const { pointer } = readSite(sites.at('dist-1'));
  const path = `/${objectPath(pointer.routes.sha256)}`;
  host.intercept = (request, response) => request.url === path && Boolean(response.writeHead(404).end());
  await expect(mirror(host.url, fresh())).rejects.toThrow(`${host.url}${path}: expected`);
});

describe('a folder keeps to its own past', () => {
  test('an older publication is refused without force', async () => {
    await using host = await StaticHost.start(sites.at('dist-3'));
    const folder = fresh();
    await mirror(host.url, folder);
    const before = contentOf(folder);
    host.folder = sites.at('dist-2');
    await expect(mirror(host.url, folder)).rejects.toThrow(
      'expected publication 3 or a later one, got the older publication 2; --force takes it',
    );
    expect(contentOf(folder)).toEqual(before);
    expect((await mirror(host.url, folder, { force: true })).pointer.sequence).toBe(2);
    expect(contentOf(folder)).toEqual(contentOf(sites.at('dist-2')));
  });

  test('another site is refused without force', async () => {
    await using host = await StaticHost.start(sites.at('dist-1'));
    const folder = fresh();
    await mirror(host.url, folder);
    const pointer = readFileSync(sites.at('dist-3/current.json'), 'utf8');
    const [, , first] = JSON.parse(pointer).publications;
    const other = pointer.replaceAll(first.revision, '11111111-1111-4111-8111-111111111111');
    host.intercept = (request, response) => request.url === '/current.json' && Boolean(response.end(other));
    await expect(mirror(host.url, folder)).rejects.toThrow(
      `whose publication 1 is ${first.revision}, got 11111111-1111-4111-8111-111111111111; --force takes it`,
    );
  });

  test('a site that was built there is no mirror', async () => {
    await using host = await StaticHost.start(sites.at('dist-2'));
    const folder = sites.at('built');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    copyFileSync(sites.at('dist-1/current.json'), join(folder, 'current.json'));
    await expect(mirror(host.url, folder)).rejects.toThrow('expected a mirror or an empty folder, got a site without');
  });
});

test('force looks at everything that stands, and mends it', async () => {
  await using host = await StaticHost.start(sites.at('dist-2'));
  const folder = fresh();
  await mirror(host.url, folder);
  const [object = ''] = [...contentOf(folder).keys()].filter((name) => name.startsWith('objects/'));
  writeFileSync(join(folder, object), 'damaged');
  expect((await mirror(host.url, folder)).changed).toBe(false);
  expect((await mirror(host.url, folder, { force: true })).downloaded).toBe(1);
  expect(await faultsIn(folder)).toEqual([]);
});
