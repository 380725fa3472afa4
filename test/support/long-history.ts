import { publishParts } from '../units/fixture-series.ts';
import { curationOf, headerOf, productLine, retrievalLine, storeLine } from './snapshot-writer.ts';

const skus = Array.from({ length: 81 }, (_, i) => String(100_001 + i));
const codes = Array.from({ length: 93 }, (_, i) => String(i + 1).padStart(4, '0'));

/**
 * Events in the first publication. Later ones have as many, with an aggregate change instead of each first observation
 * of a product.
 */
export const eventsPerPublication = skus.length * (codes.length + 1);

/**
 * Publishes snapshots `from` to `to` (1-based, both included), three weeks apart. Every quantity changes in each of
 * them, and the second one fills a segment of the change list. History is kept for 40 days. Only `asked` products are
 * requested.
 */
export async function publishLongHistory(
  database: string,
  from: number,
  to: number,
  { historyDays = 40, asked = skus.length } = {},
): Promise<void> {
  for (let number = from; number <= to; number += 1) {
    const published_at = new Date(Date.UTC(2025, 0, 1 + 21 * (number - 1))).toISOString().replace('.000Z', 'Z');
    const products = skus.map((sku) => productLine(sku));
    const stores = codes.map((code) => storeLine(code));
    const lines = skus.slice(0, asked).map((sku) =>
      retrievalLine(
        sku,
        published_at,
        codes.map((code) => [code, number]),
      ),
    );
    const retention = { history_days: historyDays, publication_days: 30 };
    await publishParts(database, {
      header: headerOf({ published_at, retention }, { products, stores }),
      products,
      stores,
      inventory: { scope: codes, lines },
      curation: curationOf(),
    });
  }
}
