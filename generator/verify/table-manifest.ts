import type { ExportManifestDocument, TableFile } from '../contract/formats/export-manifest.ts';
import { publicationTable } from '../contract/formats/parquet.ts';
import { pathOf } from '../contract/paths.ts';
import { shown } from '../site/fault.ts';
import { documentAt, type SiteUnderCheck } from './documents.ts';
import type { Tables } from './tables.ts';

/** Checks that the manifest states the address, size, validators and rows of each Parquet file as they are. */
export function checkTableManifest(site: SiteUnderCheck, tables: Tables): void {
  const path = pathOf('exports');
  const parquet = documentAt<ExportManifestDocument>(site, path)?.data.parquet;
  const revision = tables.currentRevision;
  if (!parquet || revision === null) return;
  const check = (name: string, address: string, { record_count, url, ...validators }: TableFile) => {
    const add = (expected: string, got: string) => {
      site.faults.add('parquet_mismatch', path, `${name} with ${expected}`, got);
    };
    if (site.addresses.pathOf(url) !== address) add(`url ${address}`, url);
    const route = site.table.find(address);
    if (typeof route === 'string') return;
    for (const name of ['size', 'sha256', 'etag'] as const) {
      if (validators[name] !== route[name]) add(`${name} ${shown(route[name])}`, shown(validators[name]));
    }
    const rows = tables.rowsAt(address);
    if (rows !== null && rows !== record_count) add(`record_count ${rows}`, String(record_count));
  };
  for (const table of publicationTable.options) {
    check(`files.${table}`, pathOf('export_parquet', { revision, table }), parquet.files[table]);
  }
  check('history.changes', pathOf('changes_parquet'), parquet.history.changes);
  check('history.newest_changes', pathOf('newest_changes_parquet'), parquet.history.newest_changes);
  check('history.daily', pathOf('daily_parquet'), parquet.history.daily);
}
