import { expect, test } from 'vitest';
import { otherCurrencyIn } from '../../generator/import/values/currency-words.ts';
import { importOf, productRecipe, recipeHead } from './small-import.ts';

test.each([
  ['Price (EUR)', 'USD', 'EUR'],
  ['Hinta €', 'USD', '€'],
  ['Pris i kr.', 'EUR', 'kr'],
  ['Pris i kr.', 'NOK', null],
  ['Price EUR / USD', 'USD', null],
  ['Price for ALL stores', 'USD', null],
  ['Retail', 'USD', null],
])('%s in %s names %s', (text, currency, word) => expect(otherCurrencyIn(text, currency)).toBe(word));

test('a price of a column that names another currency is refused', async () => {
  const recipe = (currency: string) => ({
    ...productRecipe({ sku: 'Code', price_minor: 'Price (EUR)' }),
    snapshot: { ...(recipeHead.snapshot as object), profile: { currency } },
  });
  const files = { 'catalog.csv': 'Code,Name,Price (EUR)\n000001,A,1.50\n' };
  expect((await importOf(recipe('CAD'), files)).lines).toContain(
    "recipe.json products.fields.price_minor: expected a column of amounts in CAD, got 'Price (EUR)', which names EUR",
  );
  expect((await importOf(recipe('EUR'), files)).lines).toEqual([]);
});
