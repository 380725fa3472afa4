import { exportSchemaVersion } from '../contract/formats/export.ts';
import { describeTable } from '../contract/formats/parquet.ts';
import type { Publication } from '../database/publications.ts';
import { ParquetTable } from '../encode/parquet.ts';
import { WrittenColumns } from '../encode/written-columns.ts';
import { lastExpired } from '../model/retention.ts';
import { warningList } from '../resources/document.ts';
import { statedAbout } from '../resources/export-records.ts';
import { allChanges } from './all-changes.ts';
import type { DocumentWriter } from './document-writer.ts';

/** The publications that `daily` has, oldest first: those whose change events or exports are retained. */
export function dailyPublications(writer: DocumentWriter, exported: readonly Publication[]): Publication[] {
  const { state } = writer;
  const { feed } = allChanges(writer);
  const retained = feed.retained(state.publication.sequence);
  // A page of events is retained as long as its newest, so it may have events of publications past retention.
  const ofOldestEvent = retained ? [feed.publicationOf(retained.first)] : [];
  const first = Math.min(lastExpired(state) + 1, ...ofOldestEvent, ...exported.map(({ sequence }) => sequence));
  return state.publications.filter(({ sequence }) => sequence >= first);
}

/** The rows of `daily` that are of one publication, as a file. */
export type DailyPart = { readonly sequence: number; readonly bytes: Uint8Array };

/** Makes the parts of publications, given in ascending order. A part costs less after another than alone. */
export function* dailyParts(writer: DocumentWriter, sequences: readonly number[]): Generator<DailyPart> {
  const { state, daily, license } = writer;
  const written = new WrittenColumns();
  for (const { publication, products } of daily.days(sequences)) {
    const { revision, published_at, warnings } = state.publicationAt(publication);
    const about = statedAbout(state.aboutAt(publication), license);
    const table = new ParquetTable('daily', written);
    const day = { publication, publication_revision: revision, published_at };
    for (const { row, inventory } of products) table.add(row, inventory, day);
    const bytes = table.end({
      resource: 'daily',
      schema_version: exportSchemaVersion,
      publication_revision: revision,
      published_at,
      record_count: table.rows,
      warnings: warningList(warnings),
      ...(about ? { about } : {}),
      fields: describeTable('daily'),
    });
    yield { sequence: publication, bytes };
  }
}
