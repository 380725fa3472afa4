import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { seededRandom } from '../../test/support/random.ts';
import { SyntheticCatalog, storesOf } from './catalog.ts';
import { instantOf, SyntheticInventory } from './inventory.ts';
import type { SeriesSize } from './size.ts';

const firstDay = Date.UTC(2024, 0, 1, 22) / 1000;
const daySeconds = 86_400;
/**
 * The first day has a catalog, and so has one day of every fourth week. So that short series have a second catalog, the
 * fifth day has one too.
 */
const [catalogDays, secondCatalog] = [28, 4];

/**
 * Writes snapshot folders of an invented agency below `folder`, one a day, with changing quantities. Returns their
 * paths in order. The same size gives the same bytes everywhere.
 */
export function writeSeries(folder: string, size: SeriesSize): string[] {
  const random = seededRandom(20_240_101);
  const catalog = new SyntheticCatalog(random, size);
  const stores = storesOf(random, size);
  const scope = stores.flatMap(({ inventory_store_code: code }) => code ?? []).slice(0, size.scope);
  const inventory = new SyntheticInventory(random, catalog.askedSkus, scope);
  return Array.from({ length: size.days }, (_, day) => {
    const publishedAt = firstDay + day * daySeconds;
    const hasCatalog = day === 0 || day % catalogDays === secondCatalog;
    if (day > 0) inventory.advance();
    if (day > 0 && hasCatalog) catalog.renew();
    const retrieval = { source_updated_at: null, retrieved_at: instantOf(publishedAt - 6 * 3600) };
    const header = {
      format: 'inventory-snapshot',
      format_version: 1,
      published_at: instantOf(publishedAt),
      catalog: hasCatalog ? retrieval : null,
      directory: hasCatalog ? retrieval : null,
      policy: { id: 'inventory-48h', max_age_seconds: 48 * 3600 },
      retention: { history_days: 365, publication_days: 30 },
      warnings: ['FIXTURE_DATA'],
    };
    const directory_presence = { state: 'present', last_seen_at: retrieval.retrieved_at };
    const parts = {
      ...(hasCatalog && {
        'products.ndjson': linesOf(catalog.products),
        'curation.json': JSON.stringify(catalog.curation),
        'stores.ndjson': linesOf(stores.map((store) => ({ ...store, directory_presence }))),
      }),
      'inventory.ndjson': linesOf(inventory.lines(publishedAt)),
      'inventory_scope.json': JSON.stringify({ inventory_store_codes: scope }),
    };
    const path = join(folder, header.published_at.slice(0, 10));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, 'snapshot.json'), JSON.stringify(header));
    for (const [file, text] of Object.entries(parts)) writeFileSync(join(path, `${file}.gz`), gzipSync(text));
    return path;
  });
}

function linesOf(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
