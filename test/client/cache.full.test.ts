import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSite, type Site } from '../../client/open-site.ts';
import { build, publishFixtures, temporaryFolder } from '../build/fixture-series.ts';
import { startVarnish, varnish } from '../hosts/cache-host.ts';
import { PlainServer } from '../hosts/plain-hosts.ts';
import { eventually } from '../serve/running-server.ts';
import { needing } from '../support/installed-programs.ts';

/* A cache in front of a plain host keeps some files of a publication longer than others. */

test('an answer is of one publication, though the cache has files of two', needing(...varnish.programs), async () => {
  const folder = temporaryFolder();
  const [database, dist] = [join(folder.path, 'db.sqlite'), join(folder.path, 'dist')];
  await publishFixtures(database, 0, 10);
  await build(database, dist);
  const origin = await PlainServer.nginx(dist);
  await using host = await startVarnish(origin);
  const compare = (site: Site, ...skus: string[]) =>
    site.compare({ skus, lat: 43.2, lng: -118.3, radius_m: 200_000, inventory_age: 'any_age' });

  const reader = await openSite(host.url, { computes: false });
  const before = reader.publication.revision;
  const old = await compare(await openSite(origin.url), '014100', '020200');
  // The cache keeps the stores and one of the products.
  await compare(reader, '014100');

  await publishFixtures(database, 10, 12);
  await build(database, dist);
  origin.update();
  await eventually(async () => (await openSite(origin.url)).publication.revision !== before);
  const young = await compare(await openSite(origin.url), '014100', '020200');
  expect(young).not.toEqual(old);
  const answer = await compare(await openSite(host.url, { computes: false }), '014100', '020200');
  expect([old, young].map((one) => JSON.stringify(one))).toContain(JSON.stringify(answer));
  folder.remove();
});
