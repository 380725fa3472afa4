import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { recipeNames } from '../../generator/cli/init.ts';
import { readText } from '../project/repository.ts';
import { runInProcess } from '../support/command-in-process.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { documentAt } from '../units/site-tree.ts';

/** What a sample has to become: fields of documents, as they are in the file of the agency. */
const expected: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  alko: {
    '/v1/products/by-sku/000123': {
      name: 'Ängmark Vodka',
      price: { amount_minor: 2498, currency: 'EUR' },
      package_size: { milliliters: 700, display: '0,7 l' },
      facts: { alcohol_by_volume: 40, gtin: '6400000000001' },
      status: { lifecycle: 'active' },
    },
    '/v1/products/by-sku/004218': {
      price: { amount_minor: 1290 },
      facts: { vintage: 2023, alcohol_by_volume: 12.5, producer: 'Élan' },
    },
    '/v1/products/by-sku/902110': {
      status: { code: 'tarvikevalikoima', lifecycle: 'unknown' },
      facts: { alcohol_by_volume: 0 },
    },
  },
  'british-columbia': {
    '/v1/products/by-sku/122001': {
      price: { amount_minor: 1799, currency: 'CAD' },
      package_size: { milliliters: 750 },
      facts: { alcohol_by_volume: 13.5 },
    },
    '/v1/products/by-sku/62801': { price: { amount_minor: 1299 }, facts: { alcohol_by_volume: 5 } },
    '/v1/products/by-sku/7': { name: 'Fenwick Single Malt', price: null },
  },
  iowa: {
    '/v1/products/by-sku/41783': {
      name: 'Blue Lark Mini',
      price: { amount_minor: 749 },
      package_size: { milliliters: 500 },
    },
    '/v1/stores': [
      { name: 'Corner Shop, The', location: { latitude: 41.570844, longitude: -93.597011 } },
      { name: 'Tarn Foods', location: { latitude: 42.5, longitude: -90.68 } },
      { name: 'Wren Market', location: null },
    ],
  },
  'north-carolina': {
    '/v1/products/by-sku/00009': { name: 'Harrow Single Barrel', price: null, package_size: { milliliters: 750 } },
    '/v1/products/by-sku/12345': { name: 'Wren Four Pack', package_size: { milliliters: 50 } },
    '/v1/products/by-sku/20001': { name: 'Old Mill, The Rye', package_size: { milliliters: 375 } },
  },
  ohio: {
    '/v1/stores': [
      { name: 'Fenwick Market', phone: '+16145550100' },
      { name: 'Larkwood Wine, Beer', phone: '+16145550103' },
      { name: 'Quill & Sons', phone: '+16145550101' },
      { name: 'Tarn Corner "T"', phone: '+16145550102' },
    ],
    '/v1/metadata': {},
  },
  systembolaget: {
    '/v1/products/by-sku/8794202': {
      name: 'Ängs Malt Liten & god',
      price: { amount_minor: 49_900, currency: 'SEK' },
      package_size: { milliliters: 200 },
      facts: { alcohol_by_volume: 46, country_of_origin: 'Skottland' },
    },
    '/v1/products/by-sku/7500101': { status: { code: '1', lifecycle: 'discontinued' }, facts: { vintage: 2022 } },
  },
  vinbudin: {
    '/v1/products/by-sku/25': {
      name: 'Höfði Rauðvín',
      price: { amount_minor: 6999, display: '6999 ISK' },
      facts: { vintage: 2019 },
    },
    '/v1/products/by-sku/101': {
      price: { amount_minor: 389 },
      package_size: { milliliters: 330 },
      facts: { vintage: null },
    },
    '/v1/products/by-sku/2044': { status: { lifecycle: 'unavailable' } },
    '/v1/stores': [
      { source_ids: { inventory_store_code: 'AKUREYRI' }, name: 'Akureyri' },
      { source_ids: { inventory_store_code: 'KRINGLAN' }, address: { line1: 'Kringlan' } },
      { source_ids: { inventory_store_code: 'SEYDISFJORDUR' }, name: 'Seyðisfjörður' },
    ],
  },
  vinmonopolet: {
    '/v1/products/by-sku/1101': {
      name: 'Fjørdal Akevitt',
      price: { amount_minor: 39_990, currency: 'NOK' },
      package_size: { milliliters: 700 },
      facts: { alcohol_by_volume: 41.5 },
    },
    '/v1/products/by-sku/20450': {
      price: { amount_minor: 124_900 },
      facts: { vintage: 2016, producer: 'Brun & Fils' },
    },
    '/v1/products/by-sku/300100': { facts: { vintage: null } },
    '/v1/stores': [
      { name: 'Fjørdal, Sentrum', phone: '04560', location: { latitude: 59.9206481 } },
      { name: 'Vik', phone: '+4757695500' },
    ],
  },
};

test.each(recipeNames())('init --recipe-for %s takes the sample of the agency to a verified site', async (name) => {
  const home = temporaryFolder();
  onTestFinished(() => removeFolder(home));
  const settings = join(home, 'shelfpress.json');
  const made = await runInProcess('init', '--recipe-for', name, '--settings', settings);
  expect([made.code, made.stderr]).toEqual([0, '']);
  const delivery = join(home, 'incoming', '2025-03-04');
  mkdirSync(delivery);
  const samples = join('fixtures/imports', name);
  for (const file of readdirSync(samples)) copyFileSync(join(samples, file), join(delivery, file));
  const { code, stderr } = await runInProcess('update', '--settings', settings);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('columns not used by the recipe')]);
  for (const [address, fields] of Object.entries(expected[name] ?? { none: {} }))
    expect(documentAt(join(home, 'dist'), address), address).toMatchObject({ data: fields });
});

describe('a bundled recipe', () => {
  test.each(recipeNames())('%s says first for which files of which agency it is, and from when', (name) => {
    const text = readText(`templates/recipes/${name}.json`);
    expect(text.split('\n')[1]).toMatch(/^ {2}"description": ".+ 20\d\d[.:,]/);
    expect(JSON.parse(text).curation.about.agency).toBeTruthy();
  });

  test('is in the table of docs/importing.md', () => {
    const [, section = ''] = readText('docs/importing.md').split('\n## Bundled recipes\n');
    const rows = (section.split('\n## ')[0] ?? '').match(/(?<=^\| `)[a-z-]+(?=` \|)/gm);
    expect(rows).toEqual(recipeNames());
  });

  test('replaces no recipe, and another name is refused with those that are known', async () => {
    const home = temporaryFolder();
    onTestFinished(() => removeFolder(home));
    const settings = join(home, 'shelfpress.json');
    const unknown = await runInProcess('init', '--recipe-for', 'utopia', '--settings', settings);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('vinmonopolet')]);
    expect(readdirSync(home)).toEqual([]);
    copyFileSync('fixtures/imports/csv/recipe.json', join(home, 'recipe.json'));
    const second = await runInProcess('init', '--recipe-for', 'ohio', '--settings', settings);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('recipe.json')]);
    expect(readdirSync(home)).toEqual(['recipe.json']);
    expect(readFileSync(join(home, 'recipe.json'), 'utf8')).toBe(readText('fixtures/imports/csv/recipe.json'));
  });
});
