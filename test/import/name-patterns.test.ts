import { expect, test } from 'vitest';
import { nameFits } from '../../generator/files/name-patterns.ts';

test.each([
  ['catalog*.csv', 'Catalog-2025.CSV'],
  ['*.csv', 'folder/stock.csv'],
  ['**/stock.csv', 'a/b/stock.csv'],
  ['**/stock.csv', 'stock.csv'],
  ['{stores,shops}.csv', 'shops.csv'],
  ['stock-?.csv', 'stock-2.csv'],
  ['*', '.hidden.csv'],
  // Everything else stands for itself.
  ['Price List (Nov)*.csv', 'price list (nov) 3.csv'],
  ['[west].csv', '[west].csv'],
  ['!old.csv', '!old.csv'],
  ['@(a|b)+c$.csv', '@(a|b)+c$.csv'],
])('%s fits %s', (pattern, name) => {
  expect(nameFits(pattern, name)).toBe(true);
  expect(nameFits(['other.csv', pattern], name)).toBe(true);
});

test.each([
  ['stock-?.csv', 'stock-12.csv'],
  ['stock.csv', 'stockXcsv'],
  ['[west].csv', 'w.csv'],
  ['Price List (Nov)*.csv', 'price list nov 3.csv'],
  ['!old.csv', 'new.csv'],
])('%s does not fit %s', (pattern, name) => {
  expect(nameFits(pattern, name)).toBe(false);
});
