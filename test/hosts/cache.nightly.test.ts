import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { eventually, RunningServer } from '../serve/running-server.ts';
import { runCommand } from '../support/command-line.ts';
import { needing, program } from '../support/installed-programs.ts';
import { writeNginxMain } from '../support/nginx-main.ts';
import { freePort } from '../support/ports.ts';
import { RunningProgram } from '../support/program.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';
import { startVarnish, varnish } from './cache-host.ts';
import type { Host } from './host.ts';
import { PlainServer } from './plain-hosts.ts';

/** Shortens freshness from a minute, too long for a test, to a second. The origin still decides the grace. */
const second = `
import std;
sub vcl_backend_response {
    set beresp.http.X-Freshness = beresp.ttl;
    set beresp.http.X-Grace = beresp.grace;
    if (beresp.ttl == 60s) { set beresp.ttl = 1s; }
}
`;

const folder = temporaryFolder();
const [database, dist] = [join(folder.path, 'db.sqlite'), join(folder.path, 'dist')];
const last = fixtureFolders().length;
let origin: PlainServer;
let cache: Host;

/** The requests to the origin, oldest first: `GET /v1/brands 304`. */
function asked(): string[] {
  const lines = readFileSync(origin.log, 'utf8').trim().split('\n');
  return lines.map((line) => (/"(\w+ \S+) HTTP[^"]*" (\d+)/.exec(line) ?? []).slice(1).join(' '));
}

describe('Varnish before nginx', needing(...varnish.programs), () => {
  beforeAll(async () => {
    await publishFixtures(database, 0, last - 1);
    await build(database, dist);
    origin = await PlainServer.nginx(dist);
    cache = await startVarnish(origin, second);
  });
  afterAll(async () => {
    await cache?.[Symbol.asyncDispose]();
    folder.remove();
  });

  test('what is fresh is not requested again', async () => {
    const first = await cache.get('/v1/stores');
    const second = await cache.get('/v1/stores');
    expect([first.status, first.headers['x-freshness'], first.headers['x-grace']]).toEqual([200, '60.000', '600.000']);
    expect(second.body).toEqual(first.body);
    expect(second.headers.etag).toBe(first.headers.etag);
    expect(asked().filter((line) => line.includes('/v1/stores'))).toEqual(['GET /v1/stores 200']);
    const page = await cache.get('/v1/changes/pages/1.json');
    expect(page.headers['x-freshness']).toBe('31536000.000');
  });

  test('a new publication arrives with the second request after freshness ends', async () => {
    const before = readSite(dist).pointer.revision;
    expect((await cache.get('/v1/metadata')).headers['x-publication-revision']).toBe(before);
    await publishFixtures(database, last - 1, last);
    await build(database, dist);
    origin.update();
    const { revision } = readSite(dist).pointer;
    expect(
      await eventually(async () => (await origin.get('/v1/metadata')).headers['x-publication-revision'] === revision),
    ).toBe(true);
    await elapsed(1_300);
    expect((await cache.get('/v1/metadata')).headers['x-publication-revision']).toBe(before);
    expect(
      await eventually(async () => (await cache.get('/v1/metadata')).headers['x-publication-revision'] === revision),
    ).toBe(true);
    const document = JSON.parse((await cache.get('/v1/metadata')).body.toString());
    expect(document.data.publication.revision).toBe(revision);
    // What did not change is requested by its tag.
    expect(
      await eventually(async () => (await cache.get('/v1/stores')) && asked().includes('GET /v1/stores 304')),
    ).toBe(true);
  });

  test('an origin that is gone is not missed as long as its answers may still be served', async () => {
    const first = await cache.get('/v1/categories');
    await origin[Symbol.asyncDispose]();
    await elapsed(1_300);
    const stale = await cache.get('/v1/categories');
    expect([stale.status, stale.headers.etag]).toEqual([200, first.headers.etag]);
  });
});

describe('the cache of nginx before serve.ts', needing('nginx'), () => {
  const own = temporaryFolder();
  const [ownDatabase, ownSite] = [join(own.path, 'db.sqlite'), join(own.path, 'dist')];
  afterAll(() => own.remove());

  test('keeps the revision of an answer that did not change, and verify accepts that', {
    timeout: 300_000,
  }, async () => {
    await publishFixtures(ownDatabase, 0, last - 1);
    await build(ownDatabase, ownSite);
    const before = readSite(ownSite).pointer.revision;
    await using server = await RunningServer.start([ownSite], { RATE_LIMIT_PER_MINUTE: '0' });
    const port = await freePort();
    const settings = [
      `proxy_cache_path ${own.path}/cache keys_zone=answers:1m;`,
      `server { listen 127.0.0.1:${port}; location / { proxy_pass ${server.origin}; proxy_cache answers; proxy_cache_revalidate on; proxy_ignore_headers Cache-Control; proxy_cache_valid 200 1s; } }`,
    ];
    mkdirSync(join(own.path, 'nginx'));
    const args = ['-c', writeNginxMain(join(own.path, 'nginx'), 1, settings), '-p', own.path];
    await using _ = await RunningProgram.start(program('nginx'), args, port);
    const url = `http://127.0.0.1:${port}`;
    const sentBy = async () => (await fetch(`${url}/v1/problems/INTERNAL`)).headers.get('x-publication-revision');
    const verify = () => runCommand('verify', url, '--all');
    expect(await verify()).toMatchObject({ code: 0 });
    expect(await sentBy()).toBe(before);
    await publishFixtures(ownDatabase, last - 1, last);
    await build(ownDatabase, ownSite);
    const { revision } = readSite(ownSite).pointer;
    await eventually(
      async () => (await fetch(`${url}/v1/metadata`)).headers.get('x-publication-revision') === revision,
    );
    await elapsed(1_100);
    expect(await verify()).toMatchObject({ code: 0 });
    expect(await sentBy()).toBe(before);
  });
});

function elapsed(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
