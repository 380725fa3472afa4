import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { buildSite } from '../../generator/build/build.ts';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { importFiles } from '../../generator/import/import.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { RunningServer } from '../serve/running-server.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const fixtures = 'fixtures/imports';
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const publishedAt = '2025-03-03T22:00:00Z';

/** Imports the files beside a recipe, publishes the snapshot and builds the site. */
async function siteOf(name: string) {
  const files = readdirSync(join(fixtures, name)).filter((file) => !/recipe|curation/.test(file));
  const snapshot = join(folder, `${name}-snapshot`);
  const summary = await importFiles(
    {
      recipe: join(fixtures, name, 'recipe.json'),
      files: files.map((file) => join(fixtures, name, file)),
      out: snapshot,
      publishedAt,
      retrievedAt: null,
    },
    () => {},
  );
  const database = join(folder, `${name}.sqlite`);
  const connection = openForPublishing(database);
  await publishSnapshot(connection, snapshot, { quarantine: false, acceptShrink: false });
  connection.close();
  const out = join(folder, `${name}-site`);
  const options = { baseUrl: null, exports: 'retained', keepAll: false, full: false } as const;
  await buildSite({ database, out, ...options }, () => undefined);
  return { summary, snapshot, out };
}

async function answers(dist: string, ...paths: string[]) {
  await using server = await RunningServer.start(['--dist', dist]);
  const found = [];
  for (const path of paths) found.push(JSON.parse(String((await server.get(path)).body)).data);
  return found;
}

test('fixtures/imports has these recipes', () => {
  expect(readdirSync(fixtures).sort()).toEqual(['csv', 'feed', 'price-book']);
});

describe('from files to a served site', () => {
  test('CSV files', async () => {
    const { summary, snapshot, out } = await siteOf('csv');
    expect(summary).toEqual({
      published_at: publishedAt,
      products: 9,
      stores: 4,
      inventory: { retrievals: 9, rows: 30, stores: 4, stores_without_rows: [] },
      categories: 6,
      left_out: [
        { part: 'products', reason: "an item of the agency's own tests", rows: 1 },
        { part: 'inventory', reason: 'not a product of the catalog', rows: 1 },
      ],
      doubts: [],
      unused_columns: [],
      unused_lookups: [],
    });
    const [port, store] = await answers(out, '/v1/products/by-sku/030200', '/v1/stores/by-code/0113');
    expect(port).toMatchObject({
      name: 'Tesseran Vintage Port 1994',
      price: { amount_minor: 129_900 },
      availability_summary: { reported_positive_store_count: 3 },
    });
    expect(store).toMatchObject({ name: 'Millrace Lodge Agency', access_type: 'package_agency', phone: null });
    const [first = ''] = readFileSync(join(snapshot, 'inventory.ndjson'), 'utf8').split('\n');
    expect(JSON.parse(first)).toMatchObject({ sku: '002104', source_updated_at: '2025-03-03T18:05:00Z' });
  });

  test('a workbook with a sheet a part and a column a store', async () => {
    const { summary, out } = await siteOf('price-book');
    expect(summary).toMatchObject({ products: 5, stores: 3, inventory: { retrievals: 3, rows: 4, stores: 3 } });
    expect(summary.unused_columns).toEqual([{ file: 'price-book.xlsx', columns: ['Case Pack'] }]);
    const paths = ['/v1/products/by-sku/000113', '/v1/products/by-sku/002077', '/v1/metadata'];
    const [cider, lager, metadata] = await answers(out, ...paths);
    // The workbook has 12.990000000000002 for the price, and the number 113 for the code.
    expect(cider).toMatchObject({ name: 'Orchard Cider', price: { amount_minor: 1299 } });
    expect(lager).toMatchObject({
      name: 'Hollowell Lager',
      availability_summary: { reported_positive_store_count: 2 },
    });
    const source_url = 'https://agency.example/price-book';
    expect(metadata.about).toMatchObject({ title: 'Example price book', agency: null, source_url });
  });

  test('a JSON feed with inner lists, and NDJSON', async () => {
    const { summary, out } = await siteOf('feed');
    expect(summary).toMatchObject({ products: 3, stores: 3, inventory: { retrievals: 3, rows: 2, stores: 2 } });
    const paths = ['/v1/products/by-sku/014100', '/v1/products/by-sku/001204', '/v1/metadata'];
    const [schnapps, bourbon, metadata] = await answers(out, ...paths);
    expect(schnapps).toMatchObject({
      price: { amount_minor: 1199 },
      availability_summary: { reported_positive_store_count: 2 },
    });
    expect(bourbon).toMatchObject({ brand: 'Wrenmoor', price: null });
    expect(metadata.about).toMatchObject({ title: 'Example feed', license: { name: 'CC0-1.0' }, source_url: null });
  });
});
