import { expect, test } from 'vitest';
import { detailLines } from '../../generator/commands/publication-lines.ts';
import { publicationDetails } from '../../generator/database/publication-details.ts';
import { publicationSummary } from '../../generator/database/publication-summary.ts';
import { curationOf, productLine, retrievalLine, storeLine } from '../support/snapshot-writer.ts';
import { TestDatabase } from '../support/test-database.ts';

test('prices and rows that are gone are among the largest moves', async () => {
  const database = new TestDatabase();
  const stores = [storeLine('0001')];
  const partsOf = (time: string, prices: (number | null)[], quantities: (number | null)[]) => {
    const skus = prices.map((_, index) => `00000${index + 1}`);
    const lines = skus.map((sku, index) => {
      const quantity = quantities[index];
      return retrievalLine(sku, time, typeof quantity === 'number' ? [['0001', quantity]] : []);
    });
    const products = skus.map((sku, index) => productLine(sku, { price_minor: prices[index] ?? null }));
    return { products, stores, inventory: { scope: ['0001'], lines }, curation: curationOf() };
  };
  const [first, second] = ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'];
  await database.publish(first, partsOf(first, [1000, 2000, null], [60, 3, null]));
  const publication = await database.publish(second, partsOf(second, [900, null, 500], [null, 4, 5]), {
    accept: ['prices', 'inventory'],
  });
  const details = publicationDetails(database.connection, publication);
  expect(detailLines(details, publicationSummary(database.connection, publication))).toEqual([
    'largest price moves:',
    '  000002 Product 000002: $20.00 to no price',
    '  000001 Product 000001: $10.00 to $9.00',
    '  000003 Product 000003: no price to $5.00',
    'largest quantity moves:',
    '  000001 Product 000001 in 0001: 60 to no row',
    '  000002 Product 000002 in 0001: 3 to 4',
  ]);
});
