import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importFiles } from '../../generator/import/import.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { check } from './small-import.ts';

const fixtures = 'fixtures/imports';
const folder = folderForFile();

const publishedAt = '2025-03-03T22:00:00Z';

/** Imports the files next to a recipe. */
async function importedFrom(name: string) {
  const files = readdirSync(join(fixtures, name)).filter((file) => !/recipe|curation/.test(file));
  const snapshot = join(folder, `${name}-snapshot`);
  const options = { out: snapshot, publishedAt, retrievedAt: null };
  const summary = await importFiles(
    {
      recipe: join(fixtures, name, 'recipe.json'),
      files: files.map((file) => join(fixtures, name, file)),
      ...options,
      check,
    },
    () => {},
  );
  const part = (file: string) => {
    const lines = readFileSync(join(snapshot, file), 'utf8').split('\n').filter(Boolean);
    return new Map(lines.map((line) => JSON.parse(line)).map((line) => [line.sku, line]));
  };
  const curation = () => JSON.parse(readFileSync(join(snapshot, 'curation.json'), 'utf8'));
  return { summary, snapshot, part, curation };
}

describe('the fixtures', () => {
  test('CSV files become a snapshot that can be published', async () => {
    const { snapshot, part } = await importedFrom('csv');
    const checked = await runInProcess('check', snapshot, '--db', join(folder, 'none.sqlite'));
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('9 new')]);
    expect(part('products.ndjson').get('030200')).toMatchObject({
      name: 'Tesseran Vintage Port 1994',
      price_minor: 129_900,
    });
    expect(part('inventory.ndjson').get('030200').rows).toHaveLength(3);
    expect(part('inventory.ndjson').get('002104')).toMatchObject({ source_updated_at: '2025-03-03T18:05:00Z' });
    expect(readFileSync(join(snapshot, 'stores.ndjson'), 'utf8')).toMatch(
      /"name":"Millrace Lodge Agency",.*"phone":null,.*"access_type":"package_agency"/,
    );
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
