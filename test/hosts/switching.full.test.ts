import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { objectPath } from '../../contract/paths.ts';
import type { Pointer, Route } from '../../contract/schemas/site-files.ts';
import { fixtureFolders } from '../../generator/cli/preview.ts';
import { eventually } from '../serve/running-server.ts';
import { needing } from '../support/installed-programs.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { build, publishFixtures, temporaryFolder } from '../units/fixture-series.ts';
import { readSite } from '../units/site-tree.ts';
import { caddy, nginx, PlainServer } from './plain-hosts.ts';

const hosts = [
  { ...nginx, begin: PlainServer.nginx, hasExactTags: true },
  { ...caddy, begin: PlainServer.caddy, hasExactTags: false },
];

const last = fixtureFolders().length;

describe.each(hosts)('$name', ({ programs, begin, hasExactTags }) => {
  test('switches while clients read: no mixed, missing or failed answer', needing(...programs), async () => {
    const folder = temporaryFolder();
    const [database, dist] = [join(folder.path, 'db.sqlite'), join(folder.path, 'dist')];
    await publishFixtures(database, 0, last - 2);
    await copyBuiltFixtures(dist, last - 2);
    await using server = await begin(dist);
    const routes = new Map<string, ReadonlyMap<string, Route>>();
    const seen = new Set<string>();
    let isOver = false;
    let answers = 0;

    const know = () => {
      const site = readSite(dist);
      routes.set(site.pointer.revision, site.routes);
      return site.pointer.revision;
    };
    /** Checks that the answer belongs to the publication that it names. */
    const ask = async (path: string): Promise<Buffer> => {
      const { status, headers, body } = await server.get(path);
      answers += 1;
      const revision = String(headers['x-publication-revision']);
      seen.add(revision);
      const route = routes.get(revision)?.get(path);
      expect([status, createHash('sha256').update(body).digest('hex')], path).toEqual([200, route?.sha256]);
      if (hasExactTags) expect(headers.etag, path).toBe(route?.etag);
      return body;
    };
    const read = async () => {
      while (!isOver) {
        for (const path of ['/v1/metadata', '/v1/brands', '/v1/products/by-sku/001204']) await ask(path);
        // The addresses in a list exist, whichever publication is current by now.
        const { links } = JSON.parse((await ask('/v1/changes')).toString()) as { links: { next: string } };
        await ask(links.next);
        const pointer = JSON.parse((await server.get('/current.json')).body.toString()) as Pointer;
        const root = await server.get(`/${objectPath(pointer.routes.sha256)}`);
        expect(createHash('sha256').update(root.body).digest('hex')).toBe(pointer.routes.sha256);
      }
    };

    know();
    const readers = [read(), read(), read()];
    for (let sequence = last - 2; sequence < last; sequence += 1) {
      await publishFixtures(database, sequence, sequence + 1);
      await build(database, dist);
      const revision = know();
      server.update();
      const enough = answers + 60;
      // A reader that fails also ends the wait.
      await Promise.race([eventually(() => seen.has(revision) && answers > enough), Promise.all(readers)]);
      expect(seen).toContain(revision);
    }
    isOver = true;
    await Promise.all(readers);
    expect([...seen]).toEqual([...routes.keys()]);
    expect(answers).toBeGreaterThan(100);
    folder.remove();
  });
});
