import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardNumber } from '../../contract/schemas/site-files.ts';
import { verifySite } from '../../generator/assembly/verify-site.ts';
import { outcomeInProcess } from '../support/command-in-process.ts';
import { programFile } from '../support/programs.ts';
import { randomWorld } from '../support/random-world.ts';
import { copyBuiltFixtures } from '../units/built-fixtures.ts';
import { build, publishFixtures, publishParts, temporaryFolder } from '../units/fixture-series.ts';
import { EditedSite } from './edited-site.ts';

/* `verify --db` builds the site once more, and compares every answer. */

const scratch = temporaryFolder();
const at = (name: string) => join(scratch.path, name);
const [database, example] = [at('publication.sqlite'), at('site')];
beforeAll(async () => {
  await publishFixtures(database, 0, 3);
  await copyBuiltFixtures(example, 2, 3);
});
afterAll(scratch.remove);

const run = (...args: string[]) => outcomeInProcess('verify', ...args);

/** Every fault of a comparison with the database as `code path: expected`, without those of other checks. */
async function differences(site: string, from = database): Promise<string[]> {
  const { faults } = await verifySite(site, { database: from });
  const found = faults.filter(({ code }) => code.startsWith('rebuild_'));
  return found.map(({ code, path, expected }) => `${code} ${path}: ${expected}`);
}

test('a site that was built day by day matches its database, and the summary says so', async () => {
  const { text, failure } = await run(example, '--db', database);
  expect(failure).toBeNull();
  const { route_count } = new EditedSite(example).table.root;
  expect(text).toMatch(
    new RegExp(`; ${route_count} answers are the same as those from \\S+publication\\.sqlite; [\\d.]+ s\n$`),
  );
});

test('the base URL and the license are those of the site; earlier exports have another, and addresses stay', async () => {
  const [series, site, baseUrl] = [at('series.sqlite'), at('series'), 'https://stock.example/api/v1'];
  const snapshots = randomWorld({ seed: 5, products: 30, stores: 3, publications: 3, brands: 15, families: 28 });
  for (const [index, snapshot] of snapshots.entries()) {
    const retention = { history_days: 365, publication_days: 365 };
    await publishParts(series, { ...snapshot, header: { ...snapshot.header, retention } });
    await build(series, site, { baseUrl, dataLicense: index === 0 ? { name: 'CC0-1.0' } : { name: 'CC-BY-4.0' } });
  }
  const routes = new EditedSite(site).table.shards.flat();
  expect(routes.some(({ last_sequence }) => last_sequence !== undefined)).toBe(true);
  const { faults, rebuilt } = await verifySite(site, { database: series });
  expect(faults).toEqual([]);
  expect(rebuilt?.other_license).toEqual([1]);
  expect(rebuilt?.addresses).toBeLessThan(routes.length);
});

test('each answer that differs is named, with the first field of a document, and what is missing and extra', async () => {
  const site = new EditedSite(example);
  const [product = ''] = site.paths(/^\/v1\/products\/[0-9a-f-]{36}\/series\.json$/);
  const [stock = ''] = site
    .paths(/^\/v1\/stores\/[^/]+\/availability$/)
    .filter((path) => site.document(path).data.products.length > 0);
  const name = site.document('/v1/products/browse.json').columns.name[3];
  site.editDocument('/v1/products/browse.json', ({ columns }) => columns.name.splice(3, 1, 'Water'));
  site.editDocument(product, ({ prices }) => prices.price_minor.splice(-1, 1, 1));
  site.editDocument(stock, ({ data }) => data.products.pop());
  site.editDocument('/v1/metadata/activity.json', ({ publications }) => publications.events.price_changed.fill(99));
  site.editDocument('/v1/brands/index.json', ({ brands }) => brands[0].names.pop());
  site.editDocument('/v1/availability/stores.json', ({ stores }) => stores.reverse());
  const feed = '/v1/metadata/publications.atom';
  const citation = `/v1/exports/${site.pointer.revision}/CITATION.cff`;
  for (const path of [feed, citation]) {
    site.replace(path, Buffer.concat([site.bytes(site.objectOf(path)), Buffer.from('more\n')]));
  }
  site.removeRoute('/v1/problems/INTERNAL');
  site.editRoute('/v1/openapi.json', (route) => route.variants?.pop());
  addRoute(site, '/v1/products/by-sku/999999', '/v1/brands');
  expect((await differences(site.folder)).sort()).toEqual(
    [
      `rebuild_content /v1/availability/stores.json: stores.0.`,
      `rebuild_content /v1/brands/index.json: brands.0.names.`,
      `rebuild_content ${citation}: sha256 `,
      'rebuild_content /v1/exports/latest/CITATION.cff: sha256 ',
      `rebuild_content /v1/metadata/activity.json: publications.events.price_changed.0 `,
      `rebuild_content ${feed}: sha256 `,
      `rebuild_content /v1/products/browse.json: columns.name.3 ${JSON.stringify(name)}, as `,
      `rebuild_content ${product}: prices.price_minor.`,
      `rebuild_content ${stock}: data.products.`,
      `rebuild_extra /v1/products/by-sku/999999: no answer, as `,
      `rebuild_missing /v1/problems/INTERNAL: an answer, as `,
      `rebuild_route /v1/openapi.json: variants.`,
    ]
      .sort()
      .map((claim) => expect.stringContaining(claim)),
  );
});

function addRoute(site: EditedSite, path: string, like: string): void {
  const { variants: _, ...route } = site.route(like);
  site.write(site.checkoutOf(path), site.bytes(site.objectOf(like)));
  site.editTable(({ root, shards }) => {
    root.route_count += 1;
    const shard = shards[shardNumber(hash('sha256', path), root.shard_bits)];
    shard?.push({ ...route, path });
    shard?.sort((a, b) => (a.path < b.path ? -1 : 1));
  });
}

test('a database that cannot give the site is refused in one line, and so is a URL', async () => {
  await copyBuiltFixtures(at('earlier'), 2);
  const later = await run(at('earlier'), '--db', database);
  expect(later.failure).toMatch(
    /publication\.sqlite: expected publication 2 as its latest, revision \S+, as in \S+, got publication 3, revision \S+; it has later publications: build the site first$/,
  );
  await publishFixtures(at('older.sqlite'), 0, 1);
  const other = await run(example, '--db', at('older.sqlite'));
  expect(other.failure).toMatch(/got publication 1, revision \S+; the site was built from another database$/);
  const missing = await run(example, '--db', at('nowhere.sqlite'));
  expect(missing.failure).toContain('nowhere.sqlite');
  const url = await run('http://127.0.0.1:9/v1', '--db', database);
  expect(url.failure).toContain('--db needs a folder');
});

test('nothing is left in the folder for temporary files, neither after a comparison nor when a signal ends it', async () => {
  const folder = at('temporary');
  mkdirSync(folder);
  const start = () =>
    spawn(process.execPath, [programFile('generator/cli/cli.ts'), 'verify', example, '--db', database], {
      stdio: 'ignore',
      env: { ...process.env, TMPDIR: folder },
    });
  const [code] = await once(start(), 'exit');
  expect([code, readdirSync(folder)]).toEqual([0, []]);
  const child = start();
  const ended = once(child, 'exit');
  while (readdirSync(folder).length === 0) await setTimeout(5);
  child.kill('SIGINT');
  expect((await ended)[1]).toBe('SIGINT');
  expect(readdirSync(folder)).toEqual([]);
});
