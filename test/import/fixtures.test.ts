import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openForPublishing } from '../../generator/database/database-file.ts';
import { importFiles } from '../../generator/import/import.ts';
import { publishSnapshot } from '../../generator/publish/publish.ts';
import { build } from '../build/fixture-series.ts';
import { RunningServer } from '../serve/running-server.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';

const fixtures = 'fixtures/imports';
const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const publishedAt = '2025-03-03T22:00:00Z';

/** Imports the files next to a recipe. */
async function importedFrom(name: string) {
  const files = readdirSync(join(fixtures, name)).filter((file) => !/recipe|curation/.test(file));
  const snapshot = join(folder, `${name}-snapshot`);
  const options = { out: snapshot, publishedAt, retrievedAt: null };
  const summary = await importFiles(
    { recipe: join(fixtures, name, 'recipe.json'), files: files.map((file) => join(fixtures, name, file)), ...options },
    () => {},
  );
  const part = (file: string) => {
    const lines = readFileSync(join(snapshot, file), 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.sku, line]));
  };
  const curation = () => JSON.parse(readFileSync(join(snapshot, 'curation.json'), 'utf8'));
  return { summary, snapshot, part, curation };
}

/** Publishes a snapshot, builds the site, and gets answers of it. */
async function answers(snapshot: string, ...paths: string[]) {
  const [database, out] = [join(folder, 'publication.sqlite'), join(folder, 'site')];
  const connection = openForPublishing(database);
  await publishSnapshot(connection, snapshot, { quarantine: false, acceptShrink: false });
  connection.close();
  await build(database, out);
  await using server = await RunningServer.start(['--dist', out]);
  const found = [];
  for (const path of paths) found.push(JSON.parse(String((await server.get(path)).body)).data);
  return found;
}

describe('the fixtures', () => {
  test('CSV files become a served site', async () => {
    const { snapshot, part } = await importedFrom('csv');
    const [port, store] = await answers(snapshot, '/v1/products/by-sku/030200', '/v1/stores/by-code/0113');
    expect(port).toMatchObject({
      name: 'Tesseran Vintage Port 1994',
      price: { amount_minor: 129_900 },
      availability_summary: { reported_positive_store_count: 3 },
    });
    expect(store).toMatchObject({ name: 'Millrace Lodge Agency', access_type: 'package_agency', phone: null });
    expect(part('inventory.ndjson').get('002104')).toMatchObject({ source_updated_at: '2025-03-03T18:05:00Z' });
  });

  test('a workbook with a sheet a part and a column a store', async () => {
    const { summary, part, curation } = await importedFrom('price-book');
    expect(summary).toMatchObject({ products: 5, stores: 3, inventory: { retrievals: 3, rows: 4, stores: 3 } });
    expect(summary.unused_columns).toEqual([{ file: 'price-book.xlsx', columns: ['Case Pack'] }]);
    // The workbook has 12.990000000000002 for the price, and the number 113 for the code.
    expect(part('products.ndjson').get('000113')).toMatchObject({ name: 'Orchard Cider', price_minor: 1299 });
    expect(part('inventory.ndjson').get('002077').rows).toHaveLength(2);
    const source_url = 'https://agency.example/price-book';
    expect(curation().about).toMatchObject({ title: 'Example price book', source_url });
  });

  test('a JSON feed with inner lists, and NDJSON', async () => {
    const { summary, part, curation } = await importedFrom('feed');
    expect(summary).toMatchObject({ products: 3, stores: 3, inventory: { retrievals: 3, rows: 2, stores: 2 } });
    expect(part('products.ndjson').get('014100')).toMatchObject({ price_minor: 1199 });
    expect(part('products.ndjson').get('001204')).toMatchObject({ price_minor: null });
    expect(part('inventory.ndjson').get('014100').rows).toHaveLength(2);
    expect(curation().about).toMatchObject({ title: 'Example feed', license: { name: 'CC0-1.0' } });
  });
});
