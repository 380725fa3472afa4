import { expect, test } from 'vitest';
import { importOf, productRecipe, recipeHead } from './small-import.ts';

/* One fact that cannot be what it should be doesn't stop the day; a rule that misreads a column does. */

const facts = ['alcohol_by_volume', 'vintage', 'gtin'];
const snapshot = {
  ...(recipeHead.snapshot as object),
  profile: { currency: 'EUR', country: 'FI', inventory: 'none', product_facts: facts },
};
const recipe = productRecipe({ alcohol_by_volume: 'Alc', vintage: 'Year', gtin: 'Code of bar' }, { snapshot });

/** A catalog of wines in which these cells replace others. */
function wines(count: number, odd: Readonly<Record<number, string>>): Readonly<Record<string, string>> {
  const rows = Array.from({ length: count }, (_, at) => odd[at] ?? `${at},Wine ${at},12.5,2019,6412700030010`);
  return { 'catalog.csv': `Code,Name,Alc,Year,Code of bar\n${rows.join('\n')}\n` };
}

test.each([
  ['vintage', '7,Wine 7,12.5,175,6412700030010', 'Year (vintage)', 'a year of four digits', '175'],
  ['alcohol_by_volume', '7,Wine 7,138,2019,6412700030010', 'Alc (alcohol_by_volume)', 'a number from 0 to 100', '138'],
  ['gtin', '7,Wine 7,12.5,2019,64127', 'Code of bar (gtin)', 'a GTIN of 8, 12, 13 or 14 digits', '"64127"'],
  ['alcohol_by_volume', '7,Wine 7,Trocken,2019,6412700030010', 'Alc', 'a number of percent like 13.5', "'Trocken'"],
])('one odd %s is published as null, with a notice: %s', async (fact, row, column, expected, got) => {
  const { summary, part } = await importOf(recipe, wines(200, { 7: row }));
  expect(summary?.notices).toEqual([
    `catalog.csv ${column}: row 9: expected ${expected}; the ${fact} is published as null, got ${got}`,
  ]);
  const lines = part('products.ndjson');
  expect(lines).toHaveLength(200);
  expect(lines[7]).toMatchObject({ alcohol_by_volume: 12.5, vintage: 2019, gtin: '6412700030010', [fact]: null });
  expect(lines.filter((line) => line[fact] === null)).toHaveLength(1);
});

test('more than 1 % of odd facts refuse the import, because the rule is probably wrong', async () => {
  const odd = Object.fromEntries([3, 4, 5].map((at) => [at, `${at},Wine ${at},12.5,175,6412700030010`]));
  const { summary, lines } = await importOf(recipe, wines(200, odd));
  expect(summary).toBeNull();
  expect(lines.slice(0, 2)).toEqual([
    'catalog.csv Year (vintage): 3 rows (5, 6, 7): expected a year of four digits, got 175',
    'products.ndjson vintage: expected at most 1 % of the rows with an odd value, or "null_when" or "extract" in its rule, got 3 of 200',
  ]);
});

test('a price is no fact that a product can do without', async () => {
  const priced = productRecipe({ price_minor: 'Year' }, { snapshot });
  const { lines } = await importOf(priced, wines(200, { 7: '7,Wine 7,12.5,twelve,6412700030010' }));
  expect(lines[0]).toMatch(/^catalog\.csv Year: row 9: expected a price like/);
});

test('a store whose coordinates cannot be is listed without a place', async () => {
  const rows = Array.from({ length: 120 }, (_, at) => `${1000 + at},Store ${at},${at === 5 ? '600.1' : '60.1'},24.9`);
  const storeRecipe = {
    ...recipeHead,
    files: { list: { match: 'list.csv', type: 'csv' } },
    stores: {
      from: 'list',
      fields: {
        inventory_store_code: 'Code',
        name: 'Name',
        'address.line1': 'Name',
        'address.city': 'Name',
        'address.region': { value: 'UT' },
        'address.postal_code': { value: '84001' },
        'location.latitude': 'Lat',
        'location.longitude': 'Lon',
        access_type: { value: 'consumer_state_store' },
      },
    },
  };
  const { summary, part } = await importOf(storeRecipe, { 'list.csv': `Code,Name,Lat,Lon\n${rows.join('\n')}\n` });
  const notice = expect.stringContaining('the location is published as null, got 600.1');
  expect(summary?.notices).toEqual([notice]);
  const lines = part('stores.ndjson');
  expect(lines[5]?.location).toBeNull();
  expect(lines[4]?.location).toEqual({ latitude: 60.1, longitude: 24.9 });
});
