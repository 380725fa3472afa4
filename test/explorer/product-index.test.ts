import { expect, test } from 'vitest';
import type { BrowseIndex } from '../../generator/contract/documents/catalog.ts';
import { ProductIndex } from '../../templates/explorer/components/product-index.ts';

const [sku, name] = [
  ['1', '2', '3'],
  ['Red Rye', 'Old Gin', 'Pale Rye'],
];
const columns = { sku, name, brand: [0, null, null], reported_positive_store_count: [1, 2, 3], reported_quantity: [] };
const document = { count: 3, brands: [{ name: 'Orchard' }], columns } as unknown as BrowseIndex;

test('the words of products are the same whether they were prepared in parts, in whole or not at all', () => {
  const inParts = new ProductIndex(document);
  expect([inParts.prepareTexts(2), inParts.prepareTexts(2), inParts.prepareTexts(2)]).toEqual([true, false, false]);
  const begun = new ProductIndex(document);
  begun.prepareTexts(1);
  for (const index of [inParts, begun, new ProductIndex(document)]) {
    expect(index.texts).toEqual([' orchard red rye 1 ', ' old gin 2 ', ' pale rye 3 ']);
    expect(index.find('rye')).toEqual([2, 0]);
  }
});
