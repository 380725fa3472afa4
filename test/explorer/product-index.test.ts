import { expect, test } from 'vitest';
import type { BrowseIndex } from '../../contract/schemas/browse.ts';
import type { Category } from '../../contract/schemas/category.ts';
import { ProductIndex } from '../../explorer/products/product-index.ts';

const [sku, name] = [
  ['1', '2', '3', '4'],
  ['Red Rye', 'Old Gin', 'Pale Rye', "Añejo '07"],
];
const columns = {
  ...{ sku, name, brand: [0, null, null, null], category: [0, 1, 0, null], status: [0, 0, 1, 1] },
  ...{ reported_positive_store_count: [1, 2, 3, null], reported_quantity: [5, 5, 5, null] },
};
const statuses = [{ label: 'General' }, { label: 'Limited' }];
const document = {
  ...{ count: 4, brands: [{ name: 'Orchard' }], categories: ['cat_whisky', 'cat_gin'], statuses, columns },
} as unknown as BrowseIndex;
const categories = [
  { id: 'cat_whisky', parent_id: null, name: 'Whisky' },
  { id: 'cat_gin', parent_id: null, name: 'White spirits' },
] as unknown as Category[];

test('the words of products are the same whether prepared in parts, at once or not at all', () => {
  const inParts = new ProductIndex(document);
  expect([inParts.prepareTexts(2), inParts.prepareTexts(2), inParts.prepareTexts(2)]).toEqual([true, false, false]);
  const begun = new ProductIndex(document);
  begun.prepareTexts(1);
  for (const index of [inParts, begun, new ProductIndex(document)]) {
    expect(index.texts).toEqual([' orchard red rye 1 ', ' old gin 2 ', ' pale rye 3 ', ' anejo 07 2007 4 ']);
    expect(index.find('rye')).toEqual([2, 0]);
  }
});

test('once categories are named, their words and those of statuses find products, after matches in names', () => {
  const index = new ProductIndex(document);
  expect(index.find('whisky')).toEqual([]);
  index.nameCategories(categories);
  expect(index.find('whisky')).toEqual([2, 0]);
  expect(index.find('whi')).toEqual([2, 1, 0]);
  expect(index.find('rye whisky limited')).toEqual([2]);
  expect(index.find('gin whisky')).toEqual([]);
  expect(index.find('limited')).toEqual([2, 3]);
  expect([...index.ranksFor('2')].map((rank) => rank > 0)).toEqual([false, true, false, true]);
  expect(index.find('2')).toEqual([1, 3]);
});

test('products are ordered by stores that report them, then by quantity, and unknown ones come last', () => {
  const stores = [null, 0, 2, 2, 0, null, 2];
  const quantities = [null, 0, 7, 9, null, 3, 9];
  const of = { ...columns, reported_positive_store_count: stores, reported_quantity: quantities };
  const index = new ProductIndex({ ...document, columns: of } as unknown as BrowseIndex);
  expect([...index.byStores]).toEqual([3, 6, 2, 1, 0, 4, 5]);
});

test('a query means its exact name before others, the size that most stores report, and otherwise lets the reader choose', () => {
  const names = [
    'Old Gin',
    'Old Gin',
    'Old Gin Orange Soda',
    'Old Navy Gin',
    'Pale Rye Malt',
    'Pale Rye Oak',
    'Pale Rye Oak',
  ];
  const sku = names.map((_, product) => `10${product}`);
  const nothing = names.map(() => null);
  const of = {
    ...{ sku, name: names, brand: nothing, category: nothing, status: names.map(() => 0) },
    ...{ reported_positive_store_count: [4, 9, 90, 90, 2, 8, 8], reported_quantity: [90, 9, 90, 90, 2, 8, 8] },
  };
  const index = new ProductIndex({ ...document, count: names.length, columns: of } as unknown as BrowseIndex);
  expect(index.find('old gin')).toEqual([1, 0, 3, 2]);
  expect(index.meant('old gin')).toEqual([1]);
  expect(index.meant('gin old soda')).toEqual([2]);
  expect(index.meant('pale rye')).toEqual([5, 6, 4]);
  expect(index.meant('pale rye oak')).toEqual([5, 6]);
  expect(index.meant('pale malt')).toEqual([4]);
  expect(index.meant('105')).toEqual([5]);
  expect(index.meant('port')).toEqual([]);
});
