import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { SnapshotHeader } from '../generator/snapshot/format.ts';
import { seededRandom } from '../test/support/random.ts';
import { SyntheticCatalog } from './synthetic-catalog.ts';
import { instantOf, SyntheticInventory } from './synthetic-inventory.ts';
import type { SeriesSize } from './synthetic-size.ts';
import { SyntheticStores } from './synthetic-stores.ts';

/** A snapshot folder before it is written: its name, and the text of each file by file name. */
type SyntheticSnapshot = { readonly name: string; readonly files: Readonly<Record<string, string>> };

const firstDay = Date.UTC(2024, 0, 1, 22) / 1000;
const daySeconds = 86_400;
/** Day of the second catalog, early so that short series have one too. */
const secondCatalogDay = 5;

/**
 * Snapshots of an invented agency, one a day, with changing quantities. The same size gives the same bytes everywhere,
 * and a longer series begins with the shorter one.
 */
function* syntheticSeries(size: SeriesSize): Generator<SyntheticSnapshot> {
  const random = seededRandom(size.seed);
  const catalog = new SyntheticCatalog(random, size);
  const directory = new SyntheticStores(random, size);
  const inventory = new SyntheticInventory(random, size, catalog.askedSkus);
  for (let day = 0; day < size.publications; day += 1) {
    const publishedAt = firstDay + day * daySeconds;
    const retrieval = { source_updated_at: null, retrieved_at: instantOf(publishedAt - 6 * 3600) };
    const hasCatalog = day === 0 || day % size.catalogDays === secondCatalogDay % size.catalogDays;
    const hasDirectory = day % size.directoryDays === 0;
    if (day > 0) inventory.advance();
    if (hasCatalog && day > 0) catalog.renew();
    if (hasDirectory) directory.renew(retrieval.retrieved_at);
    const header = headerOf(publishedAt, hasCatalog ? retrieval : null, hasDirectory ? retrieval : null);
    yield {
      name: `${String(day + 1).padStart(4, '0')}-${header.published_at.slice(0, 10)}`,
      files: {
        'snapshot.json': `${JSON.stringify(header, null, 2)}\n`,
        ...(hasCatalog && {
          'products.ndjson': linesOf(catalog.products),
          'curation.json': JSON.stringify(catalog.curation),
        }),
        ...(hasDirectory && { 'stores.ndjson': linesOf(directory.stores) }),
        'inventory.ndjson': linesOf(inventory.lines({ day, publishedAt, scope: directory.scope })),
        'inventory_scope.json': JSON.stringify({ inventory_store_codes: directory.scope }),
      },
    };
  }
}

/** Writes a series as snapshot folders below `folder`, every part gzipped or plain; returns their paths in order. */
export function writeSeries(folder: string, size: SeriesSize, packed: 'gzip' | 'plain' = 'gzip'): string[] {
  return Array.from(syntheticSeries(size), ({ name, files }) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      if (packed === 'plain' || file === 'snapshot.json') writeFileSync(join(path, file), text);
      else writeFileSync(join(path, `${file}.gz`), gzipSync(text));
    }
    return path;
  });
}

function headerOf(
  publishedAt: number,
  catalog: SnapshotHeader['catalog'],
  directory: SnapshotHeader['directory'],
): SnapshotHeader {
  return {
    format: 'inventory-snapshot',
    format_version: 1,
    published_at: instantOf(publishedAt),
    catalog,
    directory,
    policy: { id: 'inventory-48h', max_age_seconds: 48 * 3600 },
    retention: { history_days: 365, publication_days: 30 },
    warnings: ['FIXTURE_DATA'],
  };
}

function linesOf(rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
