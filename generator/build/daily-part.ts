import { exportSchemaVersion } from '../contract/formats/export.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import type { Publication } from '../database/publications.ts';
import { ParquetTable } from '../encode/parquet.ts';
import { lastExpired } from '../model/retention.ts';
import type { State } from '../model/state.ts';
import { warningList } from '../resources/document.ts';
import { statedAbout } from '../resources/export-records.ts';
import type { DocumentWriter } from './document-writer.ts';

/** The publications that `daily` has, oldest first: those whose change events or exports are retained. */
export function dailyPublications(state: State, exported: readonly Publication[]): Publication[] {
  const first = Math.min(lastExpired(state) + 1, ...exported.map(({ sequence }) => sequence));
  return state.publications.filter(({ sequence }) => sequence >= first);
}

/** The rows of `daily` that are of one publication, as a file. */
export function dailyPart({ state, daily, license }: DocumentWriter, sequence: number): Uint8Array {
  const { revision, published_at, warnings } = state.publicationAt(sequence);
  const about = statedAbout(state.aboutAt(sequence), license);
  const table = new ParquetTable('daily');
  for (const { attempted, observed, ...row } of daily.rows(sequence)) {
    table.add({
      ...row,
      publication: sequence,
      publication_revision: revision,
      published_at,
      price_amount: row.price_amount_minor,
      inventory_attempted: attempted === 1,
      inventory_observed: observed === 1,
    });
  }
  return table.end({
    resource: 'daily',
    schema_version: exportSchemaVersion,
    publication_revision: revision,
    published_at,
    record_count: table.rows,
    warnings: warningList(warnings),
    ...(about ? { about } : {}),
    fields: describeTable('daily'),
  });
}
