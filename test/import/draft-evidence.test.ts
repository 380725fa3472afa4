import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { draftRecipe } from '../../generator/import/draft/draft.ts';
import { answered, questionsIn } from '../../generator/import/draft/questions.ts';
import { partRule } from '../../generator/import/recipe/recipe.ts';
import { removeFolder, temporaryFolder } from '../support/temporary-folder.ts';
import { importOf } from './small-import.ts';

const folder = temporaryFolder();
afterAll(() => removeFolder(folder));

const stated = { currency: 'USD', country: 'US', zone: 'America/Denver' };
const rows = (count: number, row: (index: number) => string) =>
  `${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\n`;
const pick = (items: readonly (string | number)[], index: number) => items[index % items.length];

async function draftOf(files: Readonly<Record<string, string>>) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return draftRecipe(
    Object.keys(files).map((name) => join(folder, name)),
    stated,
  );
}

const fieldsOf = ({ recipe }: Awaited<ReturnType<typeof draftOf>>) => partRule(recipe, 'products')?.fields ?? {};

test('bottles of a case are no liters, also where one case has 120', async () => {
  const line = (index: number) => {
    const [cents, pack] = [500 + 37 * index, index === 7 ? 120 : Number(pick([6, 12, 24], index))];
    const size = pick(['50 ML', '750 ML', '1 L', '1.75 L'], index);
    return `${10_000 + 7 * index},Rye No ${index},${size},${pack},${((cents * pack) / 100).toFixed(2)},${(cents / 100).toFixed(2)},${80 + (index % 3)}`;
  };
  const draft = await draftOf({
    'cases.csv': `Code,Product,Size,Btls/Case,Case Price,Bottle Price,Proof\n${rows(60, line)}`,
  });
  expect(fieldsOf(draft)).toMatchObject({ size_ml: 'Size', price_minor: { column: 'FILL IN' } });
  expect(fieldsOf(draft)).not.toHaveProperty('pack_count');
  expect(fieldsOf(draft).alcohol_by_volume).toEqual({ column: 'Proof', as: 'proof' });
  expect(draft.columnsFor('products', 'price_minor')).toEqual(['Bottle Price', 'Case Price']);
});

test('a price for some products does not stand in for one in cents, and a price alone that few have is asked about', async () => {
  const line = (index: number) =>
    `${1000 + index},Gin ${index},750ml,${2000 + index},${index % 6 === 0 ? '17.50' : ''}`;
  const cents = await draftOf({ 'cents.csv': `Item No,Item,Size,Price (cents),Special Price\n${rows(30, line)}` });
  expect(fieldsOf(cents).price_minor).toEqual({ column: 'Price (cents)', as: 'integer' });
  const special = await draftOf({
    'special.csv': `Item No,Item,Size,Special Price\n${rows(30, (index) => `${1000 + index},Gin ${index},750ml,${index % 6 === 0 ? `${9 + index}.50` : ''}`)}`,
  });
  expect(fieldsOf(special).price_minor).toEqual({ column: 'FILL IN' });
});

test('zeros that one file lost are known from another', async () => {
  const files = {
    'items.csv': `Item No,Item Name,Size\n${rows(30, (index) => `${700 + 13 * index},Rum ${index},750ML`)}`,
    'prices.csv': `Item No,Shelf Price\n${rows(30, (index) => `${String(700 + 13 * index).padStart(6, '0')},${10 + index}.99`)}`,
  };
  const draft = await draftOf(files);
  expect(fieldsOf(draft)).toMatchObject({ sku: { column: 'Item No', pad: 6 }, price_minor: 'prices.Shelf Price' });
  expect(draft.unused).toEqual(["prices.csv is joined by 'Item No': 30 of 30 codes of products are in it"]);
  const recipe = JSON.parse(JSON.stringify(draft.recipe).replaceAll('"FILL IN"', '"active"'));
  const { lines, part } = await importOf(recipe, files);
  expect(lines).toEqual([]);
  expect(part('products.ndjson')[1]).toMatchObject({ sku: '000713', price_minor: 1199 });
});

test('how long full codes are is asked once, and decides their pattern too', async () => {
  const files = {
    'short.csv': `Item No,Item,Size,Price\n${rows(30, (index) => `${960 + 13 * index},Rum ${index},750ML,12.99`)}`,
  };
  const { recipe, columnsFor } = await draftOf(files);
  const [pads, ...others] = questionsIn(recipe, columnsFor).filter(({ text }) => text.includes('leading zeros'));
  expect(others).toEqual([]);
  const decided = pads && answered(recipe, pads, '6');
  expect(decided?.snapshot.profile?.sku).toEqual({ pattern: '^[0-9]{6}$', example: '000960' });
  expect(partRule(decided ?? recipe, 'products')?.fields.sku).toEqual({ column: 'Item No', pad: 6 });
});

test('a row for each product in each store has products, stores and stock', async () => {
  const line = (index: number) => {
    const [store, item] = [index % 4, index >> 2];
    return `${store + 3},Shop ${store},${store} Main St,Cody,WY,82414,${879 + item},Oak Rye ${item},750ML,${9 + item}.99,${(index * 7) % 24}`;
  };
  const header = 'Store Number,Store Name,Address,City,State,Zip,Item Code,Description,Size,Retail Price,On Hand';
  const { recipe } = await draftOf({ 'flat.csv': `${header}\n${rows(80, line)}` });
  expect(recipe.inventory?.fields).toEqual({ sku: 'Item Code', store: 'Store Number', quantity: 'On Hand' });
  expect(recipe.stores?.fields).toMatchObject({ 'address.line1': 'Address', 'address.postal_code': 'Zip' });
  const fields = partRule(recipe, 'products')?.fields ?? {};
  expect([fields.pack_count, fields.category_id]).toEqual([undefined, undefined]);
});

test('a list in records may have the stores as well as their stock', async () => {
  const stores = [0, 1, 2].map((at) => ({
    branchId: `BR-0${at}`,
    branchName: `Shop ${at}`,
    street: `${at} High St`,
    city: 'Truro',
    province: 'NS',
    postal: 'B2N 2K1',
  }));
  const record = (index: number) => ({
    ...{ id: `P${1000 + index}`, title: `River Rum ${index}`, volumeMl: 750, retail: 20 + index },
    availability: index === 5 ? [] : stores.map((one, at) => ({ ...one, units: (index + at) % 9 })),
  });
  const files = { 'feed.ndjson': rows(20, (index) => JSON.stringify(record(index))) };
  const { recipe } = await draftOf(files);
  expect(recipe.stores).toMatchObject({
    each: 'availability',
    fields: { name: { column: 'availability.branchName' } },
  });
  const filled = JSON.stringify(recipe)
    .replace('"access_type":{"value":"FILL IN"}', '"access_type":{"value":"unknown"}')
    .replaceAll('"FILL IN"', '"active"');
  const { lines, part } = await importOf(JSON.parse(filled), files);
  expect(lines).toEqual([]);
  expect(part('stores.ndjson').map(({ name }) => name)).toEqual(['Shop 0', 'Shop 1', 'Shop 2']);
  expect(part('inventory.ndjson')[1]).toMatchObject({
    rows: [
      ['BR-00', 1],
      ['BR-01', 2],
      ['BR-02', 3],
    ],
  });
});
