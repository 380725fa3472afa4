import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Faults } from '../../generator/files/faults.ts';
import { draftRecipe } from '../../generator/import/draft/draft.ts';
import type { Stated } from '../../generator/import/draft/draft-rules.ts';
import { firstDraft } from '../../generator/import/draft/first-draft.ts';
import { answered, type Question, questionsIn } from '../../generator/import/draft/questions.ts';
import { partRule } from '../../generator/import/recipe/recipe.ts';
import { folderForFile } from '../support/temporary-folder.ts';
import { importOf, recipeHead } from './small-import.ts';

const folder = folderForFile();

const stated = { currency: 'USD', country: 'US', zone: 'America/Denver' };
const rows = (count: number, row: (index: number) => string) =>
  `${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\n`;
const pick = (items: readonly (string | number)[], index: number) => items[index % items.length];

async function draftOf(files: Readonly<Record<string, string>>, agency: Stated = stated) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return draftRecipe(
    Object.keys(files).map((name) => join(folder, name)),
    agency,
  );
}

/** What becomes of files after questions, each of which is asked once, and answered by its text. */
async function answeredDraft(files: Readonly<Record<string, string>>, answers: Readonly<Record<string, string>>) {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const open = new Map(Object.entries(answers));
  const ask = async ({ text, allowed }: Question) => {
    const answer = open.get(text);
    open.delete(text);
    if (answer === undefined) throw new Error(`nobody answers '${text}' (${allowed})`);
    return answer;
  };
  const given = Object.keys(files).map((name) => ({ path: join(folder, name), part: null }));
  const check = async () => new Faults();
  const { recipe, products } = await firstDraft(given, stated, {
    ...{ bundled: [], ask, day: '2025-03-01', check, onProgress: () => {}, onColumns: () => {} },
  });
  const { lines, part } = await importOf(recipe, files, Object.keys(files), {
    publishedAt: '2025-03-01T12:00:00Z',
    retrievedAt: '2025-03-01T12:00:00Z',
  });
  return { lines, part, products };
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

test("last year's list of the same codes is no second price, whichever file comes first", async () => {
  const files = {
    'a-last-year.csv': `Code,Product,Price\n${rows(30, (index) => `NZ${500 + index},Lager ${index},$${9 + index}.66`)}`,
    'products.csv': `Code,Product,Bottle,ABV,Price\n${rows(30, (index) => `NZ${500 + index},Lager ${index},500ml,5,$${10 + index}.53`)}`,
  };
  const { recipe, unused } = await draftOf(files);
  expect(Object.values(recipe.files).map(({ match }) => match)).toEqual(['products.csv']);
  expect(unused).toEqual(['a-last-year.csv: another table has the products']);
});

test('numbers of bottles of which none is one are asked about, and are no stock', async () => {
  const line = (index: number) =>
    `${5010 + 13 * index},Vodka No ${index},375ML,${pick([6, 12, 24], index)},${139 + index}.76`;
  const draft = await draftOf({ 'casebook.csv': `Code,Brand,Size,Units,Price\n${rows(40, line)}` });
  expect(fieldsOf(draft).pack_count).toEqual({ column: 'FILL IN' });
  expect(draft.recipe.inventory).toBeUndefined();
  const [asked] = questionsIn(draft.recipe, draft.columnsFor);
  expect(asked).toMatchObject({
    text: expect.stringContaining('several containers'),
    choices: ['none of these', 'Units'],
  });
});

test('prices in another currency are left out, and a column that is named as a field but is none is said', async () => {
  const line = (index: number) =>
    `${200 + index},Ale ${index},330 ml,${1000 + index},${index % 10 === 3 ? 'CAD' : 'USD'},${2 + index}.50`;
  const draft = await draftOf({ 'two.csv': `Code,Name,Size,Alcohol,Currency,Price\n${rows(40, line)}` });
  expect(partRule(draft.recipe, 'products')?.leave_out).toEqual([
    { column: 'Currency', equals: ['CAD'], reason: 'a price that is not in USD' },
  ]);
  expect(draft.unused).toContain(
    "two.csv Alcohol: named as the alcohol by volume, but its values are not: '1000', '1001', '1002'",
  );
});

test('columns called as stores are their stock', async () => {
  const files = {
    'list.csv': `Varenr;Varenavn;Str;Pris\n${rows(30, (index) => `${10_010 + 13 * index};Gin ${index};70 cl;${20 + index},95`)}`,
    'shops.csv':
      'Butik;Navn;Adresse;By\n11;Tvøroyri;Havn 1;Tvøroyri\n12;Klaksvík;Havn 4;Klaksvík\n13;Miðvágur;Havn 9;Miðvágur\n',
    'stock.csv': `Varenr;Varenavn;Tvøroyri;Klaksvík;Miðvágur;Lager\n${rows(30, (index) => `${10_010 + 13 * index};Gin ${index};${index % 4};;${index % 7};60`)}`,
  };
  const faroes = { currency: 'DKK', country: 'FO', zone: 'Atlantic/Faroe' };
  const { recipe } = await draftOf(files, faroes);
  expect(recipe.inventory).toMatchObject({
    fields: { sku: 'Varenr' },
    stores: { columns: '^(Tvøroyri|Klaksvík|Miðvágur)$', lookup: { Tvøroyri: '11', Klaksvík: '12', Miðvágur: '13' } },
  });
  const filled = JSON.stringify(recipe)
    .replace('"access_type":{"value":"FILL IN"}', '"access_type":{"value":"unknown"}')
    .replaceAll('"FILL IN"', '"active"');
  const { lines, part } = await importOf(JSON.parse(filled), files);
  expect(lines).toEqual([]);
  expect(part('inventory.ndjson')[5]).toMatchObject({
    rows: [
      ['11', 1],
      ['13', 5],
    ],
  });
});

test('a stock in cases is not published as one in bottles without a word', async () => {
  const stock = rows(12, (index) => `${7000 + index},${(index % 3) + 1},4`);
  const recipe = {
    ...{ files: { stock: { match: 'stock.csv', type: 'csv' } } },
    inventory: {
      from: 'stock',
      fields: { sku: 'Item', store: { column: 'Store', pad: 4 }, quantity: 'Cases On Hand' },
      scope: 'rows',
    },
  };
  const { lines } = await importOf({ ...recipeHead, ...recipe }, { 'stock.csv': `Item,Store,Cases On Hand\n${stock}` });
  expect(lines[0]).toContain('expected a column of units; "as": "integer" publishes cases as they are');
});

const statusText = 'No column has a status: which do all products have?';
const packText = 'Is a price that of several containers? Which column has their number?';

test('words for cases are asked about, and so is what of the stock is published', async () => {
  const lines = [
    '10001,OLD RIVER BOURBON,CS6,750ML,179.94,30,24',
    '10002,OLD RIVER RYE,BTL,750ML,32.99,12,12',
    '10003,HARBOR GIN,BTL,LITER,24.99,8,6',
    '10004,CANE RUM,CASE,375ML,119.88,9,7',
    '10005,HARBOR VODKA,BTL,1.75L,19.99,44,40',
  ];
  const files = { 'units.csv': `Item,Description,UOM,Unit Size,Price,On Hand,Available\n${lines.join('\n')}\n` };
  const { lines: faults, part } = await answeredDraft(files, {
    [packText]: 'UOM',
    'Which column has the quantity of inventory?': 'Available',
    'What has the size: one container, or the whole package?': 'container',
    "How many containers are a 'CASE'?": '12',
    [statusText]: 'active',
  });
  expect(faults).toEqual([]);
  const products = part('products.ndjson').map(({ sku, pack_count, size_ml, price_minor }) => [
    ...[sku, pack_count, size_ml, price_minor],
  ]);
  expect(products).toEqual([
    ['10001', 6, 750, 17_994],
    ['10002', 1, 750, 3299],
    ['10003', 1, 1000, 2499],
    ['10004', 12, 375, 11_988],
    ['10005', 1, 1750, 1999],
  ]);
  expect(part('inventory.ndjson').map(({ quantity }) => quantity)).toEqual([24, 12, 6, 7, 40]);
});

test('titles of sections are no products', async () => {
  const sections = ['WHISKEY - BOURBON', 'GIN', 'VODKA'].map(
    (title, at) =>
      `${title},,,\n${rows(4, (index) => `${1000 + 10 * at + index},Bottle ${at} ${index},750 mL,2${index}.99`)}`,
  );
  const files = { 'book.csv': `Code,Product,Size,Retail Price\n${sections.join('')}End of list,,,\n` };
  const { lines, part } = await answeredDraft(files, { [statusText]: 'active' });
  expect([lines, part('products.ndjson').length]).toEqual([[], 12]);
  const draft = await draftOf(files);
  expect(draft.unused).toEqual([
    "book.csv: 4 rows with a single value are left out, as titles of sections: 'WHISKEY - BOURBON', 'GIN', 'VODKA'",
  ]);
});

test('packs in place of sizes are packs', async () => {
  const sizes = ['750ML', '1.75L', '6pk', '12PK'];
  const line = (index: number) => `${2000 + index},Cider ${index},${pick(sizes, index)},1${index}.49`;
  const files = { 'packs.csv': `Code,Name,Size,Price\n${rows(8, line)}` };
  const { lines, part } = await answeredDraft(files, { [statusText]: 'active' });
  expect(lines).toEqual([]);
  const products = part('products.ndjson').slice(0, 4);
  expect(products.map(({ size_ml, pack_count }) => [size_ml, pack_count])).toEqual([
    [750, 1],
    [1750, 1],
    [null, 6],
    [null, 12],
  ]);
});

test('stores with numbers alone are known by what each record has once, whatever a list is called', async () => {
  const record = (index: number) => ({
    ...{
      sku: `${14_000_000 + 31 * index}`,
      name: `Cidre ${index}`,
      price: { value: 9 + index + 0.45, currency: 'CAD' },
    },
    stock: [23_100, 23_101, 23_102].map((shop) => ({ c1: String(shop), c2: (index * shop) % 13 })),
  });
  const files = { 'feed.json': JSON.stringify({ data: { items: Array.from({ length: 30 }, (_, at) => record(at)) } }) };
  const { recipe } = await draftOf(files, { currency: 'CAD', country: 'CA', zone: 'America/Toronto' });
  expect(recipe.inventory).toMatchObject({
    each: 'stock',
    fields: { sku: 'sku', store: 'stock.c1', quantity: 'stock.c2' },
  });
});

test('a column that says what is discontinued is asked about by its name, and a yes to it is taken for a no', async () => {
  const line = (index: number) => `${4000 + index},Gin ${index},750ML,1${index % 9}.99,${index % 5 === 0 ? 'Y' : 'N'}`;
  const files = { 'list.csv': `Item,Item Desc,Size,Price,Discontinued\n${rows(20, line)}` };
  const { recipe, columnsFor } = await draftOf(files);
  const [question, ...others] = questionsIn(recipe, columnsFor);
  expect(others).toEqual([]);
  expect(question).toMatchObject({
    text: "Which words of 'Discontinued' mean that a product is still sold? The others are taken for discontinued.",
    unlikely: ['Y'],
  });
});

test('points of prices say what a point before three digits is, and a stock in the list has its codes', async () => {
  const line = (index: number) =>
    `${100_000 + 7 * index},Aquavit ${index},${pick(['.750', '1.0', '1.750', '.375'], index)},${(12 + index * 0.37).toFixed(2)},${(index * 5) % 31}`;
  const files = { 'artikel.csv': `Artikel-Nr.,Artikelbezeichnung,Inhalt,Preis,Bestand\n${rows(40, line)}` };
  const { lines, part } = await answeredDraft(files, { [statusText]: 'active' });
  expect(lines).toEqual([]);
  const sizes = part('products.ndjson').map(({ size_ml }) => size_ml);
  expect(sizes.slice(0, 4)).toEqual([750, 1000, 1750, 375]);
  expect(part('inventory.ndjson').slice(0, 3)).toMatchObject([
    { sku: '100000', quantity: 0 },
    { sku: '100007', quantity: 5 },
    { sku: '100014', quantity: 10 },
  ]);
});
